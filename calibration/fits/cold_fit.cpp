#include "calibration/fits/cold_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "calibration/fits/flow_fit.hpp"
#include "calibration/inference/rounded_durations.hpp"
#include "calibration/inference/special_functions.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double least_log_bayes_factor = 2.944;  // 19 to 1
constexpr std::size_t link_draws = 40, most_fills = 200;
constexpr double usual_fill = 18.42, fill_sd = 3;  // of ln F: as of a site's streams (flow_fit.cpp)
constexpr double usual_fill_sigma = -0.7, fill_sigma_sd = 1;

/// First uses, by file and cache.
struct FirstUses {
  std::vector<std::size_t> first;  // tries whose file arrived first
  std::vector<bool> early;         // tries that began before the first had arrived
};

bool sized_arrival(TransferTry const& one) {
  return one.end_kind == TransferEnd::arrived && one.times_known && one.bytes > Bytes();
}

FirstUses first_uses(TransferRecords const& records) {
  using File = std::pair<std::uint32_t, std::uint32_t>;
  auto const file = [](TransferTry const& one) { return File(one.cache, *one.url); };
  std::map<File, Seconds> there;
  for (TransferTry const& one : records.tries) {
    if (!one.url || one.end_kind != TransferEnd::arrived) continue;
    auto const [known, fresh] = there.try_emplace(file(one), one.end);
    if (!fresh) known->second = std::min(known->second, one.end);
  }
  FirstUses uses;
  uses.early.assign(records.tries.size(), false);
  std::map<File, std::size_t> seen;
  for (std::size_t i = 0; i < records.tries.size(); ++i) {
    TransferTry const& one = records.tries[i];
    if (!one.url || !sized_arrival(one) || one.start >= there.at(file(one))) continue;
    uses.early[i] = true;
    if (seen.try_emplace(file(one), i).second) uses.first.push_back(i);
  }
  return uses;
}

double seconds_a_byte(TransferTry const& one) {
  double const flowing = (one.duration() - one.first_byte.value_or(Seconds())).value();
  return std::max(flowing, 1e-3) / one.bytes.value();
}

/// Seconds a byte of the later uses at a site.
struct LaterUses {
  std::size_t tries = 0;
  double median = 0, upper = 0;  // three of four take less
};

std::vector<LaterUses> later_uses(TransferRecords const& records, FirstUses const& uses,
                                  std::size_t sites) {
  std::vector<std::vector<double>> values(sites);
  for (std::size_t i = 0; i < records.tries.size(); ++i) {
    TransferTry const& one = records.tries[i];
    if (!sized_arrival(one) || uses.early[i]) continue;
    values[one.site.index()].push_back(seconds_a_byte(one));
  }
  std::vector<LaterUses> later;
  for (auto const& site : values) {
    LaterUses& uses_here = later.emplace_back();
    uses_here.tries = site.size();
    if (site.empty()) continue;
    uses_here.median = quantile(site, 0.5);
    uses_here.upper = quantile(site, 0.75);
  }
  return later;
}

// The integral is worth its time only where at least half of the first uses are slower than three
// of four later ones at their site.
bool look_slower(TransferRecords const& records, FirstUses const& uses,
                 std::vector<LaterUses> const& later) {
  std::size_t slower = 0, judged = 0;
  for (std::size_t const i : uses.first) {
    TransferTry const& one = records.tries[i];
    LaterUses const& others = later[one.site.index()];
    if (others.tries < 4) continue;
    ++judged;
    slower += seconds_a_byte(one) > others.upper ? 1 : 0;
  }
  return judged > 0 && 2 * slower >= judged;
}

/// A first use under one draw of the links.
struct Explained {
  double log_flow = 0;        // ln f_flow(T)
  double log_arrived_by = 0;  // ln P_flow(T), with the density of its first byte
};

struct Fill {
  double seconds = 0, bytes = 0, tick = 1;
  bool timed = false;
  std::vector<Explained> by_draw;

  double log_density(LogNormal const& time) const {
    if (!timed) return log_rounded(time, 0, seconds, tick);
    double const z = (std::log(seconds) - time.mu) / time.sigma;
    return -z * z / 2 - std::log(time.sigma * seconds * std::sqrt(2 * M_PI));
  }
  double log_before(LogNormal const& time) const {
    return log_normal_cdf((std::log(seconds) - time.mu) / time.sigma);
  }
};

std::vector<Fill> make_fills(TransferRecords const& records, FirstUses const& uses,
                             FlowPosterior const& posterior) {
  std::vector<std::size_t> place(records.tries.size());
  std::vector<std::size_t> counts(posterior.tries.size(), 0);
  for (std::size_t i = 0; i < place.size(); ++i) place[i] = counts[records.tries[i].site.index()]++;
  std::vector<Fill> fills;
  std::size_t const n = std::min(uses.first.size(), most_fills);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const i = uses.first[k * uses.first.size() / n];
    std::size_t const site = records.tries[i].site.index();
    FlowTry const& flow = posterior.tries[site][place[i]];
    Fill& fill = fills.emplace_back();
    double const waited = std::min(flow.first_byte.value_or(0), flow.seconds);
    fill.seconds = std::max(flow.seconds - waited, 0.3 * flow.tick);
    fill.bytes = flow.bytes;
    fill.tick = flow.tick;
    fill.timed = flow.timed;
    for (auto const& draw : posterior.draws) {
      FlowLaw const& law = draw[site];
      double const x = flow.stretch(law);
      fill.by_draw.push_back(
          {flow.log_arrived(law),
           flow.log_wait(law) + (x > 0 ? log_normal_cdf(flow.z(law, x)) : -HUGE_VAL)});
    }
  }
  return fills;
}

constexpr int fill_rates = 121;

/// A rate and a sigma, with ln of their share of prior times likelihood.
struct FillLaw {
  double log_rate = 0, sigma = 0, log_weight = 0;
};

std::vector<FillLaw> weigh_laws(std::vector<Fill> const& fills, std::size_t draws, double low,
                                double high) {
  constexpr int sigmas = 9;
  std::vector<FillLaw> laws;
  double const step = (high - low) / fill_rates;
  for (int r = 0; r < fill_rates; ++r) {
    for (int s = 0; s < sigmas; ++s) {
      double const log_rate = low + (r + 0.5) * step, z = (s - sigmas / 2) * 0.5;
      FillLaw law{log_rate, std::exp(usual_fill_sigma + fill_sigma_sd * z), 0};
      double const prior = -square((log_rate - usual_fill) / fill_sd) / 2 -
                           std::log(fill_sd * std::sqrt(2 * M_PI)) + std::log(step) - z * z / 2 +
                           std::log(0.5 / std::sqrt(2 * M_PI));
      std::vector<double> sums(draws, 0);
      for (Fill const& fill : fills) {
        LogNormal const time{std::log(fill.bytes) - log_rate, law.sigma};
        double const density = fill.log_density(time), before = fill.log_before(time);
        for (std::size_t d = 0; d < draws; ++d) {
          Explained const& own = fill.by_draw[d];
          sums[d] += log_sum_exp(own.log_flow + before, density + own.log_arrived_by);
        }
      }
      law.log_weight = prior + log_mean_exp(sums);
      laws.push_back(law);
    }
  }
  return laws;
}

/// Anywhere, and then where it is likely.
std::vector<FillLaw> likely_laws(std::vector<Fill> const& fills, std::size_t draws) {
  constexpr double negligible = 20;  // of ln weight
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (Fill const& fill : fills) {
    low = std::min(low, std::log(fill.bytes / fill.seconds) - 2);
    high = std::max(high, std::log(fill.bytes / fill.seconds) + 6);
  }
  auto const anywhere = weigh_laws(fills, draws, low, high);
  double most = -HUGE_VAL;
  for (FillLaw const& law : anywhere) most = std::max(most, law.log_weight);
  double from = high, to = low;
  for (FillLaw const& law : anywhere) {
    if (law.log_weight < most - negligible) continue;
    from = std::min(from, law.log_rate);
    to = std::max(to, law.log_rate);
  }
  double const step = (high - low) / fill_rates;
  return weigh_laws(fills, draws, from - step, to + step);
}

double log_without(std::vector<Fill> const& fills, std::size_t draws) {
  std::vector<double> sums(draws, 0);
  for (Fill const& fill : fills) {
    for (std::size_t d = 0; d < draws; ++d) sums[d] += fill.by_draw[d].log_flow;
  }
  return log_mean_exp(sums);
}

void set_rate(ColdFills& found, std::vector<FillLaw> laws) {
  to_probabilities(laws, &FillLaw::log_weight);
  double below = 0, sigma = 0;
  bool low = false, middle = false;
  found.interval90.high = std::exp(laws.back().log_rate);
  for (FillLaw const& law : laws) {
    below += law.log_weight;
    sigma += law.log_weight * law.sigma;
    if (!low && below >= 0.05) found.interval90.low = std::exp(law.log_rate), low = true;
    if (!middle && below >= 0.5) found.rate = std::exp(law.log_rate), middle = true;
    if (below >= 0.95) {
      found.interval90.high = std::min(found.interval90.high, std::exp(law.log_rate));
    }
  }
  found.sigma = sigma;
}

}  // namespace

std::optional<ColdFills> cold_fills(TransferRecords const& records, std::size_t sites,
                                    RandomStream stream) {
  FirstUses const uses = first_uses(records);
  auto const later = later_uses(records, uses, sites);
  if (!look_slower(records, uses, later)) return std::nullopt;
  ColdFills found;
  found.cold = uses.early;
  found.fills = uses.first.size();
  found.loads.assign(records.tries.size(), 1);
  for (std::size_t i = 0; i < records.tries.size(); ++i) {
    TransferTry const& one = records.tries[i];
    LaterUses const& others = later[one.site.index()];
    if (!uses.early[i]) continue;
    ++found.tries;
    // Its own flow is as the others', the rest of its time it waits.
    if (others.tries > 0) found.loads[i] = std::min(1.0, others.median / seconds_a_byte(one));
  }
  TransferRecords marked = records;
  mark_cold(marked, found);
  FlowPosterior const links = flow_posterior(marked, sites, CutView::healthy, link_draws, stream);
  auto const fills = make_fills(marked, uses, links);
  auto const laws = likely_laws(fills, link_draws);
  std::vector<double> logs;
  for (FillLaw const& law : laws) logs.push_back(law.log_weight);
  found.log_bayes_factor = log_mean_exp(logs) + std::log(static_cast<double>(logs.size())) -
                           log_without(fills, link_draws);
  if (!(found.log_bayes_factor > least_log_bayes_factor)) return std::nullopt;
  set_rate(found, laws);
  return found;
}

void mark_cold(TransferRecords& records, ColdFills const& found) {
  for (std::size_t i = 0; i < records.tries.size(); ++i) {
    if (!found.cold[i]) continue;
    records.tries[i].cold = true;
    records.tries[i].load = found.loads[i];
  }
}

Estimate cold_estimate(ColdFills const& found) {
  Estimate line{.name = fill_rate_name, .unit = "B/s"};
  line.estimate = found.rate;
  line.interval90 = found.interval90;
  line.events = found.fills;
  line.method = fmt::format(
      "reach of a cache's fetch of a file from the origin: the first use of each file at each "
      "cache waited for it ({} tries of {} fills), ln(Bayes factor) {:.1f} against none that did; "
      "in the pool's file, not in the draws",
      found.tries, found.fills, found.log_bayes_factor);
  return line;
}

}  // namespace gridcast::calibration
