// What is kept of a replica: its history reduced to numbers.
//
// Each replica is looked at twice. As it was: the ledger of its history. And through the instrument
// with which the real campaign was recorded: the ledger of its job table, which keeps sums and no
// dates ("table:" figures). Observed tables are held against the latter, so that what a table
// cannot tell (evicted computing inside transfer totals) is missing from both sides.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/job_table.hpp"
#include "sim/history/per_job.hpp"
#include "sim/ledger/accountant.hpp"
#include "sim/ledger/metrics.hpp"
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
/// succeeded there; for each site and metric that is kept of sites, prefixed `at_site`, "FIGURE:SITE";
/// prefixed `finish_of`, for k from 1 to `finish_steps`, when ceil(k / finish_steps x jobs) jobs
/// had succeeded (NaN if they never had, or without dates); "hypothesis", the
/// scenario::Hypothesis that the replica is of (NaN where there are no rivals).
std::vector<std::string> record_names(std::vector<std::string> const& sites);

/// Whether a replica can have given these numbers for the columns `names`: as many of them, none
/// without an end, counts not negative.
bool is_possible(Record const& record, std::vector<std::string> const& names);

/// Makes the record of a replica while it is played: of a job that is settled little is kept.
class RecordKeeper final : public history::AttemptSink {
 public:
  /// `names`: of the replica's history; its events are not read.
  explicit RecordKeeper(history::JobHistory const& names);

  void settled(Id<history::Job> job) override;

  Record finish(std::vector<std::string> const& sites, scenario::ParameterDraw const& draw);

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
                   scenario::ParameterDraw const& draw);

/// How many jobs had succeeded by when, over the replicas of a study: at each time the median and
/// the central 90 % of the replicas. And when the last job had ended, as quantiles, for the
/// probability of keeping a deadline.
struct FinishBand {
  std::vector<Seconds> at;
  std::vector<double> p05, p50, p95;  // jobs that had succeeded
  std::vector<Seconds> makespans;     // quantiles 0, 0.01, ..., 1; empty without dates
};

/// Equal steps from zero to `end`.
std::vector<Seconds> finish_times(Seconds end);
/// Until when curves of these samples are worth drawing: the largest 95 % quantile of makespan.
Seconds finish_end(std::vector<StudySample> const& samples);
/// Empty if no replica has dates.
FinishBand finish_band(StudySample const& sample, std::vector<Seconds> const& at);

}  // namespace gridcast::study
