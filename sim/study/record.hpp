// The record of a replica: its history as numbers.
//
// Each replica is recorded twice: by the ledger of its history, and by the ledger of its job table,
// which has sums and no dates ("table:" figures). Observed tables are compared with the latter:
// both sides then lack the same things, such as evicted computing inside transfer totals.
#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"
#include "sim/history/per_job.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/metrics.hpp"
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
/// - with `rows`, the same metrics of its job table, prefixed `through_table`;
/// - prefixed `execution_at`, for each site: the median final execution of jobs that succeeded
///   there;
/// - prefixed `at_site`, "FIGURE:SITE": the metrics that are kept of sites;
/// - prefixed `finish_of`, for k from 1 to `finish_steps`: when ceil(k / finish_steps x jobs) jobs
///   had succeeded (NaN if they never had, or without dates);
/// - "cause": the ending of most attempts and holds (cause_in; NaN if none ended early);
/// - "never_ran": a NeverRan (NaN if the source has no attempts);
/// - "draw": the row of the calibration (NaN if unknown), and "hypothesis": its
///   scenario::Hypothesis (NaN if there are no rivals).
std::vector<std::string> record_names(std::vector<std::string> const& sites, bool rows = true);

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

/// The ledger of the job table that a replica's events would give, one row at a time.
class RowAccounts {
 public:
  explicit RowAccounts(history::JobHistory const& names);

  void add(history::AttemptStep const& step) { rows_.add(step); }
  void settled(Id<history::Job> job) {
    order_.settled(job, [this](Id<history::Job> next) { account(next); });
  }
  std::vector<ledger::MetricValue> finish();

 private:
  void account(Id<history::Job> job);

  history::JobHistory const& names_;
  history::JobRows rows_;
  history::JobOrder order_;
  history::AttemptStream steps_;
  ledger::Accountant accountant_;
  // The row's history, one row at a time; its sites are those of all rows.
  history::JobHistory row_;
  history::SiteNames site_of_row_{row_};
};

/// Makes the record of a replica during its simulation, and keeps little of a settled job.
class RecordKeeper final : public history::AttemptSink {
 public:
  /// `names`: of the replica's history; its events are not read. `count`: how its jobs count.
  /// `rows`: the record has the metrics of the job table.
  explicit RecordKeeper(history::JobHistory const& names, scenario::JobCount count = {},
                        bool rows = true);

  void settled(Id<history::Job> job) override;

  Record finish(std::vector<std::string> const& sites, scenario::ParameterDraw const& draw,
                std::optional<std::size_t> row = {});

 private:
  void follow(history::AttemptStep const& step) override;

  history::JobHistory const& names_;
  scenario::JobCount count_;
  ledger::Accountant accountant_;
  std::optional<RowAccounts> rows_;
};

/// The metrics of a campaign alone; NaN if they are not known.
Record replica_figures(history::JobHistory const& history);

/// The record of a complete history.
Record make_record(history::JobHistory const& history, std::vector<std::string> const& sites,
                   scenario::ParameterDraw const& draw, std::optional<std::size_t> row = {});

// The comparison of a study with an observed campaign: the place of each observed figure in the
// predictive distribution, and the predicted execution of each job.

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

}  // namespace gridcast::study
