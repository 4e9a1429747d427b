// The whole page: the contents of results and a history, part by part. A part is made from values,
// never from the JSON that verbs print; a part without data is left out, and the page notes it.
//
// First come two pages for a committee: question, options, trade-off, recommendation, evidence and
// limits, citation. The sections are their appendix.
//
// Results of one scenario share these: their strategies are in one list, and the best of them in
// figures. Each further scenario has its own first pages and sections.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/condor/log/read_log.hpp"
#include "sim/history/job_history.hpp"
#include "sim/ledger/black_holes.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/text/figure_words.hpp"

namespace gridcast::report {

struct ShownStrategy {
  std::string label;  // its name; with the file where two results have the same
  ResultStrategy const* strategy = nullptr;
  Result const* result = nullptr;
};

/// The first result's baseline first, then as the results have them.
std::vector<ShownStrategy> shown_strategies(std::vector<Result> const& results);

inline constexpr std::size_t most_drawn = 10;
/// At most `most_drawn`: the baseline and those that are best, by GPU hours for each success.
/// Strategies under which too few jobs succeed are left out: their small figures would flatten the
/// scale for all others.
std::vector<ShownStrategy> drawn_strategies(std::vector<Result> const& results);
/// "10 of 1000 strategies are drawn: ..."; empty if all are.
std::string left_out_words(std::vector<Result> const& results);

/// The strategy that the verdict names, decided or not; empty without one.
std::string named_by_verdict(Result const& result);

/// " (c1.json)": the mark of one result among others; empty for a single one.
std::string source_text(std::vector<Result> const& results, Result const& result);

/// One campaign in full, behind a result: a real log, or a replica of a study.
struct OneCampaign {
  std::string what;  // "replica 3 of seed 1, strategy published", "c1.log"
  history::JobHistory history = {};
  ledger::Ledger accounts = {};                 // of the history
  ResultLedger ledger = {};                     // the same in its shown form, with its jobs
  std::vector<condor::LoggedWords> words = {};  // of a log
  std::string strategy = {};                    // as it can be picked
};

/// `accounts`: of `history`.
OneCampaign one_campaign(std::string what, history::JobHistory history, ledger::Ledger accounts);

struct ReportRequest {
  std::vector<Result> results;  // at least one
  std::string created_by, command;
  std::vector<InputFileFact> inputs;
  std::optional<Seconds> deadline;
  std::vector<std::string> notices = {};
  std::size_t gaps = 0;                  // facts that the record behind the calibration lacks
  std::string kind = {};                 // of the page; empty: that of the first result
  std::optional<OneCampaign> campaign;   // behind the first result: for parts that need its events
  std::vector<OneCampaign> others = {};  // the same draws, other strategies
};

ReportDocument report_page(ReportRequest request);

/// A time; "never" if it is infinite.
ReportCell never_cell(double seconds);
/// Cells of the median and the central 90 %, as add_range() of columns has them.
void add_range(std::vector<ReportCell>& row, study::Spread const& spread);

/// The two printed pages of results of one scenario. `holes`: of the record, if it has events.
ReportBrief front_page(std::vector<Result> const& results, std::optional<Seconds> deadline,
                       ledger::BlackHoles const& holes = {});
/// A row for each scenario's best strategy, or its only one.
ReportTable overview(std::vector<ReportBrief> const& briefs,
                     std::vector<std::vector<Result>> const& groups);
/// How to cite the program, SimGrid, and this report.
std::vector<std::string> citation(ReportDocument const& document,
                                  std::vector<Result> const& results);

/// A part of the page: a section, or the reason why it is missing.
struct ReportPart {
  std::optional<ReportSection> section;
  std::string missing;  // empty: no message
};

/// The use of slot time by line of the ledger (they add up to all of it), observations beside
/// predictions. Studies have means: they add up, medians do not.
ReportPart waterfall_section(std::vector<Result> const& results);

/// When jobs are done: how many had succeeded by when, with bands over replicas, and the
/// probability to have as many as are wanted by a deadline. The time axis ends at the 95 % quantile
/// of the campaigns.
ReportPart finish_section(std::vector<Result> const& results, std::optional<Seconds> deadline);

/// The decision of a comparison, each choice under each explanation, and deciding parameters.
std::vector<ReportSection> verdict_sections(std::vector<Result> const& results);

/// Strategies compared: every figure, and paired differences to the baseline with 95 % intervals.
ReportPart comparison_section(std::vector<Result> const& results);

/// Which submissions a campaign's makespan hung on, of results with chains.
std::vector<ReportSection> critical_path_sections(std::vector<Result> const& results);

/// Activity of each job as bars on slots and jobs, for a dated history; else the reason why there
/// is no section. `others`: the same under other strategies, one of which is picked.
ReportPart gantt_section(OneCampaign const& campaign, std::vector<OneCampaign> const& others = {});

/// The sites beside each other: jobs, slot time, stalls, holds and evictions. Where no result has
/// its sites, those of the jobs of `campaign`, if any.
ReportPart site_section(std::vector<Result> const& results, ResultLedger const* campaign = nullptr);
/// The jobs of a campaign, a row each. `linked`: the page has a Gantt chart to jump to.
ReportPart job_section(ResultLedger const& ledger, bool linked);
ReportPart job_section(OneCampaign const& campaign, std::vector<OneCampaign> const& others,
                       bool linked);

/// Observations beside predictions: each figure of the record in its predicted interval. Empty
/// (without a message) if no result was compared with a record.
ReportPart observed_section(std::vector<Result> const& results);

/// The source of the figures: the command, versions, seed, the scenario as it was read, and the
/// SHA-256 of all inputs.
ReportSection provenance(std::vector<Result> const& results, std::string const& created_by,
                         std::string const& command, std::vector<InputFileFact> const& inputs);

// Activity of each job over time, as bars on slots and jobs: one replica or a real log.
//
// Phases of an attempt: matched until its input transfer starts, transfer (stalled where the
// attempt ended for a stall or lack of progress), executing, checkpoint, suspended, disconnected,
// transfer of the output. Waiting and held have no slot. An attempt that was lost ends in a short
// bar "evicted" that carries its reason. Charts of several strategies share one time axis and the
// same number of bars. If one of them has too many, all are drawn in the same bins of time. Within
// a bin a job has one bar for each phase, as long as all its time in that phase.

inline constexpr std::size_t most_gantt_bars = 10000;
inline constexpr std::size_t most_gantt_jobs = 2000;  // beyond: the worst ones

/// Lanes, jobs, reasons and bars, before any are merged, of the jobs for which `shown` is true.
/// Jobs, lanes and reasons keep their order in the history. A lost attempt's reason has the log's
/// own words, where `words` has any of that job and second.
Gantt gantt_bars(history::JobHistory const& history, std::vector<bool> const& shown,
                 std::vector<condor::LoggedWords> const& words = {});

/// Gives the charts one time axis, and merges the bars of all in the same way until none has more
/// than `most`.
void make_comparable(std::vector<Gantt*> const& gantts, std::size_t most);

}  // namespace gridcast::report
