#include "calibration/fits/outage_law.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

// The share of slow connections that bring no byte within a client's patience.
constexpr double slow_without_byte = 0.02;

/// The forward algorithm of one entity.
class Filter {
 public:
  explicit Filter(OutageLaw const& law)
      : fraction_(law.bad_fraction),
        rate_(1 / (law.bad_duration * std::max(1 - law.bad_fraction, 1e-6))),
        bad_(law.bad_fraction) {}

  /// The probability of the evidence on a try that starts at `at`, given all before.
  double see(double at, double of_quiet, double of_bad) {
    double const since = started_ ? std::max(0.0, at - at_) : 0;
    started_ = true;
    at_ = at;
    double const bad = fraction_ + (bad_ - fraction_) * std::exp(-rate_ * since);
    double const total = std::max(bad * of_bad + (1 - bad) * of_quiet, 1e-300);
    bad_ = bad * of_bad / total;
    return total;
  }

 private:
  double fraction_, rate_;  // of time that it is bad; at which its state changes
  double bad_;              // probability
  double at_ = 0;
  bool started_ = false;
};

}  // namespace

OutageRecord::OutageRecord(TransferRecords const& records) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> paths;
  std::map<std::pair<std::size_t, std::uint32_t>, TransferTry const*> last;  // of an attempt
  std::set<std::pair<std::size_t, std::uint32_t>> ended;
  for (TransferTry const& one : records.tries) {
    TransferTry const*& before = last[{one.job.index(), one.attempt}];
    bool const next =
        one.before > 0 && before != nullptr && before->end_kind == TransferEnd::by_client;
    tries_.push_back({one.start.value(), one.end_kind, one.urls, next, one.no_byte});
    next_tries += next ? 1 : 0;
    before = &one;
    struck += history::is_one_of(one.end_kind, {TransferEnd::by_timer, TransferEnd::by_client});
    conclusive += history::is_one_of(
        one.end_kind, {TransferEnd::arrived, TransferEnd::by_timer, TransferEnd::by_client});
    if (!history::is_one_of(one.end_kind, {TransferEnd::hung, TransferEnd::cut}))
      ended.insert({one.job.index(), one.attempt});
    auto const path =
        paths.try_emplace({one.node, one.cache}, static_cast<std::uint32_t>(paths.size())).first;
    entities_[0].push_back(0);
    entities_[1].push_back(one.cache);
    entities_[2].push_back(path->second);
    entities_[3].push_back(one.node);
    entities_[4].push_back(static_cast<std::uint32_t>(one.site.index()));
  }
  attempts = ended.size();
  // Numbered by first use: equal partitions are then equal.
  for (auto& list : entities_) {
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (std::uint32_t& entity : list) {
      entity =
          numbers.try_emplace(entity, static_cast<std::uint32_t>(numbers.size())).first->second;
    }
  }
}

std::vector<std::uint32_t> const& OutageRecord::entities(OutageScope scope) const {
  return entities_[std::min(static_cast<std::size_t>(scope), outage_scopes - 1)];
}

OutageLikelihood::OutageLikelihood(OutageRecord const& record, TransferRecords const& records,
                                   FlowPosterior const& flows, std::size_t draw)
    : record_(record) {
  std::vector<std::size_t> next(flows.tries.size(), 0);
  for (TransferTry const& one : records.tries) {
    std::size_t const s = one.site.index();
    FlowTry const& flow = flows.tries[s][next[s]++];
    FlowLaw const& law = flows.draws[draw][s];
    Seen seen;
    seen.lasted = lasted(flow, law, one.duration().value(), flow.stretch(law));
    seen.sigma = flow.noise(law).sigma;
    seen.timed = flow.timed;
    seen.in_evidence = flow.in_evidence;
    if (flow.in_evidence && one.end_kind == TransferEnd::arrived) {
      StampTimes const times = flow.between_stamps(), stretches = flow.stretches(law, times);
      for (std::size_t k = 0; k < times.size(); ++k) {
        seen.between_stamps[k] = lasted(flow, law, times[k], stretches[k]);
      }
      seen.log_arrived = flow.log_arrived(law);
      seen.log_taken = log_factor(flow, law, flows.view) - seen.log_arrived;
    } else if (flow.in_evidence && one.end_kind != TransferEnd::failed) {
      seen.log_taken = log_factor(flow, law, flows.view);
    }
    log_taken_ += seen.log_taken;
    seen_.push_back(seen);
  }
}

OutageLikelihood::Lasted OutageLikelihood::lasted(FlowTry const& flow, FlowLaw const& law,
                                                  double seconds, double stretch) {
  double const z = flow.z(law, stretch), sigma = flow.noise(law).sigma;
  return {seconds, z, seconds * std::exp(sigma * (sigma / 2 - z))};
}

// Let t be the time that the try needs where nothing is slow, and s, D as in the header. A try that
// is slow until T, exponential with mean D, has come after s min(T, x) + max(0, x - T) >= t. Over
// T,
//   P(longer than x) = P(t > x) + I
//   density at x     = s p_t(s x) exp(-x / D) + I / ((1 - s) D)
//   I = integral over t from s x to x of p_t(t) exp(-(x - t) / ((1 - s) D))
// The exponential in I is taken at the mean of t, kept between the bounds: as D is no less than a
// transfer's mean, the omitted part is of the order of sigma^2 / 2. If stamps give the duration,
// their probability is that of log_of_stamps(), with P(longer).
double OutageLikelihood::ended(Lasted const& lasted, double sigma, OutageLaw const& law) {
  double const s = law.slow_fraction, x = lasted.seconds;
  double const goes_on = (1 - s) * law.bad_duration;
  double const within = normal_cdf(lasted.z) - normal_cdf(lasted.z + std::log(s) / sigma);
  return within * std::exp(-(x - std::clamp(lasted.mean, s * x, x)) / goes_on);
}

double OutageLikelihood::longer(Lasted const& lasted, double sigma, OutageLaw const& law) {
  return lasted.seconds > 0 ? normal_cdf(-lasted.z) + ended(lasted, sigma, law) : 1;
}

OutageLikelihood::Slowed OutageLikelihood::slowed(std::size_t i, OutageLaw const& law) const {
  Seen const& seen = seen_[i];
  Slowed result;
  if (record_.tries_[i].end != TransferEnd::arrived) {
    result.longer = longer(seen.lasted, seen.sigma, law);
    return result;
  }
  if (!seen.in_evidence) return result;
  if (!seen.timed) {
    StampTimes below{};
    std::ranges::transform(seen.between_stamps, below.begin(),
                           [&](Lasted const& each) { return 1 - longer(each, seen.sigma, law); });
    result.density = std::exp(log_of_stamps(below) - seen.log_arrived);
    return result;
  }
  double const x = seen.lasted.seconds, z = seen.lasted.z;
  double const z_slow = z + std::log(law.slow_fraction) / seen.sigma;
  double const goes_on = (1 - law.slow_fraction) * law.bad_duration;
  // Over the density of a healthy one, or where that may be beyond a double as it took long, over
  // the highest that one has. One that took so little that the exponential is at its bound is not
  // slow.
  constexpr double most = 640;
  result.log_scale = square(std::max(z, 0.0)) / 2;
  double const below = std::min(square(std::min(z, 0.0)) / 2, most);
  result.healthy = std::exp(-result.log_scale);
  result.density = std::exp(below - z_slow * z_slow / 2 - x / law.bad_duration) +
                   std::sqrt(2 * M_PI) * std::exp(below) * ended(seen.lasted, seen.sigma, law) *
                       seen.sigma * x / goes_on;
  return result;
}

double OutageLikelihood::emission(std::size_t i, double q, OutageLaw const& law, OutageKind kind,
                                  Slowed const& slowed) const {
  OutageRecord::Try const& one = record_.tries_[i];
  Seen const& seen = seen_[i];
  if (one.after_struck) q = law.dependence + (1 - law.dependence) * q;
  double const struck = one.urls == 1 ? q : 1 - std::pow(1 - q, one.urls);
  switch (one.end) {
    case TransferEnd::arrived: {
      if (kind == OutageKind::dead) return 1 - struck;
      return (1 - struck) * slowed.healthy + struck * slowed.density;
    }
    case TransferEnd::by_timer:
    case TransferEnd::cut: {
      double const longer = normal_cdf(-seen.lasted.z);
      double const broken = kind == OutageKind::dead ? 1 : slowed.longer;
      return struck * broken + (1 - struck) * longer;
    }
    case TransferEnd::by_client:
      return kind == OutageKind::slow && one.no_byte ? q * slow_without_byte : q;
    default:
      return 1;
  }
}

double OutageLikelihood::operator()(OutageLaw const& law, OutageScope scope,
                                    OutageKind kind) const {
  bool const periods = scope != OutageScope::none;
  auto const& entities = record_.entities(scope);
  std::vector<Filter> filters;
  double sum = -log_taken_;
  for (std::size_t i = 0; i < record_.tries_.size(); ++i) {
    Slowed const of_slow = kind == OutageKind::slow ? slowed(i, law) : Slowed();
    double const quiet = emission(i, law.when_quiet, law, kind, of_slow);
    sum += of_slow.log_scale;
    if (!periods) {
      sum += std::log(std::max(quiet, 1e-300));
      continue;
    }
    while (entities[i] >= filters.size()) filters.emplace_back(law);
    double const bad = emission(i, law.when_bad, law, kind, of_slow);
    sum += std::log(filters[entities[i]].see(record_.tries_[i].at, quiet, bad));
  }
  return sum;
}

}  // namespace gridcast::calibration
