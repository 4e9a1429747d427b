#include "calibration/fits/stop_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <fmt/format.h>

#include "calibration/fits/crash_fit.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

constexpr double same_moment = 0.25;    // of ln t: within a factor of 1.28
constexpr double least_sigma = 0.01;    // stamps, and how often a starter looks
constexpr double enough_of_them = 0.6;  // of a site's stops, to call it a moment
constexpr double most_of_risk = 0.99;   // that an execution had behind it which others ended
constexpr double least_stops = 1e-3;    // of jobs that are not stopped each time, for a hazard

using Executions = std::vector<AttemptRecord const*>;

double executed(AttemptRecord const& attempt) {
  return std::max(1.0, (attempt.exit.value_or(attempt.end) - *attempt.executing).value());
}

bool near(AttemptRecord const& attempt, double moment) {
  return std::abs(std::log(executed(attempt) / moment)) < same_moment;
}

StopLaw law_of_stops(Executions const& stops) {
  StopLaw law;
  if (stops.empty()) return law;
  std::vector<double> times, logs;
  for (AttemptRecord const* const stop : stops) times.push_back(executed(*stop));
  double const middle = median(times);
  auto const hits =
      std::ranges::count_if(stops, [&](AttemptRecord const* stop) { return near(*stop, middle); });
  double const all = static_cast<double>(stops.size());
  law.common = hits >= 2 && static_cast<double>(hits) >= enough_of_them * all;
  for (AttemptRecord const* const stop : stops) {
    if (!law.common || near(*stop, middle)) logs.push_back(std::log(executed(*stop)));
  }
  law.moment = std::exp(median(logs));
  law.sigma = std::max(least_sigma, logs.size() > 1 ? std::sqrt(variance(logs)) : 0);
  return law;
}

BadJobsKind stopped_jobs() {
  return {.column = "stop_of_job",
          .others = {"stop.", "stop_per_s."},
          .beforehand = 0.5,
          .share_of = "jobs that a limit of the slot stops whenever they run so long",
          .failed = "were stopped",
          .again = "ran so long again",
          .none_again = "no job that a limit stopped ran so long again"};
}

/// Executions and stops by site, and the jobs that are stopped each time.
class Stops {
 public:
  Stops(AttemptRecords const& records, StopLaws laws);

  struct Counts {
    Executions at_moment = {}, at_any = {};
    // Jobs that are not stopped each time:
    double hits = 0, trials = 0;  // at the moment; of those that met it or lived past it
    double any = 0, time = 0;
  };
  Counts counts(std::size_t site) const {
    Counts counts;
    StopLaw const& law = laws_.sites[site];
    for (AttemptRecord const* const attempt : executions_[site]) {
      double const weight = 1 - jobs_.is_bad(attempt->job.index());
      counts.time += weight * executed(*attempt);
      if (!stopped_by_slot(*attempt)) {
        bool const lived = executed(*attempt) > law.moment * std::exp(same_moment);
        counts.trials += law.common && lived ? weight : 0;
      } else if (law.common && near(*attempt, law.moment)) {
        counts.at_moment.push_back(attempt);
        counts.hits += weight;
        counts.trials += weight;
      } else {
        counts.at_any.push_back(attempt);
        counts.any += weight;
      }
    }
    return counts;
  }

  bool none() const { return all_.empty(); }
  bool none_at(std::size_t site) const { return stops_[site].empty(); }
  StopLaw const& law(std::size_t site) const { return laws_.at(site); }
  std::size_t number() const { return all_.size(); }
  BadJobs const& jobs() const { return jobs_; }

 private:
  std::vector<JobTrial> trials() const {
    std::map<std::size_t, double> own;
    for (AttemptRecord const* const stop : all_) {
      double const x = from_moment(*stop);
      auto const [found, is_new] = own.emplace(stop->job.index(), x);
      if (!is_new) found->second = std::min(found->second, x);
    }
    std::vector<JobTrial> trials;
    for (AttemptRecord const* const attempt : in_order_) {
      JobTrial trial{.job = attempt->job.index(), .site = attempt->site.index()};
      if (attempt->slot_known) trial.slot = attempt->slot;
      trial.failed = stopped_by_slot(*attempt);
      auto const found = own.find(trial.job);
      if (!trial.failed) {
        trial.share = share_of_risk(
            *attempt, found == own.end() ? std::nullopt : std::optional(found->second));
      }
      trials.push_back(trial);
    }
    return trials;
  }

  /// The share of the risk of a stop that was behind an execution without one; `own`: ln of the
  /// earliest stop of its job over its site's moment.
  double share_of_risk(AttemptRecord const& attempt, std::optional<double> own) const {
    StopLaw const& law = this->law(attempt.site.index());
    double const x = from_moment(attempt) - own.value_or(0);
    if (law.common || own) return x > same_moment ? 1 : x < -same_moment ? 0 : 0.5;
    if (attempt.exit && !crashed(attempt)) return 1;
    return std::min(normal_cdf(x / law.sigma), most_of_risk);
  }

  double from_moment(AttemptRecord const& attempt) const {
    return std::log(executed(attempt) / law(attempt.site.index()).moment);
  }

  std::vector<Executions> executions_, stops_;
  Executions in_order_, all_;
  StopLaws laws_;
  BadJobs jobs_;
};

bool is_counted(AttemptRecord const& attempt) { return attempt.executing && attempt.site.valid(); }

Stops::Stops(AttemptRecords const& records, StopLaws laws)
    : executions_(laws.sites.size()),
      stops_(laws.sites.size()),
      laws_(std::move(laws)),
      jobs_({}, laws_.sites.size()) {
  for (AttemptRecord const& attempt : records.attempts) {
    if (!is_counted(attempt)) continue;
    in_order_.push_back(&attempt);
    executions_[attempt.site.index()].push_back(&attempt);
    if (!stopped_by_slot(attempt)) continue;
    all_.push_back(&attempt);
    stops_[attempt.site.index()].push_back(&attempt);
  }
  // A record without stops has no moment of a limit.
  if (laws_.all.moment > 0) jobs_ = BadJobs(trials(), laws_.sites.size(), stopped_jobs());
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

std::string but_for_jobs(double number, double of_them) {
  return fmt::format("{:.1f} of the {:.0f} stops are left to stop_of_job", number - of_them,
                     number);
}

void add_share(Fit& fit, std::string const& site, Stops::Counts const& counts, std::size_t draws,
               RandomStream const& stream) {
  Estimate line =
      site_line("stop", site, "1",
                "executions that a limit of the slot stopped at much the same moment, of "
                "those that lived so long",
                counts.at_moment.size());
  line.censored = static_cast<std::size_t>(std::lround(counts.trials - counts.hits));
  line.fit = but_for_jobs(static_cast<double>(counts.at_moment.size()), counts.hits);
  add_posterior(fit, line, stratified_draws(stream, draws, [&](double u) {
                  return share_quantile(counts.hits, counts.trials, u);
                }));
}

void add_any(Fit& fit, std::string const& site, Stops::Counts const& counts, std::size_t draws,
             RandomStream const& stream) {
  Estimate line = site_line("stop_per_s", site, "1/s",
                            "executions that a limit of the slot stopped, in time executed",
                            counts.at_any.size());
  line.fit = but_for_jobs(static_cast<double>(counts.at_any.size()), counts.any);
  add_posterior(fit, line, stratified_draws(stream, draws, [&](double u) {
                  return boost::math::gamma_p_inv(counts.any, u) / std::max(1.0, counts.time);
                }));
}

/// Sites without a stop have these too: a job that is stopped each time is stopped there as well.
void add_moment(Fit& fit, std::string const& site, Stops const& stops, std::size_t s,
                std::size_t draws, RandomStreams const& streams) {
  std::size_t const own = stops.counts(s).at_moment.size();
  StopLaw const& law = stops.law(s);
  double const error = law.sigma / std::sqrt(static_cast<double>(own > 0 ? own : stops.number()));
  auto const values =
      stratified_draws(bootstrap_stream(streams, DrawsOf::stops, s, 1), draws,
                       [&](double u) { return law.moment * std::exp(normal_quantile(u) * error); });
  if (own > 0) {
    Estimate line = site_line("stop_after_s", site, "s", "median of that moment", own);
    line.fit = fmt::format("sd of its logarithm {:.3f}", law.sigma);
    add_posterior(fit, line, values);
  } else {
    fit.draws.add("stop_after_s." + site, values);
  }
  fit.draws.add("stop_sigma." + site, std::vector<double>(draws, law.sigma));
}

}  // namespace

StopLaws laws_of_stops(AttemptRecords const& records, std::size_t sites) {
  std::vector<Executions> stops(sites);
  Executions all;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!is_counted(attempt) || !stopped_by_slot(attempt)) continue;
    all.push_back(&attempt);
    stops[attempt.site.index()].push_back(&attempt);
  }
  StopLaws laws{{}, law_of_stops(all)};
  for (Executions const& of_site : stops) laws.sites.push_back(law_of_stops(of_site));
  return laws;
}

StopCounts count_stops(AttemptRecords const& part, StopLaws const& laws) {
  Stops const stops(part, laws);
  StopCounts sum;
  for (std::size_t s = 0; s < laws.sites.size(); ++s) {
    Stops::Counts const of_site = stops.counts(s);
    sum.at_moment.events += of_site.hits;
    sum.at_moment.exposure += of_site.trials;
    sum.at_any.events += of_site.any;
    sum.at_any.exposure += of_site.time;
  }
  sum.each_time = stops.jobs().count();
  return sum;
}

Fit stop_fit(std::vector<std::string> const& sites, AttemptRecords const& records,
             std::size_t draws, RandomStreams const& streams) {
  Fit fit;
  Stops const stops(records, laws_of_stops(records, sites.size()));
  if (stops.none()) return fit;
  std::string without;
  for (std::size_t s = 0; s < sites.size(); ++s) {
    auto const stream = [&](std::size_t of) {
      return bootstrap_stream(streams, DrawsOf::stops, s, of);
    };
    Stops::Counts const counts = stops.counts(s);
    if (stops.none_at(s)) without += (without.empty() ? "" : ", ") + sites[s];
    if (!counts.at_moment.empty()) add_share(fit, sites[s], counts, draws, stream(0));
    add_moment(fit, sites[s], stops, s, draws, streams);
    if (counts.any > least_stops) add_any(fit, sites[s], counts, draws, stream(2));
    fit.draws.add("stop_holds." + sites[s], stratified_draws(stream(3), draws, [&](double u) {
                    return share_held(records, u);
                  }));
  }
  stops.jobs().add_to(fit, sites, draws, streams);
  if (!without.empty()) {
    fit.not_identified.push_back({"limits of slots at " + without,
                                  "none stopped an execution there",
                                  "in the draws only those of jobs that are stopped each time"});
  }
  return fit;
}

}  // namespace gridcast::calibration
