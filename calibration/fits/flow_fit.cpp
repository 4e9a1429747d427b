#include "calibration/fits/flow_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "calibration/fits/flow_density.hpp"
#include "calibration/inference/evidence.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/inference/slice_sampler.hpp"
#include "calibration/inference/special_functions.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

// A site's usual URL, among those without a known time of the first byte. It takes latency + b / S,
// or latency + b flows / C where the link has less than S for each. The time is the same for all
// other shares of the two: with t added to the logit p of the latency's,
//   ln S rises by softplus(p + t) - softplus(p), ln C as much, ln latency by t less that
// This changes no volume: (ln time, p) is to (ln latency, ln S) as 1 to 1, with C / S
// unchanged.
struct UsualUrl {
  double log_bytes = 0, log_flows = 0;

  double log_bytes_alone(double log_streams) const {
    return log_bytes + std::max(0.0, log_flows - log_streams);
  }
  double logit(std::vector<double> const& x, std::size_t first) const {
    double const stream = x[first + stream_at];
    return x[first + latency_at] + stream - log_bytes_alone(x[first + capacity_at] - stream);
  }
  /// The increase of ln S.
  double rise(std::vector<double> const& x, std::size_t first, double by) const {
    double const share = logit(x, first);
    return softplus(share + by) - softplus(share);
  }
  /// A site's ln time, logit and ln(C / S) in the places of S, latency and C: in these, points that
  /// explain the record about as well lie on a straight line.
  std::vector<double> straight(std::vector<double> x) const {
    double const share = logit(x, 0);
    x[capacity_at] -= x[stream_at];
    x[stream_at] = x[latency_at] + softplus(-share);
    x[latency_at] = share;
    return x;
  }
  std::vector<double> bent(std::vector<double> x) const {
    double const share = x[latency_at], log_time = x[stream_at];
    x[latency_at] = log_time - softplus(-share);
    x[stream_at] = log_bytes_alone(x[capacity_at]) - log_time + softplus(share);
    x[capacity_at] += x[stream_at];
    return x;
  }
};
/// Rough results of the arrived ones alone: bytes a second, and seconds where sizes are unknown.
struct Rough {
  double rate = 0, seconds = 0;
  double most_flows = 1;
  std::optional<UsualUrl> url;
  bool arrived = false;
};

std::optional<UsualUrl> usual_url(std::vector<FlowTry> const& tries) {
  double log_bytes = 0, n = 0, seconds = 0, flows = 0;
  for (FlowTry const& one : tries) {
    bool const usable = one.end_kind == TransferEnd::arrived && one.bytes > 0;
    if (!usable || one.first_byte) continue;
    log_bytes += std::log(one.bytes / one.urls);
    n += 1;
    for (FlowPiece const& piece : one.pieces) {
      seconds += piece.seconds;
      flows += piece.seconds * piece.flows;
    }
  }
  if (n == 0) return std::nullopt;
  return UsualUrl{log_bytes / n, seconds > 0 ? std::log(flows / seconds) : 0};
}

Rough rough(std::vector<FlowTry> const& tries) {
  Rough result;
  result.url = usual_url(tries);
  double rates = 0, times = 0, n = 0, m = 0;
  for (FlowTry const& one : tries) {
    for (FlowPiece const& piece : one.pieces) {
      result.most_flows = std::max(result.most_flows, piece.flows);
    }
    if (one.end_kind != TransferEnd::arrived || one.seconds <= 0) continue;
    double const seconds = std::max(one.seconds, 0.3 * one.tick);
    result.arrived = true;
    times += std::log(seconds / one.urls);
    m += 1;
    if (one.bytes <= 0) continue;
    rates += std::log(one.bytes / seconds);
    n += 1;
  }
  result.rate = n > 0 ? std::exp(rates / n) : 0;
  result.seconds = m > 0 ? std::exp(times / m) : 0;
  return result;
}

/// As if the cut ones had been healthy, and half as long again as they lasted.
Rough rough_if_healthy(std::vector<FlowTry> tries) {
  for (FlowTry& one : tries) {
    if (one.end_kind != TransferEnd::by_timer && one.end_kind != TransferEnd::cut) continue;
    one.end_kind = TransferEnd::arrived;
    one.seconds *= 1.5;
  }
  return rough(tries);
}

/// The first explanation of times.
enum class Mostly { bytes, latency };

std::vector<double> start_of(FlowDensity const& density, std::vector<Rough> const& roughs,
                             Mostly what) {
  std::vector<double> x(per_site * density.sites() + shared_count, 0.0);
  double rate = 0, seconds = 0, n = 0, m = 0;
  for (Rough const& one : roughs) {
    if (one.rate > 0) rate += std::log(one.rate), n += 1;
    if (one.seconds > 0) seconds += std::log(one.seconds), m += 1;
  }
  double const usual_time = m > 0 ? seconds / m : 0;
  // The other part of a time is a seventh of it then.
  double const faster = what == Mostly::latency ? 2 : 0;
  double const shorter = n > 0 && what == Mostly::bytes ? 2 : 0;
  double const usual_rate = n > 0 ? rate / n + faster : usual_log_stream;
  for (std::size_t s = 0; s < density.sites(); ++s) {
    double const own = roughs[s].seconds > 0 ? std::log(roughs[s].seconds) : usual_time;
    x[per_site * s + stream_at] =
        roughs[s].rate > 0 ? std::log(roughs[s].rate) + faster : usual_rate;
    x[per_site * s + latency_at] = own - shorter;
    x[per_site * s + sigma_at] = -0.7;
    x[per_site * s + capacity_at] = x[per_site * s + stream_at] + std::log(roughs[s].most_flows);
  }
  x[density.shared(stream_centre)] = usual_rate;
  x[density.shared(latency_centre)] = usual_time - shorter;
  x[density.shared(sigma_centre)] = -0.7;
  x[density.shared(stream_spread)] = x[density.shared(latency_spread)] = -0.7;
  x[density.shared(sigma_spread)] = -1;
  x[density.shared(share_at)] = 0.5;
  return x;
}

void move_split(std::vector<double>& x, std::size_t first, double by, double rise) {
  x[first + stream_at] += rise;
  x[first + capacity_at] += rise;
  x[first + latency_at] += by - rise;
}

/// Moves all sites at once except those that separate the two; sites without evidence move as the
/// others on average.
std::vector<double> all_along(std::vector<Rough> const& sites, std::vector<double> x, double by) {
  std::vector<double> rises;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    if (!sites[s].url) continue;
    rises.push_back(sites[s].url->rise(x, per_site * s, by));
    move_split(x, per_site * s, by, rises.back());
  }
  for (std::size_t s = 0; s < sites.size(); ++s) {
    if (!sites[s].arrived) move_split(x, per_site * s, by, mean(rises));
  }
  return x;
}

// If sizes hardly differ, time before the first byte and time with bytes are hard to separate: the
// latencies of all sites are near zero, or no stream limit is in reach at any, or anything between.
// No site gets from one end to the other alone, as the others hold it back, and none by one of the
// two alone.
void move_ridges(SliceSampler& sampler, FlowDensity const& density,
                 std::vector<Rough> const& sites) {
  constexpr double width = 2, all_width = 12;  // from nearly all latency to nearly none
  std::vector<std::size_t> streams = {density.shared(stream_centre)};
  std::vector<std::size_t> latencies = {density.shared(latency_centre)};
  bool any_joint = false, any_apart = false;
  for (std::size_t s = 0; s < density.sites(); ++s) {
    std::size_t const first = per_site * s;
    sampler.move_together({first + stream_at, first + capacity_at}, first + stream_at);
    streams.push_back(first + stream_at);
    streams.push_back(first + capacity_at);
    latencies.push_back(first + latency_at);
    any_apart = any_apart || (sites[s].arrived && !sites[s].url);
    if (!sites[s].url) continue;
    any_joint = true;
    sampler.move_along(
        [url = *sites[s].url, first](std::vector<double> x, double by) {
          move_split(x, first, by, url.rise(x, first, by));
          return x;
        },
        width, first + stream_at);
  }
  if (any_joint) {
    sampler.move_along(
        [&](std::vector<double> x, double by) { return all_along(sites, std::move(x), by); },
        all_width, density.ridge(),
        [&](std::vector<double>& x, RandomStream& stream) { density.redraw_common(x, stream); });
  }
  if (any_joint && !any_apart) return;
  sampler.move_together(streams);
  sampler.move_together(latencies);
}

double median_of(std::vector<std::vector<double>> const& draws, std::size_t at) {
  std::vector<double> const values = each_of(draws, [&](auto const& row) { return row[at]; });
  return median(values);
}

/// Common values of sites: centres and spreads.
struct FlowPooling {
  double stream = 0, stream_spread = 1, latency = 0, latency_spread = 1, sigma = -0.7,
         sigma_spread = 0.5;
};

FlowPooling pooling_of(std::vector<std::vector<double>> const& draws, FlowDensity const& density) {
  auto const of = [&](Shared what) { return median_of(draws, density.shared(what)); };
  return {of(stream_centre),  std::exp(of(stream_spread)),
          of(latency_centre), std::exp(of(latency_spread)),
          of(sigma_centre),   std::exp(of(sigma_spread))};
}

std::vector<double> better_start(FlowDensity const& density, std::vector<Rough> const& roughs) {
  auto bytes = start_of(density, roughs, Mostly::bytes);
  auto latency = start_of(density, roughs, Mostly::latency);
  constexpr auto all = SliceSampler::several;
  return density(latency, all) > density(bytes, all) ? latency : bytes;
}

SliceSampler sampler_at(std::vector<double> start, FlowDensity const& density,
                        std::vector<Rough> const& roughs, RandomStream stream) {
  std::vector<double> widths(start.size(), 0.4);
  widths[density.shared(share_at)] = 0.3;
  SliceSampler sampler([&](auto const& x, std::size_t changed) { return density(x, changed); },
                       std::move(start), widths, stream);
  move_ridges(sampler, density, roughs);
  return sampler;
}

/// About ln of a site's part of the evidence near where a sampler is: ln of the density at its
/// draws, and of the volume that they take.
std::vector<double> local_evidences(SliceSampler& sampler, FlowDensity const& density) {
  constexpr std::size_t settled = 60, count = 30;
  sampler.sweep(settled);
  std::vector<double> result(density.sites(), 0.0);
  std::vector<std::vector<double>> draws(per_site * density.sites());
  for (std::size_t i = 0; i < count; ++i) {
    sampler.sweep();
    auto const& x = sampler.at();
    for (std::size_t s = 0; s < density.sites(); ++s) {
      FlowLaw const law = flow_law_of(x, per_site * s);
      result[s] +=
          (density.site_prior(x, s) + density.likelihood(law, x[density.shared(share_at)], s)) /
          count;
    }
    for (std::size_t k = 0; k < draws.size(); ++k) draws[k].push_back(x[k]);
  }
  for (std::size_t k = 0; k < draws.size(); ++k) {
    result[k / per_site] += std::log(std::max(standard_deviation(draws[k]), 1e-3));
  }
  return result;
}

/// One way to explain the cut tries, with the link's load that goes with it, and where its chain
/// begins.
struct Explanation {
  FlowDensity density;
  std::vector<double> start;
};

/// The start of all sites, and those whose cut tries are healthy there.
struct LikelierStart {
  std::vector<double> x;
  std::vector<bool> healthy;  // by site
};

// A site's cut tries were broken, or healthy and slow as its links are narrow or its tries differ
// much. Between the two no sampler gets by steps, and where many were cut, one may be e^50 times as
// likely as the other. So both are tried, and each site starts where it is likelier.
LikelierStart likelier_of(Explanation const& broken, Explanation const& healthy,
                          std::vector<Rough> const& roughs, RandomStream stream) {
  LikelierStart likelier{broken.start, std::vector<bool>(roughs.size(), false)};
  if (broken.start == healthy.start) return likelier;
  SliceSampler one = sampler_at(broken.start, broken.density, roughs, stream);
  SliceSampler other = sampler_at(healthy.start, healthy.density, roughs, stream);
  auto const of_one = local_evidences(one, broken.density),
             of_other = local_evidences(other, healthy.density);
  likelier.x = one.at();
  for (std::size_t s = 0; s < roughs.size(); ++s) {
    likelier.healthy[s] = of_one[s] < of_other[s];
    if (!likelier.healthy[s]) continue;
    auto const first = static_cast<std::ptrdiff_t>(per_site * s);
    std::copy_n(other.at().begin() + first, per_site, likelier.x.begin() + first);
  }
  return likelier;
}

/// How likely a try that ended without its bytes flowed, and was not done by then.
double flowed(FlowTry const& one, FlowLaw const& law, CutView view) {
  double const broken = broken_before(view, one.end_kind);
  double const healthy = (1 - broken) * std::exp(one.log_longer(law));
  return healthy / (broken + healthy);
}

// Where nothing slow is assumed, a cut try loaded its link if it was healthy. To assume that all
// loaded it, or none, is worth tens of nats at a site where half of them did, for or against a
// view, for each cause of stalls. Therefore each try loads it with the probability that it flowed,
// with the links of the likelier explanation at its site: all broken, or healthy with few
// exceptions.
void set_loads(TransferRecords& records, LikelierStart const& found, CutView view,
               std::vector<std::vector<FlowTry>> const& broken,
               std::vector<std::vector<FlowTry>> const& healthy) {
  std::vector<std::size_t> next(found.healthy.size(), 0);
  for (TransferTry& one : records.tries) {
    std::size_t const s = one.site.index(), place = next[s]++;
    if (!history::is_one_of(one.end_kind, {TransferEnd::by_timer, TransferEnd::cut})) continue;
    FlowLaw const law = flow_law_of(found.x, per_site * s);
    one.load = found.healthy[s] ? flowed(healthy[s][place], law, CutView::healthy)
                                : flowed(broken[s][place], law, view);
  }
}

struct Evidence {
  double log = 0, variance = 0;
};

// Given their common values, sites are independent.
Evidence evidence_given(FlowPooling const& pooling, FlowDensity const& density,
                        std::vector<Rough> const& sites,
                        std::vector<std::vector<double>> const& draws, RandomStream& stream) {
  constexpr std::size_t points = 600;
  Evidence found;
  std::vector<double> x = draws.front();
  x[density.shared(stream_centre)] = pooling.stream;
  x[density.shared(stream_spread)] = std::log(pooling.stream_spread);
  x[density.shared(latency_centre)] = pooling.latency;
  x[density.shared(latency_spread)] = std::log(pooling.latency_spread);
  x[density.shared(sigma_centre)] = pooling.sigma;
  x[density.shared(sigma_spread)] = std::log(pooling.sigma_spread);
  double const share = median_of(draws, density.shared(share_at));
  for (std::size_t s = 0; s < density.sites(); ++s) {
    ImportanceProposal proposal;
    proposal.center.assign(per_site, 0.0);
    for (auto const& row : draws) {
      auto const at = row.begin() + static_cast<std::ptrdiff_t>(per_site * s);
      std::vector<double> const own(at, at + per_site);
      proposal.draws.push_back(sites[s].url ? sites[s].url->straight(own) : own);
      for (std::size_t k = 0; k < per_site; ++k) {
        proposal.center[k] += proposal.draws.back()[k] / static_cast<double>(draws.size());
      }
    }
    auto const target = [&](std::vector<double> const& sampled) {
      std::vector<double> const at = sites[s].url ? sites[s].url->bent(sampled) : sampled;
      std::ranges::copy(at, x.begin() + static_cast<std::ptrdiff_t>(per_site * s));
      double const prior = density.site_prior(x, s);
      if (!std::isfinite(prior)) return prior;
      return prior - 1.5 * std::log(2 * M_PI) + density.likelihood(flow_law_of(at, 0), share, s);
    };
    ImportanceDraws const site = importance_sample(target, proposal, points, stream);
    found.log += site.log_evidence;
    found.variance += 1 / site.effective;
  }
  return found;
}

/// For one coordinate of all sites: ln of the density of its values given their centre and spread,
/// over that with both integrated out.
double log_pooled(std::vector<double> const& values, double centre, double spread,
                  CommonPrior const& prior) {
  double given = 0;
  for (double const each : values) given += log_normal_term(each, centre, std::log(spread));
  return given - static_cast<double>(values.size()) * std::log(2 * M_PI) / 2 -
         log_integrated(values, prior);
}

// With the common values of sites integrated out, by the identity
//   P(record) = P(record | common) / mean over the posterior's draws of p(sites | common) /
//   p(sites)
// at any value of it, here the medians (Chib 1995, JASA 90): as each view has others, an evidence
// that is given those of one view would be against the rest.
Evidence evidence(FlowDensity const& density, std::vector<Rough> const& sites,
                  std::vector<std::vector<double>> const& draws, RandomStream& stream) {
  FlowPooling const pooling = pooling_of(draws, density);
  Evidence found = evidence_given(pooling, density, sites, draws, stream);
  std::vector<double> ratios;
  for (auto const& row : draws) {
    auto const values = [&](SiteCoordinate what) { return density.of_sites(row, what); };
    ratios.push_back(
        log_pooled(values(stream_at), pooling.stream, pooling.stream_spread, stream_prior) +
        log_pooled(values(latency_at), pooling.latency, pooling.latency_spread, latency_prior) +
        log_pooled(values(sigma_at), pooling.sigma, pooling.sigma_spread, sigma_prior));
  }
  found.log -= log_mean_exp(ratios);
  found.variance += variance_by_batches(ratios);
  return found;
}

std::vector<CapacityPrior> capacity_priors(std::vector<Rough> const& roughs) {
  return each_of(roughs, [](Rough const& site) {
    return CapacityPrior{-std::log(20.0), std::log(4 * site.most_flows)};
  });
}

}  // namespace

FlowPosterior flow_posterior(TransferRecords const& records, std::size_t sites, CutView view,
                             std::size_t draws, RandomStream stream) {
  FlowPosterior posterior;
  posterior.view = view;
  auto const loading = flow_tries(records, sites, 1);
  bool const loads_known = view == CutView::slow;
  auto const not_loading = loads_known ? loading : flow_tries(records, sites, 0);
  std::vector<Rough> roughs, healthy;
  std::ranges::transform(not_loading, std::back_inserter(roughs), rough);
  std::ranges::transform(loading, std::back_inserter(healthy), rough_if_healthy);
  // The prior of a capacity must not depend on the assumption about cut tries: those seen together
  // are all that ran.
  for (std::size_t s = 0; s < sites; ++s) {
    roughs[s].most_flows = healthy[s].most_flows = rough(loading[s]).most_flows;
  }
  posterior.capacities = capacity_priors(roughs);
  Explanation broken{FlowDensity(not_loading, view, posterior.capacities), {}},
      unbroken{FlowDensity(loading, view, posterior.capacities), {}};
  broken.start = better_start(broken.density, roughs);
  unbroken.start = better_start(unbroken.density, healthy);
  auto const likelier = likelier_of(broken, unbroken, roughs, stream);
  TransferRecords loaded = records;
  if (!loads_known) set_loads(loaded, likelier, view, not_loading, loading);
  posterior.tries = flow_tries(loaded, sites, 1);
  FlowDensity const density(posterior.tries, view, posterior.capacities);
  density.mark(posterior.tries);
  SliceSampler sampler = sampler_at(likelier.x, density, roughs, stream);
  auto const rows = sampler.draws(draws, 4);
  for (auto const& row : rows) {
    std::vector<FlowLaw> laws;
    for (std::size_t s = 0; s < sites; ++s) laws.push_back(flow_law_of(row, per_site * s));
    posterior.draws.push_back(std::move(laws));
    posterior.failed_after.push_back(row[density.shared(share_at)]);
  }
  Evidence const found = evidence(density, roughs, rows, stream);
  posterior.log_evidence = found.log;
  posterior.evidence_variance = found.variance;
  return posterior;
}

}  // namespace gridcast::calibration
