// Programs that exit with an error. crash = P(the program fails at a point of its work); each crash
// is counted with the probability that its job is not one that crashes each time
// (fits/crash_fit.hpp).
//
// Crashes come at any point of the work alike: an execution that something else ended at a share u
// of its work had u of its risk of a crash behind it. Its likelihood 1 - p u is about (1 - p)^u, a
// binomial trial of weight u.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "calibration/fits/crash_fit.hpp"
#include "calibration/processes/processes.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

/// Its computing over the typical time of the rest of its job's work.
double share_done(AttemptRecord const& attempt, LogEvidence const& evidence) {
  AttemptRecords const& records = evidence.records;
  double computed = attempt.tail.value();
  for (Seconds const& epoch : attempt.epochs) computed += epoch.value();
  double const left = 1 - static_cast<double>(attempt.epochs_before) / records.epochs;
  std::size_t const job = attempt.job.index();
  bool const known = job < records.log_scales.size() && !std::isnan(records.log_scales[job]);
  double const scale = known ? std::exp(records.log_scales[job]) : 1;
  // 5 % at least are left, where a log has lost count of checkpoints.
  double const whole =
      evidence.typical_times.at_site[attempt.site.index()] * scale * std::max(left, 0.05);
  return computed / whole;
}

/// The share of its crash risk that was behind an execution that something else ended. Its full
/// length is unknown; an execution that took c shows that it is longer than c. Expected length,
/// where c is beyond the typical time: for a lognormal T with the deviation s of ln T, z of them
/// beyond its median,
///   E[T | T > c] / c = exp(s^2 / 2 - z s) Phi(s - z) / Phi(-z)
/// which for s = 0.3 is 1.29, 1.18 and 1.13 at z = 0, 1 and 2: about 1.2, and the share at most
/// 5/6.
double share_of_risk(AttemptRecord const& attempt, LogEvidence const& evidence) {
  if (attempt.exit || attempt.hung) return 1;
  return std::min(share_done(attempt, evidence), 1 / 1.2);
}

BadJobs find_bad_jobs(LogEvidence const& evidence) {
  AttemptRecords const& records = evidence.records;
  std::vector<JobTrial> trials;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid()) continue;
    JobTrial trial{.job = attempt.job.index(), .site = attempt.site.index()};
    if (attempt.slot_known) trial.slot = attempt.slot;
    trial.failed = crashed(attempt);
    if (!trial.failed) trial.share = share_of_risk(attempt, evidence);
    if (trial.job < records.crash_odds.size()) trial.odds = records.crash_odds[trial.job];
    trials.push_back(trial);
  }
  return {trials, evidence.sites().size()};
}

struct Crashes {
  BadJobs bad_jobs;
  std::vector<SiteCount> at_sites;
};

Crashes count_crashes(LogEvidence const& evidence) {
  BadJobs const bad_jobs = find_bad_jobs(evidence);
  auto counts = count_at_sites(evidence, [&](std::size_t i, SiteCount& count) {
    AttemptRecord const& attempt = evidence.records.attempts[i];
    if (!attempt.executing) return;
    bool const crash = crashed(attempt);
    double const not_bad = 1 - bad_jobs.is_bad(attempt.job.index());
    double const share = crash ? 1 : share_of_risk(attempt, evidence);
    count.events += crash ? not_bad : 0;
    count.exposure += share * not_bad;
  });
  return {bad_jobs, std::move(counts)};
}

// Share of crashes without the files that transfer_output_files names: their jobs are held. Jobs
// that name no such files show nothing about it.
void add_crashes_held(Fit& fit, AttemptRecords const& records) {
  std::size_t held = 0, others = 0;
  for (AttemptRecord const& attempt : records.attempts) {
    if (!crashed(attempt)) continue;
    bool const is_held = attempt.end_kind == history::EventKind::held;
    // A hold by a policy does not depend on the files.
    if (is_held && attempt.reason != history::Reason::output_missing) continue;
    ++(is_held ? held : others);
  }
  if (held + others == 0) return;
  Estimate line{.name = "crash_held", .unit = "1"};
  line.estimate = static_cast<double>(held) / static_cast<double>(held + others);
  line.interval90 = proportion_interval(held, held + others, 0.9);
  line.events = held;
  line.censored = others;
  line.method =
      fmt::format("crashes held as their output was missing: {} of {}", held, held + others);
  fit.estimates.push_back(line);
}

void fit_crashes(LogEvidence const& evidence, Fit& fit) {
  Crashes const crashes = count_crashes(evidence);
  add_counts(fit, evidence, PooledAs::share, "crash",
             "crashes / executions, by the share of their time that they ran", crashes.at_sites,
             bootstrap_stream(evidence.streams, DrawsOf::crash), on_most_grids);
  crashes.bad_jobs.add_to(fit, evidence.sites(), evidence.draws, evidence.streams);
  if (!evidence.outputs_unlisted.value_or(false)) add_crashes_held(fit, evidence.records);
}

std::vector<SiteCount> count_part_of_crashes(LogEvidence const&, LogEvidence const& part) {
  Crashes const crashes = count_crashes(part);
  return {total_of(crashes.at_sites), crashes.bad_jobs.count()};
}

}  // namespace

Process crashes() {
  using namespace words_of_columns;
  return {
      .described =
          {.name = "crashes",
           .meaning = "a program exits with an error",
           .columns =
               {{"crash_of_job", probability, in_draw<&Draw::crash_of_job>,
                 "Probability that a job crashes at each of its executions, wherever they are"}},
           .site_columns = {{"crash", probability, at_site<&Site::crash>,
                             "Probability that an execution crashes"}},
           .zero_is_off = {"crash", "crash_of_job"}},
      .fit_log = fit_crashes,
      .varies = {{"crash", PooledAs::share}, {"crash_of_job", PooledAs::share}},
      .count_part = count_part_of_crashes};
}

}  // namespace gridcast::calibration
