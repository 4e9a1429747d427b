#include "calibration/fits/flow_density.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double log_smallest = CommonPrior::log_smallest, log_largest_sigma = 3;

// A few hundred tries are sufficient, fewer where each is cut into many pieces by the transfers
// that come and go beside it; who transferred beside them is known of all.
std::vector<CountedTry> some(std::vector<CountedTry> const& all, std::size_t sites) {
  constexpr std::size_t enough_pieces = 12'000, enough_tries = 3000, fewest = 60;
  std::size_t const most = std::clamp<std::size_t>(enough_tries / sites, 100, 600);
  std::size_t pieces = 0;
  for (CountedTry const& one : all) pieces += one.flow.pieces.size();
  std::size_t const each = std::max<std::size_t>(1, pieces / std::max<std::size_t>(1, all.size()));
  std::size_t const enough = std::clamp(enough_pieces / each, fewest, most);
  if (all.size() <= enough) return all;
  std::vector<CountedTry> chosen;
  for (std::size_t i = 0; i < enough; ++i) chosen.push_back(all[i * all.size() / enough]);
  return chosen;
}

// Without sizes, tries of the same stamps are alike.
std::vector<CountedTry> grouped(std::vector<FlowTry> const& tries, std::size_t sites) {
  std::map<std::tuple<double, double, int>, std::size_t> known;
  std::vector<CountedTry> groups;
  for (std::size_t i = 0; i < tries.size(); ++i) {
    FlowTry const& one = tries[i];
    bool const alike = one.bytes <= 0 && !one.timed;
    auto const [at, fresh] =
        alike ? known.try_emplace({one.seconds, one.urls, static_cast<int>(one.end_kind)},
                                  groups.size())
              : std::pair(known.end(), true);
    if (fresh) {
      groups.push_back({one, 1, {i}});
    } else {
      groups[at->second].times += 1;
      groups[at->second].places.push_back(i);
    }
  }
  return some(groups, sites);
}

double log_of_failed(FlowTry const& one, FlowLaw const& law, double share) {
  if (!one.timed) return 0;
  double const x = one.stretch(law);
  if (x <= 0) return 0;
  return -square(one.z(law, x / share)) / 2 - std::log(law.sigma);
}

}  // namespace

FlowLaw flow_law_of(std::vector<double> const& x, std::size_t first) {
  return {std::exp(x[first + latency_at]), std::exp(x[first + stream_at]),
          std::exp(x[first + capacity_at]), std::exp(x[first + sigma_at])};
}

double log_normal_term(double x, double centre, double log_spread) {
  return -square((x - centre) / std::exp(log_spread)) / 2 - log_spread;
}

FlowDensity::FlowDensity(std::vector<std::vector<FlowTry>> const& tries, CutView view,
                         std::vector<CapacityPrior> const& capacities)
    : view_(view), capacities_(capacities) {
  for (auto const& site : tries) sites_.push_back(grouped(site, tries.size()));
}

std::vector<double> FlowDensity::of_sites(std::vector<double> const& x, SiteCoordinate what) const {
  std::vector<double> values;
  for (std::size_t s = 0; s < sites(); ++s) values.push_back(x[per_site * s + what]);
  return values;
}

double FlowDensity::operator()(std::vector<double> const& x, std::size_t changed) const {
  if (changed == ridge()) return along_ridge(x);
  double sum = shared_prior(x);
  if (!std::isfinite(sum)) return sum;
  for (std::size_t s = 0; s < sites(); ++s) {
    if (changed < shared(stream_centre) && changed / per_site != s) continue;
    sum += site_prior(x, s);
    if (!std::isfinite(sum)) return sum;
    bool const spread_alone = changed >= shared(stream_centre) && changed < shared(share_at);
    if (spread_alone) continue;
    FlowLaw const law = flow_law_of(x, per_site * s);
    sum += log_failed(law, x[shared(share_at)], s);
    if (changed != shared(share_at)) sum += log_others(law, s);
  }
  return sum;
}

double FlowDensity::site_prior(std::vector<double> const& x, std::size_t s) const {
  std::size_t const at = per_site * s;
  double const streams = x[at + capacity_at] - x[at + stream_at];
  CapacityPrior const& capacity = capacities_[s];
  if (streams < capacity.log_low || streams > capacity.log_high) return -HUGE_VAL;
  if (x[at + sigma_at] < log_smallest || x[at + sigma_at] > log_largest_sigma) return -HUGE_VAL;
  return -std::log(capacity.width()) +
         log_normal_term(x[at + stream_at], x[shared(stream_centre)], x[shared(stream_spread)]) +
         log_normal_term(x[at + latency_at], x[shared(latency_centre)], x[shared(latency_spread)]) +
         log_normal_term(x[at + sigma_at], x[shared(sigma_centre)], x[shared(sigma_spread)]);
}

void FlowDensity::mark(std::vector<std::vector<FlowTry>>& tries) const {
  for (std::size_t s = 0; s < sites(); ++s) {
    for (FlowTry& one : tries[s]) one.in_evidence = false;
    for (CountedTry const& one : sites_[s]) {
      for (std::size_t const place : one.places) tries[s][place].in_evidence = true;
    }
  }
}

void FlowDensity::redraw_common(std::vector<double>& x, RandomStream& stream) const {
  for (auto const& [what, centre, spread, prior] :
       {std::tuple(stream_at, stream_centre, stream_spread, stream_prior),
        std::tuple(latency_at, latency_centre, latency_spread, latency_prior)}) {
    CommonDraw const drawn = draw_common(of_sites(x, what), prior, stream);
    x[shared(centre)] = drawn.centre;
    x[shared(spread)] = drawn.log_spread;
  }
}

double FlowDensity::log_failed(FlowLaw const& law, double share, std::size_t s) const {
  double sum = 0;
  for (CountedTry const& one : sites_[s]) {
    if (one.flow.end_kind != TransferEnd::failed) continue;
    sum += one.times * log_of_failed(one.flow, law, share);
  }
  return sum;
}

double FlowDensity::log_others(FlowLaw const& law, std::size_t s) const {
  double sum = 0;
  for (CountedTry const& one : sites_[s]) {
    if (one.flow.end_kind == TransferEnd::failed) continue;
    sum += one.times * log_factor(one.flow, law, view_);
  }
  return sum;
}

double FlowDensity::along_ridge(std::vector<double> const& x) const {
  double sum = log_integrated(of_sites(x, stream_at), stream_prior) +
               log_integrated(of_sites(x, latency_at), latency_prior);
  for (std::size_t s = 0; s < sites(); ++s) {
    sum += likelihood(flow_law_of(x, per_site * s), x[shared(share_at)], s);
  }
  return sum;
}

double FlowDensity::shared_prior(std::vector<double> const& x) const {
  double const share = x[shared(share_at)];
  if (share <= 0 || share >= 1) return -HUGE_VAL;
  double sum = std::log(share) + std::log1p(-share);  // Beta(2, 2)
  for (auto const& [centre, spread, prior] :
       {std::tuple(stream_centre, stream_spread, stream_prior),
        std::tuple(latency_centre, latency_spread, latency_prior),
        std::tuple(sigma_centre, sigma_spread, sigma_prior)}) {
    double const log_spread = x[shared(spread)];
    if (log_spread < log_smallest) return -HUGE_VAL;
    sum += log_spread - square(std::exp(log_spread) / prior.spread) / 2 -
           square((x[shared(centre)] - prior.mean) / prior.sd) / 2;
  }
  return sum;
}

}  // namespace gridcast::calibration
