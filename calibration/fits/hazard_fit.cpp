#include "calibration/fits/hazard_fit.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/beta.hpp>
#include <fmt/format.h>

#include "calibration/fits/bad_job_fit.hpp"
#include "calibration/inference/censored_families.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/inference/special_functions.hpp"
#include "calibration/records/pilot_records.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double sd_of_logs = 1.5;
constexpr int steps = 34;         // of ln a and of ln b
constexpr double lowest = -3.5;   // ln 0.03
constexpr double highest = 9.25;  // ln 10,400
constexpr double least_done = 1e-5;
constexpr double least_left = 0.002;
constexpr std::size_t most_crashes = 1000;

/// A share that the crash may have had, with the logarithm of its weight.
struct Possible {
  double log_done = 0, log_left = 0, log_weight = 0;
};

/// At as many quantiles of z.
std::vector<Possible> possible_shares(CrashShare const& crash) {
  constexpr int quantiles = 21;
  // For one that lasted longer than any share of its work allows.
  constexpr double stranger = 1e-6;
  std::vector<Possible> found = {
      {std::log1p(-least_left), std::log(least_left), std::log(stranger)}};
  for (int i = 0; i < quantiles; ++i) {
    double const z = normal_quantile((i + 0.5) / quantiles);
    double const x = crash.share * std::exp(-crash.log_sd * z);
    if (x >= 1) continue;
    double const done = std::clamp(x, least_done, 1 - least_left);
    found.push_back({std::log(done), std::log1p(-done), std::log(1.0 / quantiles)});
  }
  return found;
}

/// For laws that are narrower than a step of the grid all terms can be too small without
/// logarithms.
double log_likelihood(std::vector<Possible> const& crash, double a, double b) {
  double most = -HUGE_VAL, sum = 0;
  auto const log_density = [&](Possible const& x) {
    return a * x.log_done + (b - 1) * x.log_left + x.log_weight;
  };
  for (Possible const& x : crash) most = std::max(most, log_density(x));
  for (Possible const& x : crash) sum += std::exp(log_density(x) - most);
  return most + std::log(sum) - log_beta(a, b);
}

constexpr std::size_t enough_claims = 5'000;

struct SiteCounts {
  explicit SiteCounts(std::size_t sites)
      : crash(sites),
        reconnect(sites),
        evict(sites),
        disconnect(sites),
        suspend(sites),
        death(sites),
        kill(sites),
        hang(sites),
        output(sites) {}

  std::vector<SiteCount> crash, reconnect, evict, disconnect, suspend, death, kill, hang, output;
  SiteCount files, evicted_for_good, lost_for_good, stopped_for_good;
};

/// The share of its crash risk that was behind an execution that something else ended. Its full
/// length is unknown; an execution that took c shows that it is longer than c. Expected length,
/// where c is beyond the typical time: for a lognormal T with the deviation s of ln T, z of them
/// beyond its median,
///   E[T | T > c] / c = exp(s^2 / 2 - z s) Phi(s - z) / Phi(-z)
/// which for s = 0.3 is 1.29, 1.18 and 1.13 at z = 0, 1 and 2: about 1.2, and the share at most
/// 5/6.
double share_of_risk(AttemptRecord const& attempt, AttemptRecords const& records,
                     TypicalTimes const& typical_times, CrashMomentPosterior const& moment) {
  if (attempt.exit || attempt.hung) return 1;
  return moment.risk_until(std::min(share_done(attempt, records, typical_times), 1 / 1.2));
}

// Found again each time, regardless of its later end.
bool contact_mended(AttemptRecord const& attempt) {
  return std::all_of(attempt.disconnections.begin(), attempt.disconnections.end(),
                     [](Disconnection const& each) { return each.back.has_value(); });
}

/// At last by its own shadow: one that was started anew, as the access point came back, gets the
/// files.
bool found_by_own_shadow(AttemptRecord const& attempt,
                         std::vector<AccessPointOutage> const& outages) {
  if (attempt.disconnections.empty()) return false;
  Disconnection const& last = attempt.disconnections.back();
  if (!last.back) return false;
  return std::none_of(outages.begin(), outages.end(), [&](AccessPointOutage const& outage) {
    return outage.at <= *last.back && last.at <= outage.back.value_or(outage.at);
  });
}

/// At no age of its own: ends of all at one age are fitted apart.
bool taken_at_any_age(AttemptRecord const& attempt) {
  return taken_from_slot(attempt) && !attempt.at_fixed_age;
}

/// The same of a pilot's ends.
double at_any_age(std::vector<Seconds> const& ends, PilotRecord const& pilot,
                  AttemptRecords const& records) {
  std::vector<Seconds> fixed;
  for (std::size_t const i : pilot.attempts) {
    if (records.attempts[i].at_fixed_age) fixed.push_back(records.attempts[i].slot_end());
  }
  return static_cast<double>(std::count_if(ends.begin(), ends.end(), [&](Seconds end) {
    return std::none_of(fixed.begin(), fixed.end(), [&](Seconds at) {
      return std::abs((at - end).value()) <= same_instant.value();
    });
  }));
}

BadJobs find_bad_jobs(AttemptRecords const& records, TypicalTimes const& typical_times,
                      CrashMomentPosterior const& moment, std::size_t sites) {
  std::vector<JobTrial> trials;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid()) continue;
    JobTrial trial{.job = attempt.job.index(), .site = attempt.site.index()};
    if (attempt.slot_known) trial.slot = attempt.slot;
    trial.failed = crashed(attempt);
    if (!trial.failed) trial.share = share_of_risk(attempt, records, typical_times, moment);
    if (trial.job < records.crash_odds.size()) trial.odds = records.crash_odds[trial.job];
    trials.push_back(trial);
  }
  return {trials, sites};
}

SiteCounts count_at_sites(AttemptRecords const& records, PilotRecords const& pilots,
                          TypicalTimes const& typical_times, CrashMomentPosterior const& moment,
                          BadJobs const& bad_jobs, std::size_t sites) {
  SiteCounts counts(sites);
  for (std::size_t i = 0; i < records.attempts.size(); ++i) {
    AttemptRecord const& attempt = records.attempts[i];
    if (!attempt.site.valid()) continue;
    std::size_t const s = attempt.site.index();
    // Half a tick: an attempt within one second lasted some part of it.
    double const claimed = std::max((attempt.slot_end() - attempt.start).value(), records.tick / 2);
    counts.evict[s].exposure += claimed;
    counts.evict[s].events += taken_at_any_age(attempt) ? 1 : 0;
    counts.evicted_for_good.exposure += taken_from_slot(attempt) ? 1 : 0;
    counts.evicted_for_good.events += attempt.ended_job && taken_from_slot(attempt) ? 1 : 0;
    bool const slot_lost = ended_without_contact(attempt) || shut_down(attempt);
    counts.lost_for_good.exposure += slot_lost ? 1 : 0;
    counts.lost_for_good.events += attempt.ended_job && slot_lost ? 1 : 0;
    counts.stopped_for_good.exposure += stopped_by_limit(attempt) ? 1 : 0;
    counts.stopped_for_good.events += stopped_for_good(attempt) ? 1 : 0;
    Seconds const connected = attempt.disconnections.empty()
                                  ? attempt.claimed()
                                  : attempt.disconnections.front().at - attempt.start;
    counts.disconnect[s].exposure += std::max(connected.value(), records.tick / 2);
    counts.disconnect[s].events += pilots.own_disconnections[i];
    if (pilots.own_disconnections[i] > 0 && attempt.end_kind) {
      counts.reconnect[s].exposure += 1;
      counts.reconnect[s].events += contact_mended(attempt) ? 1 : 0;
    }
    counts.suspend[s].exposure += std::max(claimed - attempt.suspended.value(), records.tick / 2);
    counts.suspend[s].events += static_cast<double>(attempt.suspensions_begun);
    if (!attempt.executing) continue;
    bool const crash = crashed(attempt);
    double const not_bad = 1 - bad_jobs.is_bad(attempt.job.index());
    double const share = crash ? 1 : share_of_risk(attempt, records, typical_times, moment);
    counts.crash[s].events += crash ? not_bad : 0;
    counts.crash[s].exposure += share * not_bad;
    // Those that neither ended by themselves nor went on for too long are no evidence on hangs.
    counts.hang[s].events += attempt.hung ? 1 : 0;
    counts.hang[s].exposure += attempt.hung || (attempt.exit && !crash) ? 1 : 0;
    bool const failed_output = attempt.end_kind == history::EventKind::held &&
                               attempt.reason == history::Reason::output_failed;
    counts.output[s].events += failed_output ? 1 : 0;
    counts.output[s].exposure += failed_output || (attempt.exit && !crash) ? 1 : 0;
    bool const no_file = lost_files(attempt);
    if ((no_file || attempt.exit) && found_by_own_shadow(attempt, pilots.access_point_outages)) {
      counts.files.events += no_file ? 1 : 0;
      counts.files.exposure += 1;
    }
  }
  for (PilotRecord const& pilot : pilots.pilots) {
    SiteCount& death = counts.death[pilot.site.index()];
    death.exposure += std::max(pilot.seen.value(), records.tick / 2);
    death.events += at_any_age(pilot.deaths, pilot, records);
    SiteCount& kill = counts.kill[pilot.site.index()];
    kill.exposure = death.exposure;
    kill.events += at_any_age(pilot.shut_down, pilot, records);
  }
  return counts;
}

// Each is one chance to die, for each number of its attempts. Names come back: a pilot that was
// shut down lived once a time.
double lives_of(PilotRecords const& pilots) {
  std::size_t lives = 0;
  for (PilotRecord const& pilot : pilots.pilots) {
    lives += std::max<std::size_t>(pilot.shut_down.size(), 1);
  }
  return static_cast<double>(lives);
}

// Are evictions exponential, all sites together? Times are relative to each site's mean. Of very
// many, an evenly chosen part shows a difference of a fiftieth, as the test draws and sorts them
// 199 times.
std::string eviction_fit(AttemptRecords const& records, SiteCounts const& counts,
                         RandomStreams const& streams) {
  Sample sample;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.site.valid()) continue;
    SiteCount const& site = counts.evict[attempt.site.index()];
    if (site.events < 3) continue;
    double const rate = site.events / site.exposure;
    sample.push_back(
        {std::max(attempt.claimed().value(), records.tick / 2) * rate, !taken_at_any_age(attempt)});
  }
  std::size_t const all = sample.size();
  if (all > enough_claims) {
    for (std::size_t i = 0; i < enough_claims; ++i) sample[i] = sample[i * all / enough_claims];
    sample.resize(enough_claims);
  }
  if (count_events(sample) < 5) return "";
  FittedFamily const fit = fit_family(sample, {Family::exponential, false});
  constexpr std::size_t resamples = 199;
  GoodnessOfFit const good = goodness_of_fit(sample, fit, resamples,
                                             bootstrap_stream(streams, DrawsOf::eviction_goodness));
  if (good.resamples < resamples) return "";  // too few events to be expected for a test
  std::string text =
      fmt::format("exponential: {} {:.3f}, p = {:.3f}",
                  good.anderson_darling ? "Anderson-Darling" : "distance to Kaplan-Meier",
                  good.statistic, good.p_value);
  if (all > enough_claims) text += fmt::format(", of {} of {} claims", enough_claims, all);
  return text;
}

// Replaces each share by its complement: the last columns, one a site.
void turn_round(Fit& fit, std::size_t sites) {
  for (std::vector<double>& row : fit.draws.rows) {
    for (std::size_t c = row.size() - sites; c < row.size(); ++c) row[c] = 1 - row[c];
  }
  for (std::size_t e = fit.estimates.size() - sites; e < fit.estimates.size(); ++e) {
    Estimate& line = fit.estimates[e];
    line.estimate = 1 - line.estimate;
    line.interval90 = {1 - line.interval90.high, 1 - line.interval90.low};
  }
}

// If every lost contact was mended, as most are, a job that stays lost is a kind of event never
// seen.
void add_reconnections(Fit& fit, std::vector<std::string> const& sites,
                       std::vector<SiteCount> const& trials, std::size_t draws,
                       RandomStream stream) {
  bool const all_mended = std::all_of(trials.begin(), trials.end(), [](SiteCount const& site) {
    return site.events == site.exposure;
  });
  if (all_mended) {
    std::vector<SiteCount> lost = trials;
    for (SiteCount& site : lost) site.events = 0;
    add_pooled(fit, PooledAs::share, "reconnect", "attempts that stayed lost / that lost contact",
               sites, lost, {total_of(trials).exposure}, draws, stream);
    turn_round(fit, sites.size());
  } else {
    add_pooled(fit, PooledAs::share, "reconnect", "attempts that went on / that lost contact",
               sites, trials, {total_of(trials).exposure}, draws, stream);
  }
  for (std::size_t s = 0; s < sites.size(); ++s) {
    fit.estimates[fit.estimates.size() - sites.size() + s].events =
        static_cast<std::size_t>(trials[s].exposure);
  }
}

// Time with at least one job claimed: an outage shows only then.
double time_with_jobs(AttemptRecords const& records) {
  std::vector<std::pair<double, double>> spans;
  for (AttemptRecord const& attempt : records.attempts) {
    spans.emplace_back(attempt.start.value(), attempt.slot_end().value());
  }
  std::sort(spans.begin(), spans.end());
  double time = 0, until = -HUGE_VAL;
  for (auto const& [start, end] : spans) {
    time += std::max(0.0, end - std::max(start, until));
    until = std::max(until, end);
  }
  return std::max(time, records.tick / 2);
}

// A matter of HTCondor's version at both ends, and not of a site: Beta(lost + 1/2, not lost + 1/2),
// and, where none was lost, as of other things never seen.
void add_files_lost(Fit& fit, SiteCount const& counts, std::size_t draws,
                    RandomStreams const& streams) {
  double const kept = counts.exposure - counts.events;
  double const none = counts.events > 0 ? 0 : 1 - Unseen{counts.exposure}.exists();
  auto const quantile = [&](double u) { return beta_quantile(u, counts.events + 0.5, kept + 0.5); };
  Estimate share{
      .name = "files_lost",
      .unit = "1",
      .events = static_cast<std::size_t>(counts.events),
      .method = fmt::format("executions without files / done and found again by their own shadow: "
                            "{} / {}; Beta",
                            counts.events, counts.exposure)};
  if (counts.events <= 0) {
    share.origin = Origin::by_default;
    fit.not_identified.push_back(
        {share.name, "never seen",
         fmt::format("{:.1f} % of the draws have it, with Jeffreys' posterior of no event; the "
                     "others have none",
                     100 * (1 - none))});
  }
  add_posterior(fit, share,
                stratified_draws(bootstrap_stream(streams, share.name), draws, [&](double u) {
                  return u <= none ? 0. : quantile((u - none) / (1 - none));
                }));
  if (counts.events <= 0) fit.estimates.back().interval90 = {0, quantile(0.9)};
}

// A matter of how the batch system is set up: Beta(jobs that were over + 1/2, jobs that came back +
// 1/2). HTCondor queues its jobs again, and a record in which all came back has no such column.
void add_for_good(Fit& fit, char const* name, char const* what, SiteCount const& counts,
                  std::size_t draws, RandomStreams const& streams) {
  if (counts.events <= 0) return;
  Estimate share{.name = name,
                 .unit = "1",
                 .events = static_cast<std::size_t>(counts.events),
                 .method = fmt::format("{} after which the job was over / all: {} / {}; Beta", what,
                                       counts.events, counts.exposure)};
  add_posterior(
      fit, share, stratified_draws(bootstrap_stream(streams, share.name), draws, [&](double u) {
        return beta_quantile(u, counts.events + 0.5, counts.exposure - counts.events + 0.5);
      }));
}

// For the plugins that gave up with a known error in the hold or vacate: it depends on the file,
// and not on a site.
void add_permanent(Fit& fit, AttemptRecords const& records, std::size_t draws,
                   RandomStreams const& streams) {
  double permanent = 0, with_error = 0;
  for (AttemptRecord const& attempt : records.attempts) {
    bool const has_error = attempt.reason == history::Reason::transfer_failed &&
                           attempt.subcode > 0 &&
                           attempt.code == history::hold_code(attempt.reason).code;
    if (!has_error || !input_failed(attempt)) continue;
    ++with_error;
    permanent += attempt.subcode == history::permanent_failure ? 1 : 0;
  }
  Estimate share{.name = "permanent_failure",
                 .unit = "1",
                 .events = static_cast<std::size_t>(with_error),
                 .method = fmt::format("failed plugins with subcode 256 / with any: {} / {}; Beta",
                                       permanent, with_error)};
  if (with_error <= 0) {
    share.origin = Origin::by_default;
    fit.not_identified.push_back({share.name, "no failed plugin is recorded with its subcode",
                                  "Jeffreys' prior, Beta(0.5, 0.5)"});
  }
  add_posterior(fit, share,
                stratified_draws(bootstrap_stream(streams, share.name), draws, [&](double u) {
                  return beta_quantile(u, permanent + 0.5, with_error - permanent + 0.5);
                }));
}

// Rate ~ Gamma(events + 1/2, time), mean length: 1/mean ~ Gamma(events + 1/2, seconds). If none was
// seen, the rate is that of other things never seen, and the length is around the longest that a
// job's lease leaves unnoticed.
void add_access_point(Fit& fit, AttemptRecords const& records,
                      std::vector<AccessPointOutage> const& outages, std::size_t draws,
                      RandomStreams const& streams) {
  double const events = static_cast<double>(outages.size());
  double const exposure = time_with_jobs(records);
  RandomStream rate_stream = bootstrap_stream(streams, DrawsOf::access_point, 0);
  Unseen const unseen{static_cast<double>(records.attempts.size())};
  double const none = events > 0 ? 0 : 1 - unseen.exists();
  Estimate rate{.name = "access_point_down_per_s",
                .unit = "1/s",
                .events = outages.size(),
                .method = fmt::format("all running jobs of several sites lost contact at once: {} "
                                      "times in {:.4g} s with jobs; Gamma",
                                      outages.size(), exposure)};
  if (outages.empty()) rate.origin = Origin::by_default;
  add_posterior(fit, rate, stratified_draws(rate_stream, draws, [&](double u) {
                  if (u <= none) return 0.;
                  return gamma_quantile((u - none) / (1 - none), events + 0.5, 1 / exposure);
                }));
  constexpr double usual_length = 600;  // s
  double seconds = 0, seen = 0;
  for (AccessPointOutage const& outage : outages) {
    if (!outage.back) continue;
    seconds += std::max((*outage.back - outage.at).value(), records.tick / 2);
    ++seen;
  }
  Estimate length{.name = "access_point_down_s",
                  .unit = "s",
                  .events = static_cast<std::size_t>(seen),
                  .method = "until the last job was found again; exponential, 1/mean ~ Gamma"};
  if (seen == 0) {
    length.origin = Origin::by_default;
    length.fit = "none in the log: within a factor of four of 600 s";
    seconds = usual_length;
    seen = 1;
  }
  add_posterior(
      fit, length,
      stratified_draws(bootstrap_stream(streams, DrawsOf::access_point, 1), draws, [&](double u) {
        double const by = gamma_quantile(1 - u, seen + 0.5, 1 / seconds);
        return std::min(1 / by, 100 * seconds);
      }));
}

}  // namespace

double share_done(AttemptRecord const& attempt, AttemptRecords const& records,
                  TypicalTimes const& typical_times) {
  double computed = attempt.tail.value();
  for (Seconds const& epoch : attempt.epochs) computed += epoch.value();
  double const left = 1 - static_cast<double>(attempt.epochs_before) / records.epochs;
  std::size_t const job = attempt.job.index();
  bool const known = job < records.log_scales.size() && !std::isnan(records.log_scales[job]);
  double const scale = known ? std::exp(records.log_scales[job]) : 1;
  // 5 % at least are left, where a log has lost count of checkpoints.
  double const whole = typical_times.at_site[attempt.site.index()] * scale * std::max(left, 0.05);
  return computed / whole;
}

std::vector<CrashShare> crash_shares(AttemptRecords const& records,
                                     TypicalTimes const& typical_times) {
  std::vector<CrashShare> shares;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!crashed(attempt) || !attempt.executing || !attempt.site.valid()) continue;
    if (!attempt.times_known) continue;
    double const seconds = (attempt.end - *attempt.executing).value();
    double const rounding = records.tick / std::max(seconds, records.tick);
    shares.push_back({std::max(share_done(attempt, records, typical_times), least_done),
                      std::hypot(typical_times.log_sd, rounding / std::sqrt(6.0))});
  }
  return shares;
}

CrashMomentPosterior::CrashMomentPosterior(std::vector<CrashShare> const& shares) {
  if (shares.empty()) {
    nodes_.push_back({});
    return;
  }
  std::vector<std::vector<Possible>> crashes;
  std::size_t const count = std::min(shares.size(), most_crashes);
  for (std::size_t i = 0; i < count; ++i) {
    crashes.push_back(possible_shares(shares[i * shares.size() / count]));
  }
  double const step = (highest - lowest) / steps;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      double const log_a = lowest + i * step;
      double const log_b = lowest + j * step;
      CrashMoment node{std::exp(log_a), std::exp(log_b),
                       -(log_a * log_a + log_b * log_b) / (2 * sd_of_logs * sd_of_logs)};
      for (auto const& crash : crashes) node.probability += log_likelihood(crash, node.a, node.b);
      nodes_.push_back(node);
    }
  }
  to_probabilities(nodes_, &CrashMoment::probability);
}

CrashMoment CrashMomentPosterior::draw(double u) const {
  return nodes_[pick(nodes_, &CrashMoment::probability, u)];
}

double CrashMomentPosterior::risk_until(double share) const {
  constexpr double negligible = 1e-6;
  double const until = std::clamp(share, 0.0, 1.0);
  double risk = 0;
  for (CrashMoment const& node : nodes_) {
    if (node.probability < negligible) continue;
    risk += node.probability * boost::math::ibeta(node.a, node.b, until);
  }
  return std::min(1.0, risk);
}

Fit crash_moment_fit(std::vector<CrashShare> const& shares, std::size_t draws,
                     RandomStreams const& streams) {
  Fit fit;
  if (shares.empty()) return fit;
  CrashMomentPosterior const posterior(shares);
  std::vector<double> a, b;
  // One uniform a draw: a and b belong together.
  for (double const u : stratified_draws(bootstrap_stream(streams, DrawsOf::crash_moment), draws,
                                         [](double x) { return x; })) {
    CrashMoment const drawn = posterior.draw(u);
    a.push_back(drawn.a);
    b.push_back(drawn.b);
  }
  Estimate line{.name = "crash_at_a",
                .unit = "1",
                .events = shares.size(),
                .method = "share of its remaining work at which an execution crashed: Beta"};
  auto const early = std::count_if(shares.begin(), shares.end(),
                                   [](CrashShare const& each) { return each.share < 0.1; });
  auto const late = std::count_if(shares.begin(), shares.end(),
                                  [](CrashShare const& each) { return each.share > 0.9; });
  line.fit = fmt::format("of {} crashes {} in the first tenth, {} in the last", shares.size(),
                         early, late);
  add_posterior(fit, line, a);
  line.name = "crash_at_b";
  line.fit.clear();
  add_posterior(fit, line, b);
  return fit;
}

Fit hazard_fit(history::JobHistory const& history, AttemptRecords const& records,
               TypicalTimes const& typical_times, std::size_t draws, RandomStreams const& streams) {
  auto const& sites = history.sites;
  PilotRecords const pilots = make_pilot_records(history, records);
  CrashMomentPosterior const moment(crash_shares(records, typical_times));
  BadJobs const bad_jobs = find_bad_jobs(records, typical_times, moment, sites.size());
  SiteCounts const counts =
      count_at_sites(records, pilots, typical_times, moment, bad_jobs, sites.size());
  Fit fit;
  auto const attempts = static_cast<double>(records.attempts.size());
  auto const add = [&](PooledAs kind, char const* parameter, char const* what,
                       std::vector<SiteCount> const& seen, auto stream,
                       double beforehand = Unseen().beforehand) {
    double const chances = kind == PooledAs::share ? total_of(seen).exposure : attempts;
    add_pooled(fit, kind, parameter, what, sites, seen, {chances, beforehand}, draws,
               bootstrap_stream(streams, stream));
  };
  add(PooledAs::share, "crash", "crashes / executions, by the share of their time that they ran",
      counts.crash, DrawsOf::crash, on_most_grids);
  bad_jobs.add_to(fit, sites, draws, streams);
  append(fit, crash_moment_fit(crash_shares(records, typical_times), draws, streams));
  if (total_of(counts.hang).events > 0) {
    add(PooledAs::share, "hang", "executions that never ended by themselves / that show it",
        counts.hang, DrawsOf::hang);
  }
  if (total_of(counts.output).events > 0) {
    add(PooledAs::share, "output_failure", "holds as the output transfer failed / executions done",
        counts.output, std::string_view("output_failure"));
  }
  add(PooledAs::rate, "evict_per_s", "evictions in claimed time", counts.evict, DrawsOf::evict,
      on_most_grids);
  add_for_good(fit, "evicted_for_good", "evictions", counts.evicted_for_good, draws, streams);
  add_for_good(fit, "lost_for_good", "attempts lost with their node or pilot", counts.lost_for_good,
               draws, streams);
  add_for_good(fit, "stopped_for_good", "executions stopped by a limit", counts.stopped_for_good,
               draws, streams);
  std::string const exponential = eviction_fit(records, counts, streams);
  if (!exponential.empty()) {
    for (Estimate& line : fit.estimates) {
      if (!line.name.starts_with("evict_per_s.")) continue;
      line.fit += (line.fit.empty() ? "" : "; ") + exponential;
    }
  }
  add(PooledAs::rate, "disconnect_per_s", "attempts that lost contact, in time until then",
      counts.disconnect, DrawsOf::disconnect);
  add_reconnections(fit, sites, counts.reconnect, draws,
                    bootstrap_stream(streams, DrawsOf::reconnect));
  add(PooledAs::rate, "suspend_per_s", "suspensions in claimed time", counts.suspend,
      DrawsOf::suspend);
  add_pooled(fit, PooledAs::rate, "pilot_death_per_s",
             "pilots that died with all their jobs, in time with jobs", sites, counts.death,
             {lives_of(pilots)}, draws, bootstrap_stream(streams, DrawsOf::pilot_death));
  bool const any_kill = std::any_of(counts.kill.begin(), counts.kill.end(),
                                    [](SiteCount const& site) { return site.events > 0; });
  if (any_kill) {
    add(PooledAs::rate, "pilot_kill_per_s", "pilots that were shut down, in time with jobs",
        counts.kill, DrawsOf::pilot_kill);
  }
  add_files_lost(fit, counts.files, draws, streams);
  add_permanent(fit, records, draws, streams);
  add_access_point(fit, records, pilots.access_point_outages, draws, streams);
  return fit;
}

HazardCounts hazard_counts(history::JobHistory const& history, AttemptRecords const& records,
                           TypicalTimes const& typical_times) {
  std::size_t const sites = history.sites.size();
  CrashMomentPosterior const moment(crash_shares(records, typical_times));
  BadJobs const bad_jobs = find_bad_jobs(records, typical_times, moment, sites);
  SiteCounts const counts = count_at_sites(records, make_pilot_records(history, records),
                                           typical_times, moment, bad_jobs, sites);
  return {total_of(counts.crash),   total_of(counts.evict), total_of(counts.disconnect),
          total_of(counts.suspend), total_of(counts.death), total_of(counts.kill),
          total_of(counts.hang),    bad_jobs.count()};
}

}  // namespace gridcast::calibration
