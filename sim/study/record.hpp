// The record of a replica: its history as numbers. And the comparison with an observed campaign:
// the place of each observed figure in the predictive distribution, and the predicted execution of
// each job.
//
// Each replica is recorded twice: by the ledger of its history, and by the ledger of its job table,
// which has sums and no dates ("table:" figures). Observed tables are compared with the latter:
// both sides then lack the same things, such as evicted computing inside transfer totals.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"
#include "sim/history/per_job.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/submit_strategy.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

inline constexpr std::string_view through_table = "table:";
inline constexpr std::string_view execution_at = "execute_median_s:";
inline constexpr std::string_view at_site = "site:";
inline constexpr std::string_view finish_of = "finish_s:";
/// The steps in which a record contains the times of successes; exact up to so many jobs.
inline constexpr std::size_t finish_steps = 50;

std::string site_column(std::string_view figure, std::string_view site);
/// The number of jobs that step k of `finish_steps` represents.
std::size_t finish_rank(std::size_t step, std::size_t jobs);

/// The columns of a record:
/// - the metrics of a replica;
/// - the same metrics of its job table, prefixed `through_table`;
/// - prefixed `execution_at`, for each site: the median final execution of jobs that succeeded
///   there;
/// - prefixed `at_site`, "FIGURE:SITE": the metrics that are kept of sites;
/// - prefixed `finish_of`, for k from 1 to `finish_steps`: when ceil(k / finish_steps x jobs) jobs
///   had succeeded (NaN if they never had, or without dates);
/// - "cause": the ending of most attempts and holds (cause_in; NaN if none ended early);
/// - "never_ran": a NeverRan (NaN if the source has no attempts);
/// - "draw": the row of the calibration (NaN if unknown), and "hypothesis": its
///   scenario::Hypothesis (NaN if there are no rivals).
std::vector<std::string> record_names(std::vector<std::string> const& sites);

/// The number of the last columns, which describe the draw.
inline constexpr std::size_t columns_of_draw = 2;

/// A job of a replica ran, or the reason why none ran.
enum class NeverRan {
  a_job_ran,
  attempts_failed,   // each attempt ended before it executed
  no_slots,          // no site of the draw has room for one of the jobs
  not_matched,       // no slot met the requirements of a job, or its ad did not accept one
  not_in_the_queue,  // held or removed before any match
};

/// The number of an ending in the column "cause": kind, reason and codes.
double cause_number(history::Ending const& ending);
/// Nothing for NaN.
std::optional<history::Ending> cause_in(double number);

/// True if a replica can have these numbers in the columns `names`: the right number of them,
/// finite or NaN, and no negative counts.
bool is_possible(Record const& record, std::vector<std::string> const& names);

/// Makes the record of a replica during its simulation, and keeps little of a settled job.
class RecordKeeper final : public history::AttemptSink {
 public:
  /// `names`: of the replica's history; its events are not read. `count`: how its jobs count.
  explicit RecordKeeper(history::JobHistory const& names, scenario::JobCount count = {});

  void settled(Id<history::Job> job) override;

  Record finish(std::vector<std::string> const& sites, scenario::ParameterDraw const& draw,
                std::optional<std::size_t> row = {});

 private:
  void follow(history::AttemptStep const& step) override;
  void account_row(Id<history::Job> job);

  history::JobHistory const& names_;
  scenario::JobCount count_;
  ledger::Accountant accountant_;
  history::JobRows rows_;
  history::JobOrder order_;
  history::AttemptStream steps_of_rows_;
  ledger::Accountant of_rows_;
  // The row's history, one row at a time; its sites are those of all rows.
  history::JobHistory row_;
  history::SiteNames site_of_row_{row_};
};

/// The metrics of a campaign alone; NaN if they are not known.
Record replica_figures(history::JobHistory const& history);

/// The record of a complete history.
Record make_record(history::JobHistory const& history, std::vector<std::string> const& sites,
                   scenario::ParameterDraw const& draw, std::optional<std::size_t> row = {});

/// Successes over time, over the replicas of a study: the median and the central 90 % of the
/// replicas at each time, and quantiles of the time of the last end. `reached` has quantiles of the
/// time at which the wanted jobs had *succeeded*, for the probability of meeting a deadline. A
/// campaign whose jobs are soon all held ends soon and meets no deadline.
struct FinishBand {
  std::vector<Seconds> at = {};
  std::vector<double> p05 = {}, p50 = {}, p95 = {};  // jobs that had succeeded
  std::vector<Seconds> makespans = {};  // quantiles 0, 0.01, ..., 1; empty without dates
  std::size_t wanted = 0;               // jobs
  std::vector<Seconds> reached = {};    // as makespans; infinite if they never had succeeded

  static void fields(auto& row, auto& band) {
    row("at_s", band.at);
    row("succeeded_p05", band.p05);
    row("succeeded_p50", band.p50);
    row("succeeded_p95", band.p95);
    row("makespan_quantiles_s", band.makespans);
    row("wanted_jobs", band.wanted);
    row("wanted_quantiles_s", band.reached);
    row.restore(band, [](auto& reader, auto& read) {
      for (Seconds& time : read.reached) {
        if (std::isnan(time.value())) time = Seconds(infinity);
      }
      for (auto const* jobs : {&read.p05, &read.p50, &read.p95}) {
        if (jobs->size() != read.at.size()) reader.report("as many numbers of jobs as times");
      }
    });
  }
};

/// The number of jobs that have to succeed: this share of the campaign's jobs, at least one.
std::size_t wanted_jobs(StudySample const& sample, double share);
/// The makespan of a study: the time at which the wanted number of jobs had succeeded in each
/// replica. Infinite: they never had. NaN: the replica has no dates. `wanted`: 0 for all jobs.
std::vector<double> makespans(StudySample const& sample, std::size_t wanted);
/// The sample with these times in the column makespan_s: a single campaign's makespan lasts to its
/// last event, so a campaign that fails at once would look fast.
StudySample with_makespans(StudySample sample, std::size_t wanted);

/// Equal steps from zero to `end`.
std::vector<Seconds> finish_times(Seconds end);
/// The end of curves of these samples: the largest 95 % quantile of makespan.
Seconds finish_end(std::vector<StudySample> const& samples);
/// Empty if no replica has dates. `wanted`: 0 for all jobs; with more than fifty jobs it is rounded
/// up to the next of the `finish_steps`.
FinishBand finish_band(StudySample const& sample, std::vector<Seconds> const& at,
                       std::size_t wanted = 0);

/// An observed figure and its prediction. If the observed campaign is a job table, so is the
/// predicted one.
struct PlacedFigure {
  std::string name;
  double observed = 0;
  Summary predicted;
  double percentile_rank = 0;  // share of replicas below, plus half of the ties; NaN: no prediction
  bool inside = false;         // in the central 90 %

  static void fields(auto& row, auto& figure) {
    row("observed", figure.observed);
    row("predicted", figure.predicted);
    row("position", figure.percentile_rank);
    row("inside_90", figure.inside);
  }
};

/// One successful job's execution beside the predicted median of its site.
struct PlacedExecution {
  std::string job;
  std::string site;
  double observed_s = 0;
  double predicted_s = 0;  // median over replicas of the site's median; NaN if none is predicted
  bool within = false;     // observed within 5 % of predicted

  static void fields(auto& row, auto& execution) {
    row("job", execution.job);
    row("site", execution.site);
    row("observed_s", execution.observed_s);
    row("predicted_median_s", execution.predicted_s);
    row("within_5_percent", execution.within, !std::isnan(execution.predicted_s));
  }
};

struct RecordComparison {
  bool through_table = false;               // the observed campaign is a job table
  std::size_t jobs = 0;                     // observed
  std::vector<PlacedFigure> figures;        // those that the source gives
  std::vector<PlacedExecution> executions;  // of the successful jobs whose site is known
  /// Figures of each observed site, as far as the source has them.
  std::map<std::string, std::map<std::string, double>> sites = {};
};

RecordComparison compare_with_record(StudySample const& sample,
                                     history::JobHistory const& observed);
/// The same for replicas that replay the record: a log by attempts, a table by rows. It leaves out
/// dates and single tries at caches, which a replay does not have.
RecordComparison compare_with_replayed(StudySample const& sample,
                                       history::JobHistory const& observed);

// The critical path of a campaign whose submissions wait for each other. It starts at the
// submission that ended last and goes back through the submissions whose end released the next one:
// a parent, or an earlier submission under the same limit (MAXJOBS, -maxjobs). It ends at a
// submission that waited for none. Only a shorter path makes the campaign shorter.

/// One submission on the path, with the time of its job that ended last.
struct CriticalStep {
  std::string name;
  Seconds submitted, ended;
  Seconds waiting;    // in the queue: idle, held, cooling down
  Seconds computing;  // in the execution that ended it
  Seconds lost;       // in executions and transfers before the last attempt
  Seconds other;      // transfers, set-up and output of the last attempt
  std::uint32_t attempts = 0;

  static void fields(auto& row, auto& step) {
    row("name", step.name);
    row.rounded("submitted_s", step.submitted);
    row.rounded("ended_s", step.ended);
    row.rounded("waiting_s", step.waiting);
    row.rounded("computing_s", step.computing);
    row.rounded("lost_s", step.lost);
    row.rounded("other_s", step.other);
    row("attempts", step.attempts);
  }
};

/// In the order of time; empty if no submission waits for another.
std::vector<CriticalStep> critical_path(scenario::Campaign const& campaign,
                                        history::JobHistory const& history);

}  // namespace gridcast::study
