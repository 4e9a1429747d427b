#include "sim/optimize/budget.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/text.hpp"

namespace gridcast::optimize {
namespace {

constexpr std::size_t first_batch = 8, largest_batch = 2000;

}  // namespace

std::optional<std::size_t> campaigns_in(std::string const& text) {
  constexpr std::size_t most_digits = 9;
  auto const digits = text.find_first_not_of("0123456789");
  auto const unit = digits == std::string::npos ? "" : trim(std::string_view(text).substr(digits));
  bool const is_count = digits != 0 && (unit.empty() || unit == "campaigns");
  if (!is_count || text.substr(0, digits).size() > most_digits) return std::nullopt;
  return std::stoul(text.substr(0, digits));
}

Budget Budget::of_replicas(std::size_t replicas) {
  Budget budget;
  budget.replicas_ = std::max<std::size_t>(1, replicas);
  return budget;
}

Budget Budget::of_time(std::chrono::duration<double> time) {
  Budget budget;
  budget.time_ = time;
  return budget;
}

double Budget::used() const {
  if (!has_time()) return static_cast<double>(spent_) / static_cast<double>(replicas_);
  return (Clock::now() - started_) / time_;
}

std::size_t Budget::left() const {
  if (over()) return 0;
  double const share = part_ - used();
  if (!has_time()) {
    return static_cast<std::size_t>(std::ceil(share * static_cast<double>(replicas_) - 1e-9));
  }
  if (spent_ == 0) return first_batch;
  constexpr double no_end = 1e12;
  double const pace = static_cast<double>(spent_) / simulating_.count();
  return static_cast<std::size_t>(std::clamp(pace * share * time_.count(), 1.0, no_end));
}

std::size_t Budget::next_batch(std::size_t wanted) const {
  std::size_t most = largest_batch;
  if (has_time()) {
    most = first_batch;
    if (spent_ > 0) {
      double const a_second = static_cast<double>(spent_) / simulating_.count();
      most = static_cast<std::size_t>(
          std::clamp(a_second, double{first_batch}, double{largest_batch}));
    }
  }
  return std::min({wanted, left(), most});
}

void Budget::spend(std::size_t replicas, Clock::time_point from) {
  spent_ += replicas;
  simulating_ += Clock::now() - from;
}

}  // namespace gridcast::optimize
