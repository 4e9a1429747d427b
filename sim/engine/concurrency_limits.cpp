#include "sim/engine/concurrency_limits.hpp"

#include <algorithm>

#include "sim/base/text.hpp"
#include "sim/base/text_number.hpp"

namespace gridcast::engine {
namespace {

constexpr double most_jobs = 1e7;

/// The number that each job counts towards the limit; 0 without it.
double use_of(scenario::Request const& request, scenario::ConcurrencyLimit const& limit) {
  double use = 0;
  for (std::string const& part : split(request.concurrency_limits, ',')) {
    auto const words = split(part, ':');
    if (!same_ignoring_case(limit.name, trim(words[0]))) continue;
    use = std::max(use, words.size() > 1 ? text_as<double>(trim(words[1])).value_or(1) : 1);
  }
  return use;
}

}  // namespace

ConcurrencyLimits::ConcurrencyLimits(scenario::JobRequests const& requests,
                                     scenario::NegotiatorSpec const& spec)
    : running_(requests.size()) {
  for (scenario::ConcurrencyLimit const& each : spec.concurrency_limits) {
    Limit limit{each.limit, {}};
    for (std::size_t i = 0; i < requests.size(); ++i) {
      limit.use.push_back(use_of(requests[Id<scenario::JobClass>(i)], each));
    }
    bool const used =
        std::any_of(limit.use.begin(), limit.use.end(), [](double u) { return u > 0; });
    if (used) limits_.push_back(std::move(limit));
  }
}

/// Jobs of the request that may run beside those of the others.
int ConcurrencyLimits::most(Limit const& limit, Id<scenario::JobClass> of) const {
  double left = limit.limit;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (i != of.index()) left -= running_[i] * limit.use[i];
  }
  return static_cast<int>(std::min(left / limit.use[of.index()], most_jobs));
}

bool ConcurrencyLimits::allow(Id<scenario::JobClass> of) const {
  return std::all_of(limits_.begin(), limits_.end(), [&](Limit const& limit) {
    return limit.use[of.index()] <= 0 || running_[of.index()] < most(limit, of);
  });
}

bool ConcurrencyLimits::allow_any() const {
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (allow(Id<scenario::JobClass>(i))) return true;
  }
  return false;
}

}  // namespace gridcast::engine
