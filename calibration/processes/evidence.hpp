// The evidence of event logs for the processes of the model (processes.hpp), and the rates and
// shares that it gives directly:
//   rate of a cause = its events / time at risk of it
// Causes compete, and each is fitted with all others as censoring (Kalbfleisch & Prentice, The
// Statistical Analysis of Failure Time Data, 8.2). Sites are pooled
// (inference/partial_pooling.hpp).
// An example: 3 evictions in 40,000 s claimed at site A are a rate of 7.5e-5 1/s, which is drawn
// towards the rates of the other sites.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/speed_fit.hpp"
#include "calibration/fits/transfer_fit.hpp"
#include "calibration/inference/partial_pooling.hpp"
#include "calibration/records/attempt_record.hpp"
#include "calibration/records/pilot_records.hpp"
#include "calibration/records/table_records.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

// How long a failure lasts that hits every start, from the number of starts that it hit in a table
// without dates.
//
// Two hypotheses have the same prior weight:
//   in starts  each event hits a Poisson number of further starts with the mean m. The prior of m
//              is log-uniform from one to the number of jobs.
//   in time    each event lasts an exponential time with the mean L. The prior of L is log-uniform
//              from a minute to two hours. A job that fails at once leaves its slot to the next
//              one, so the queue starts jobs at a steady pace r. E events have K further hits with
//                P(K) = C(K + E - 1, K) q^K (1 - q)^E,   q = r L / (1 + r L)
//              the negative binomial probability of Poisson starts in exponential times.
// The marginal likelihoods give the posterior of the hypotheses. The posterior of L follows from
// Bayes' rule on a grid.
//
// Example: one event with 14 further hits among 100 jobs, at r = 0.6 starts a second, has lasted a
// time with probability 0.23. L is then below six minutes with probability 0.8, since a longer
// event would probably have hit more jobs.

/// Hits of events, and the queue that they met.
struct HitStarts {
  int events = 0, further = 0;   // hits beyond the first of each event
  double starts_per_second = 0;  // of jobs that fail at once
  int jobs = 0;
};

class EventLength {
 public:
  explicit EventLength(HitStarts const& hits);

  /// Posterior probability that the events last a time.
  double in_time() const { return in_time_; }
  /// Quantile of L in seconds, if they do.
  double quantile(double probability) const;

 private:
  double in_time_ = 0;
  std::vector<double> seconds_, below_;  // grid of L and its cumulative posterior
};

struct LogEvidence {
  history::JobHistory const& history;
  AttemptRecords const& records;
  TypicalTimes typical_times;  // whole-job seconds at each site
  TransferFitInput const& input;
  std::size_t draws = 0;
  RandomStreams streams;
  PilotRecords pilots = make_pilot_records(history, records);
  std::optional<bool> outputs_unlisted = std::nullopt;  // of the jobs' submit file; none: unknown
  std::optional<std::pair<Seconds, Seconds>> span = std::nullopt;  // of a part of the record

  std::vector<std::string> const& sites() const { return history.sites; }
  /// The shortest time that a record with whole ticks can mean, in seconds.
  double shortest() const { return records.tick / 2; }
};

/// The evidence of a part of its record, a week or a campaign.
LogEvidence evidence_of(Part const& part, LogEvidence const& whole);

/// Counts at each site: `count` adds one attempt, given by its number in the records.
template <class Count>
std::vector<SiteCount> count_at_sites(LogEvidence const& evidence, Count count) {
  std::vector<SiteCount> counts(evidence.sites().size());
  auto const& attempts = evidence.records.attempts;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    if (attempts[i].site.valid()) count(i, counts[attempts[i].site.index()]);
  }
  return counts;
}

/// Process::count_part of counts at sites: their total in the part.
template <std::vector<SiteCount> (*count)(LogEvidence const&)>
std::vector<SiteCount> total_in_part(LogEvidence const&, LogEvidence const& part) {
  return {total_of(count(part))};
}

/// A column a site with the pooled posterior of the counts. If no attempt shows an event,
/// `beforehand` is the probability that this kind of event exists (Unseen).
void add_counts(Fit& fit, LogEvidence const& evidence, PooledAs kind, char const* parameter,
                char const* method, std::vector<SiteCount> const& counts, RandomStream stream,
                double beforehand = Unseen().beforehand);

/// Share of such events after which a job is over, and not queued again. It depends on the setup of
/// the batch system: Beta(over + 1/2, queued again + 1/2). HTCondor queues its jobs again, and a
/// record in which all came back has no such column.
void add_jobs_over(Fit& fit, LogEvidence const& evidence, char const* parameter, char const* events,
                   bool (*is_one)(AttemptRecord const&), bool (*is_over)(AttemptRecord const&));
/// For it: AttemptRecord::ended_job.
bool ended_job(AttemptRecord const& attempt);

// The evidence of job tables for the processes of the model (processes.hpp). Probabilities and
// rates have the posteriors of Jeffreys' priors (Brown, Cai & DasGupta 2001): an event never
// seen has an interval and not the rate zero.
//   probability   p ~ Beta(hits + 1/2, misses + 1/2)
//   rate          r ~ Gamma(events + 1/2, exposure); with a shape and a rate, here and below
// Jobs that fail together are one event (fifteen neighbours with a 404 are one shock, not fifteen;
// Gallet et al. 2010). A shock hits the job that sets it off and a Poisson number of further ones,
// so
//   mean hits - 1 ~ Gamma(hits - events + 1/2, events)
struct TableEvidence {
  /// `failing_starts`: starts a second of a queue whose jobs fail at once.
  /// `walltime_ends`: expected evictions a second at each site as pilots end at their walltime.
  /// A table calls these ends evictions too. Empty: none. `records` outlives it.
  TableEvidence(TableRecords const& records, std::size_t draws, RandomStreams const& streams,
                double failing_starts, std::vector<double> const& walltime_ends = {});

  TableRecords const& records;
  EventCounts counts;
  std::vector<SiteCount> evictions;  // at each site, as records.sites
  std::size_t draws = 0;
  RandomStreams streams;
  double failing_starts_per_second = 0;
};

/// Evictions at each site and the slot seconds in which they could have happened: executions, last
/// transfers and retried time there. Waiting that the table cannot separate from retried transfers
/// is in the exposure: the rates err on the low side.
std::vector<SiteCount> count_evictions(TableRecords const& records);

/// A count out of trials, or of events in an exposure, and its parameter.
struct TableCount {
  std::string name;
  DrawsOf stream;
  int events = 0;
  double of = 0;
  std::string trials;  // in words: "failed transfer attempts held the job"
};

void add_table_posterior(Fit& fit, TableEvidence const& evidence, TableCount const& count,
                         std::string const& method, std::function<double(double)> const& quantile);

/// A column with the posterior of a probability.
void add_probability(Fit& fit, TableEvidence const& evidence, TableCount const& count);

/// Failures that come as one event, out of `starts` that could set one off.
struct TableShock {
  std::string name;
  ShockCounts counts;
  int starts = 0;
  std::string trials;  // in words: "jobs that executed"
  DrawsOf rate, hits, lasts;
  /// Starts that follow each other during an event; none: jobs that it hits run on for a time that
  /// the table does not show.
  std::optional<double> starts_per_second = {};
};
/// Columns NAME_lasts_s, NAME_per_start and NAME_mean_hits.
void add_shock(Fit& fit, TableEvidence const& evidence, TableShock const& shock);

}  // namespace gridcast::calibration
