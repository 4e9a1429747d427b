// The whole page: what results and a history give, part by part. A part is made from values, never
// from the JSON that verbs print; what a result cannot tell is left out, and the page says so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/condor/log/read_log.hpp"
#include "sim/engine/replica.hpp"
#include "sim/history/job_history.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/data/result.hpp"
#include "sim/report/page/calibration_page.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::report {

/// One campaign in full, behind a result: a real log, or a replica of a study.
struct OneCampaign {
  std::string what;  // "replica 3 of seed 1, strategy published", "c1.log"
  history::JobHistory history = {};
  ledger::Ledger accounts = {};  // of the history
  ResultLedger ledger = {};      // the same as it is shown, with its jobs
  engine::ResourceTrace resources = {};
  std::vector<condor::LoggedWords> words = {};  // of a log
  std::string strategy = {};                    // as it can be picked
};

/// `accounts`: of `history`.
OneCampaign one_campaign(std::string what, history::JobHistory history, ledger::Ledger accounts,
                         engine::ResourceTrace resources = {});

struct ReportRequest {
  std::vector<Result> results;  // at least one
  std::string created_by, command;
  std::vector<InputFileFact> inputs;
  std::optional<Seconds> deadline;
  std::vector<std::string> notices = {};
  std::optional<CalibrationPage> calibration = {};
  std::string kind = {};                 // of the page; empty: as the first result says
  std::optional<OneCampaign> campaign;   // behind the first result: for what needs its events
  std::vector<OneCampaign> others = {};  // in the same luck, under the other strategies
};

ReportDocument report_page(ReportRequest const& request);

/// What a part of the page is made into: a section, or the reason why there is none.
struct ReportPart {
  std::optional<ReportSection> section;
  std::string missing;  // empty: nothing to say
};

/// Where the time went: slot time by line of the ledger (they add up to all of it), by site, and
/// what was observed beside what was predicted. Of studies the means: they add up, medians do not.
ReportPart waterfall_section(std::vector<Result> const& results);

/// When jobs are done: how many had succeeded by when, with bands over replicas, and the probability
/// that as many as are wanted have succeeded by a deadline.
ReportPart finish_section(std::vector<Result> const& results, std::optional<Seconds> deadline);

/// What a comparison decides, each choice under each explanation, and what would tell these apart.
std::vector<ReportSection> verdict_sections(std::vector<Result> const& results);

/// Strategies compared: paired differences to the baseline with 95 % intervals, the probability of
/// being best, and makespan against badput.
ReportPart comparison_section(std::vector<Result> const& results);

/// Which submissions a campaign's makespan hung on, of results with chains.
std::vector<ReportSection> critical_path_sections(std::vector<Result> const& results);

/// For each cause of failure how often the next attempt succeeded, and what that hung on. Nothing where
/// no attempt failed, or of an undated history.
ReportPart retries_section(OneCampaign const& campaign,
                           std::vector<OneCampaign> const& others = {});

/// What each job did when, as bars on slots and jobs. Of a dated history; the reason why there is no
/// section otherwise. `others`: the same under other strategies, one of which is picked.
ReportPart gantt_section(OneCampaign const& campaign, std::vector<OneCampaign> const& others = {});

/// Caches and links: traffic over time, hit ratios, how many transfers ran at a time, and when
/// caches or the origin were overloaded. Of a simulated campaign from what its resources did; of a
/// log from its transfers, and from the URLs in its ads where there are any.
ReportPart traffic_section(OneCampaign const& campaign,
                           std::vector<OneCampaign> const& others = {});

/// The sites beside each other: how long transfers and executions took there, stalls, holds and
/// evictions. `campaign` (may be null) and `others` give the times; counts and sums are of the results.
ReportPart site_section(std::vector<Result> const& results, OneCampaign const* campaign,
                        std::vector<OneCampaign> const& others = {});
/// The jobs of a campaign, a row each. `linked`: the page has a Gantt chart to jump to.
ReportPart job_section(ResultLedger const& ledger, bool linked);
ReportPart job_section(OneCampaign const& campaign, std::vector<OneCampaign> const& others,
                       bool linked);

/// What was observed beside what was predicted: each figure of the record in its predicted interval.
/// Empty (with nothing to say) if no result was held against a record.
ReportPart observed_section(std::vector<Result> const& results);

/// Where the figures come from: the command, versions, seed, the scenario as it was read, and the
/// SHA-256 of all that went in.
ReportSection provenance(std::vector<Result> const& results, std::string const& created_by,
                         std::string const& command, std::vector<InputFileFact> const& inputs);

// What each job did when, as bars on slots and jobs: one replica or a real log.
//
// Phases of an attempt: matched until its input transfer starts, transfer (stalled where the
// attempt ended for a stall or lack of progress), executing, checkpoint, suspended, disconnected,
// transfer of the output. Waiting and held have no slot. An attempt that was lost ends in a short
// bar "evicted" that carries its reason. Beyond `most_gantt_bars` bars neighbours on a lane are
// merged into bins of time, each shown as the phase that most of its time went to.

inline constexpr std::size_t most_gantt_bars = 10000;
inline constexpr std::size_t most_gantt_jobs = 2000;  // beyond: the worst ones

/// Lanes, jobs, reasons and bars, before any are merged, of the jobs for which `shown` is true. Jobs,
/// lanes and reasons keep their order in the history. A lost attempt's reason has the log's own
/// words, where `words` has any of that job and second.
Gantt gantt_bars(history::JobHistory const& history, std::vector<bool> const& shown,
                 std::vector<condor::LoggedWords> const& words = {});

/// Bars merged until there are at most `most`.
void aggregate(Gantt& gantt, std::size_t most);

}  // namespace gridcast::report
