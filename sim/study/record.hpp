// What is kept of a replica, its history reduced to numbers, and an observed campaign beside it:
// where each observed figure stands in the predictive distribution, and how well each job's
// execution was foreseen.
//
// Each replica is looked at twice. As it was: the ledger of its history. And through the instrument
// with which the real campaign was recorded: the ledger of its job table, which keeps sums and no
// dates ("table:" figures). Observed tables are held against the latter, so that what a table
// cannot tell (evicted computing inside transfer totals) is missing from both sides.
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
#include "sim/study/sample.hpp"

namespace gridcast::study {

inline constexpr std::string_view through_table = "table:";
inline constexpr std::string_view execution_at = "execute_median_s:";
inline constexpr std::string_view at_site = "site:";
inline constexpr std::string_view finish_of = "finish_s:";
/// In so many steps a record tells when how many jobs had succeeded: exactly up to as many jobs.
inline constexpr std::size_t finish_steps = 50;

std::string site_column(std::string_view figure, std::string_view site);
/// The number of jobs that step k of `finish_steps` stands for.
std::size_t finish_rank(std::size_t step, std::size_t jobs);

/// The columns of a record: the metrics of a replica; the same as a job table gives them, prefixed
/// `through_table`; for each site, prefixed `execution_at`, the median final execution of jobs that
/// succeeded there; for each site and metric that is kept of sites, prefixed `at_site`,
/// "FIGURE:SITE"; prefixed `finish_of`, for k from 1 to `finish_steps`, when ceil(k / finish_steps
/// x jobs) jobs had succeeded (NaN if they never had, or without dates); "cause", the ending that
/// most attempts and holds had (cause_in, NaN where none ended before its time); "never_ran", a
/// NeverRan (NaN where the source does not tell attempts); and of the draw that the replica lived
/// with "draw", its row (NaN if not told), and "hypothesis", the scenario::Hypothesis that it is of
/// (NaN where there are no rivals).
std::vector<std::string> record_names(std::vector<std::string> const& sites);

/// The columns behind the campaign's own: of the draw.
inline constexpr std::size_t columns_of_draw = 2;

/// Whether any job came to run in a replica, and why not.
enum class NeverRan {
  a_job_ran,
  attempts_failed,   // slots took jobs, and each attempt ended before it executed
  no_slots,          // no site of the draw had room for one of the jobs at all
  not_matched,       // there were slots, and none that the jobs' requirements and ads agreed on
  not_in_the_queue,  // held or removed before any match
};

/// What a record's "cause" stands for: kind, reason and codes of an ending.
double cause_number(history::Ending const& ending);
/// Nothing for NaN.
std::optional<history::Ending> cause_in(double number);

/// Whether a replica can have given these numbers for the columns `names`: as many of them, none
/// without an end, counts not negative.
bool is_possible(Record const& record, std::vector<std::string> const& names);

/// Makes the record of a replica while it is played: of a job that is settled little is kept.
class RecordKeeper final : public history::AttemptSink {
 public:
  /// `names`: of the replica's history; its events are not read.
  explicit RecordKeeper(history::JobHistory const& names);

  void settled(Id<history::Job> job) override;

  Record finish(std::vector<std::string> const& sites, scenario::ParameterDraw const& draw,
                std::optional<std::size_t> row = {});

 private:
  void follow(history::AttemptStep const& step) override;
  void account_row(Id<history::Job> job);

  history::JobHistory const& names_;
  ledger::Accountant accountant_;
  history::JobRows rows_;
  history::JobOrder order_;
  history::AttemptStream steps_of_rows_;
  ledger::Accountant of_rows_;
  history::JobHistory
      row_;  // the row's history, one row at a time; its sites are those of all rows
};

/// Of a history that is there.
Record make_record(history::JobHistory const& history, std::vector<std::string> const& sites,
                   scenario::ParameterDraw const& draw, std::optional<std::size_t> row = {});

/// How many jobs had succeeded by when, over the replicas of a study: at each time the median and
/// the central 90 % of the replicas. When the last job had ended, as quantiles. And when as many as
/// are wanted had *succeeded*, for the probability of keeping a deadline: a campaign whose jobs are
/// soon all held has ended soon, and kept none.
struct FinishBand {
  std::vector<Seconds> at = {};
  std::vector<double> p05 = {}, p50 = {}, p95 = {};  // jobs that had succeeded
  std::vector<Seconds> makespans = {};  // quantiles 0, 0.01, ..., 1; empty without dates
  std::size_t wanted = 0;               // jobs
  std::vector<Seconds> reached = {};    // as makespans; infinite where they never had succeeded
};

/// As many as are wanted by a deadline: 90 % of those that succeed under the baseline in the median
/// replica, one at least.
std::size_t wanted_successes(StudySample const& baseline);

/// Equal steps from zero to `end`.
std::vector<Seconds> finish_times(Seconds end);
/// Until when curves of these samples are worth drawing: the largest 95 % quantile of makespan.
Seconds finish_end(std::vector<StudySample> const& samples);
/// Empty if no replica has dates. `wanted`: 0 for all jobs. Of more than fifty jobs, it is rounded
/// up to the next of the `finish_steps`.
FinishBand finish_band(StudySample const& sample, std::vector<Seconds> const& at,
                       std::size_t wanted = 0);

/// One figure. `predicted` is of the same figure, as a job table would give it if the observed
/// campaign is one.
struct PlacedFigure {
  std::string name;
  double observed = 0;
  Summary predicted;
  double percentile_rank =
      0;                // share of the replicas below, half of the ties; NaN without a prediction
  bool inside = false;  // the central 90 %
};

/// One successful job's execution beside the predicted median of its site.
struct PlacedExecution {
  std::string job;
  std::string site;
  double observed_s = 0;
  double predicted_s = 0;  // median over replicas of the site's median; NaN if none is predicted
  bool within = false;     // observed within 5 % of predicted
};

struct RecordComparison {
  bool through_table = false;               // the observed campaign is a job table
  std::size_t jobs = 0;                     // observed
  std::vector<PlacedFigure> figures;        // those that the source gives
  std::vector<PlacedExecution> executions;  // of the successful jobs whose site is known
  /// What the ledger says of each observed site; only figures that the source gives.
  std::map<std::string, std::map<std::string, double>> sites = {};
};

RecordComparison compare_with_record(StudySample const& sample,
                                     history::JobHistory const& observed);
/// Of replicas that replay the record: of a log by attempts, of a table by rows, without what a
/// replay has none of, dates and single tries.
RecordComparison compare_with_replayed(StudySample const& sample,
                                       history::JobHistory const& observed);

// The critical path of a campaign whose submissions wait for each other: from the submission that
// ended last back through the one whose end let each go, a parent or one before it under the same
// limit (MAXJOBS, -maxjobs), to one that waited for none. What shortens nothing on it does not
// shorten the campaign.

/// One submission on the path, with the time of its job that ended last.
struct CriticalStep {
  std::string name;
  Seconds submitted, ended;
  Seconds waiting;    // in the queue: idle, held, cooling down
  Seconds computing;  // in the execution that ended it
  Seconds lost;       // in executions and transfers before the last attempt
  Seconds other;      // transfers, set-up and output of the last attempt
  std::uint32_t attempts = 0;
};

/// In the order of time; empty where no submission waits for another.
std::vector<CriticalStep> critical_path(scenario::Campaign const& campaign,
                                        history::JobHistory const& history);

}  // namespace gridcast::study
