#include "calibration/fits/site_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <fmt/format.h>

#include "calibration/fits/partial_pooling.hpp"
#include "calibration/records/waits.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

constexpr double same_moment = 0.25;    // of ln t: within a factor of 1.28
constexpr double least_sigma = 0.01;    // stamps, and how often a starter looks
constexpr double enough_of_them = 0.6;  // of a site's stops, to call it a moment

double executed(AttemptRecord const& attempt) {
  return std::max(1.0, (attempt.end - *attempt.executing).value());
}

struct SiteStops {
  std::vector<double> at_moment, at_any;  // seconds of execution
  double moment = 0, sigma = 0;
  std::size_t exposed = 0;  // were stopped at the moment, or lived past it
  double time = 0;          // executed, all
};

SiteStops stops_at(AttemptRecords const& records, std::size_t site) {
  SiteStops stops;
  std::vector<double> all;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || attempt.site.index() != site) continue;
    stops.time += executed(attempt);
    if (stopped_by_slot(attempt)) all.push_back(executed(attempt));
  }
  if (all.empty()) return stops;
  double const middle = median(all);
  for (double const t : all) {
    bool const near = std::abs(std::log(t / middle)) < same_moment;
    (near ? stops.at_moment : stops.at_any).push_back(t);
  }
  double const share =
      static_cast<double>(stops.at_moment.size()) / static_cast<double>(all.size());
  if (stops.at_moment.size() < 2 || share < enough_of_them) {
    stops.at_moment.clear();
    stops.at_any = all;
    return stops;
  }
  std::vector<double> logs;
  for (double const t : stops.at_moment) logs.push_back(std::log(t));
  stops.moment = std::exp(median(logs));
  stops.sigma = std::max(least_sigma, std::sqrt(variance(logs)));
  stops.exposed = stops.at_moment.size();
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || attempt.site.index() != site) continue;
    bool const lived = executed(attempt) > stops.moment * std::exp(same_moment);
    stops.exposed += lived ? 1 : 0;
  }
  return stops;
}

double share_quantile(double hits, double trials, double u) {
  return boost::math::ibeta_inv(hits + 0.5, trials - hits + 0.5, u);
}

double share_held(AttemptRecords const& records, double u) {
  double stops = 0;
  double held = 0;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!stopped_by_slot(attempt) || stopped_for_good(attempt)) continue;
    stops += 1;
    held += attempt.end_kind == history::EventKind::held ? 1 : 0;
  }
  return share_quantile(held, stops, u);
}

void add_moment(Fit& fit, std::string const& site, SiteStops const& stops, std::size_t draws,
                RandomStreams const& streams, std::size_t s) {
  auto const hits = static_cast<double>(stops.at_moment.size());
  auto const trials = static_cast<double>(stops.exposed);
  Estimate line =
      site_line("stop", site, "1",
                "executions that a limit of the slot stopped at much the same moment, of "
                "those that lived so long",
                stops.at_moment.size());
  line.censored = stops.exposed - stops.at_moment.size();
  add_posterior(fit, line,
                stratified_draws(bootstrap_stream(streams, DrawsOf::stops, s, 0), draws,
                                 [&](double u) { return share_quantile(hits, trials, u); }));
  line = site_line("stop_after_s", site, "s", "median of that moment", stops.at_moment.size());
  line.fit = fmt::format("sd of its logarithm {:.3f}", stops.sigma);
  add_posterior(
      fit, line,
      stratified_draws(bootstrap_stream(streams, DrawsOf::stops, s, 1), draws, [&](double u) {
        return stops.moment * std::exp(normal_quantile(u) * stops.sigma / std::sqrt(hits));
      }));
  fit.draws.add("stop_sigma." + site, std::vector<double>(draws, stops.sigma));
}

void add_any(Fit& fit, std::string const& site, SiteStops const& stops, std::size_t draws,
             RandomStreams const& streams, std::size_t s) {
  auto const number = static_cast<double>(stops.at_any.size());
  Estimate const line = site_line("stop_per_s", site, "1/s",
                                  "executions that a limit of the slot stopped, in time executed",
                                  stops.at_any.size());
  add_posterior(
      fit, line,
      stratified_draws(bootstrap_stream(streams, DrawsOf::stops, s, 2), draws, [&](double u) {
        return boost::math::gamma_p_inv(number, u) / std::max(1.0, stops.time);
      }));
}

}  // namespace

Fit stop_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
             std::size_t draws, RandomStreams const& streams) {
  Fit fit;
  std::string without;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    SiteStops const stops = stops_at(records, s);
    if (stops.at_moment.empty() && stops.at_any.empty()) {
      without += (without.empty() ? "" : ", ") + sites[s];
      continue;
    }
    if (!stops.at_moment.empty()) add_moment(fit, sites[s], stops, draws, streams, s);
    if (!stops.at_any.empty()) add_any(fit, sites[s], stops, draws, streams, s);
    fit.draws.add("stop_holds." + sites[s],
                  stratified_draws(bootstrap_stream(streams, DrawsOf::stops, s, 3), draws,
                                   [&](double u) { return share_held(records, u); }));
  }
  if (!fit.estimates.empty() && !without.empty()) {
    fit.not_identified.push_back(
        {"limits of slots at " + without, "none stopped an execution there", "none in the draws"});
  }
  return fit;
}

namespace {

constexpr Seconds day = days(1);
constexpr double enough_waiting = 0.5;  // of a day

enum class Seen { unknown, away, there };

/// Days that a span touches, the first of them and the one after the last; none before the record.
std::pair<std::size_t, std::size_t> days_of(std::pair<Seconds, Seconds> const& span,
                                            std::size_t number) {
  auto const first = static_cast<std::size_t>(std::max(0.0, std::floor(span.first / day)));
  auto const last = static_cast<std::size_t>(std::max(0.0, std::ceil(span.second / day)));
  return {std::min(first, number), std::min(std::max(last, first + 1), number)};
}

/// Share of each day that is within any of the spans.
std::vector<double> covered(std::vector<TimeSpan> const& spans, std::size_t number) {
  std::vector<double> shares(number);
  for (std::size_t d = 0; d < number; ++d) {
    Seconds const begin = day * static_cast<double>(d);
    shares[d] = time_within(spans, begin, begin + day) / day;
  }
  return shares;
}

PresenceCounts count_days(std::vector<Seen> const& seen) {
  PresenceCounts counts;
  for (std::size_t d = 0; d + 1 < seen.size(); ++d) {
    if (seen[d] == Seen::unknown || seen[d + 1] == Seen::unknown) continue;
    SiteCount& count = seen[d] == Seen::there ? counts.leaves : counts.returns;
    count.exposure += day.value();
    count.events += seen[d] != seen[d + 1] ? 1 : 0;
  }
  return counts;
}

/// Of each site, what each day of the record shows of it.
std::vector<std::vector<Seen>> seen_by_days(AttemptRecords const& records, std::size_t sites) {
  auto const number = static_cast<std::size_t>(std::max(1.0, std::ceil(records.end / day)));
  WaitsBySite const waits(records);
  std::vector<std::vector<Seen>> seen(sites);
  for (std::size_t s = 0; s < sites; ++s) {
    for (double const share : covered(waits.at(s), number)) {
      seen[s].push_back(share >= enough_waiting ? Seen::away : Seen::unknown);
    }
  }
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.site.valid()) continue;
    auto const [first, last] = days_of({attempt.start, attempt.slot_end()}, number);
    auto& of_site = seen[attempt.site.index()];
    for (std::size_t d = first; d < last; ++d) of_site[d] = Seen::there;
  }
  return seen;
}

}  // namespace

std::vector<PresenceCounts> count_presence(AttemptRecords const& records, std::size_t sites) {
  std::vector<PresenceCounts> counts;
  for (auto const& of_site : seen_by_days(records, sites)) counts.push_back(count_days(of_site));
  return counts;
}

DaysAway days_away(AttemptRecords const& records, std::size_t sites) {
  DaysAway away;
  for (auto const& of_site : seen_by_days(records, sites)) {
    auto& days = away.emplace_back();
    for (Seen const seen : of_site) days.push_back(seen == Seen::away);
  }
  return away;
}

bool away_between(DaysAway const& days, std::size_t site, Seconds from, Seconds to) {
  if (site >= days.size()) return false;
  auto const [first, last] = days_of({from, to}, days[site].size());
  bool away = false;
  for (std::size_t d = first; d < last; ++d) away = away || days[site][d];
  return away;
}

Fit presence_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
                 std::size_t draws, RandomStreams const& streams) {
  std::vector<SiteCount> leaves, returns;
  for (PresenceCounts const& site : count_presence(records, sites.size())) {
    leaves.push_back(site.leaves);
    returns.push_back(site.returns);
  }
  Fit fit;
  if (total_of(leaves).events == 0 || total_of(returns).exposure == 0) return fit;
  Unseen const unseen{static_cast<double>(records.attempts.size())};
  add_pooled(fit, PooledAs::rate, "away_per_s", "days after which a site had gone, in time there",
             sites, leaves, unseen, draws, bootstrap_stream(streams, "away_per_s"));
  add_pooled(fit, PooledAs::rate, "back_per_s", "days after which it was back, in time away", sites,
             returns, unseen, draws, bootstrap_stream(streams, "back_per_s"));
  return fit;
}

}  // namespace gridcast::calibration
