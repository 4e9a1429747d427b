// Job tables: one row a job, as campaign reports print them (data set osg-imagenet). Columns:
//   cluster, proc            the job
//   sites                    in order of attempts, '|' between; empty if never known
//   outcome                  success | wrong_output | held_404 | held_duration | held_transfer |
//                            held_size | removed_stuck | unfinished
//   execute_s, slot_busy_s   one value for each reported execution, '|' between; may be empty
//   input_transfer_total_s   from the first input transfer's start (the match, as far as logs show
//                            it) to data in place: all attempts, and all waiting between
//   input_transfer_last_s    the attempt that succeeded (empty: same as the total when nothing was
//                            retried, else not known)
//   stalls, holds_released, evictions   counts
//   note                     free text, ignored
//   user                     whose job it is; only where there are several users
//
// A table is an instrument with a coarse scale: it keeps sums, no dates, and does not separate
// evicted computing or waiting from transfers. `to_history` and `to_table` convert both ways: a
// simulation can be seen through the same instrument as the real campaign.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/history/attempt_stream.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/per_job.hpp"

namespace gridcast::history {

enum class Outcome {
  success,
  wrong_output,
  held_404,
  held_duration,
  held_transfer,  // transfer failures other than 404
  held_size,      // input over the transfer limit
  removed_stuck,
  unfinished,
};

std::string_view name(Outcome outcome);
bool is_held(Outcome outcome);

struct JobRow {
  JobName name;
  std::vector<std::string> sites;
  Outcome outcome = Outcome::success;
  std::vector<Seconds> execute;    // last one is the final execution
  std::vector<Seconds> slot_busy;  // same length as execute or shorter
  std::optional<Seconds> transfer_total;
  std::optional<Seconds> transfer_last;
  int stalls = 0;
  int holds_released = 0;
  int evictions = 0;
  std::string note;
  std::string user = {};

  /// Site of the last attempt; empty if not known.
  std::string last_site() const { return sites.empty() ? std::string() : sites.back(); }
};

struct JobTable {
  std::vector<JobRow> rows;
};

/// Reads one CSV, plain, gzip or zstd (RFC 4180, header row required, columns in any order). Throws
/// InputError with every bad row and cell (file:line:column): missing column, wrong number of
/// cells, not a number, negative, unknown outcome, last > total, the same job twice, no rows.
JobTable read_job_table(std::filesystem::path const& file);

/// Several files as one campaign; the same job in two files is a problem.
JobTable read_job_tables(std::vector<std::filesystem::path> const& files);

/// Each row becomes the shortest history that gives its figures: submitted and matched at 0; each
/// stall, hold and eviction an attempt of equal length (total - last shared out); the last
/// transfer; the execution; the end. dated = false, retries_opaque = true. Executions before the
/// final one go onto `evicted` events as their `executed` time, which lies within the retried time.
/// First match to completion is total - last + slot busy. Not kept: sites visited twice in a row,
/// slot busy of earlier executions, notes.
JobHistory to_history(JobTable const& table);
/// The same of one row: its events, and the names of its sites, are added to a history.
void add_to_history(JobRow const& row, Id<Job> job, JobHistory& history, SiteNames& site_named);

/// A report in this form for a history, simulated or real. Jobs that never matched have no transfer
/// figures; executions are listed only if the last attempt got that far.
JobTable to_table(JobHistory const& history);
/// A table as written from logs, whose times are whole seconds.
JobTable in_whole_seconds(JobTable table);

/// Follows one job and fills in its row, all but its name: the notes of a person who reads the job
/// event logs with a pencil as the events come.
class JobRowReader {
 public:
  JobRowReader() { row_.outcome = Outcome::unfinished; }

  void add(AttemptStep const& step, std::vector<std::string> const& sites);
  JobRow finish();

 private:
  void note(JobEvent const& event);
  void begin_attempt(JobEvent const& event, std::vector<std::string> const& sites);
  void begin_transfer(Seconds at);
  void end_transfer(Seconds at);
  void end_execution(Seconds at);
  void end_attempt(JobEvent const& event);

  JobRow row_;
  std::optional<Seconds> first_transfer_, last_transfer_, transfer_ended_;
  std::optional<Seconds> executing_since_;
  Seconds matched_;
  bool executed_in_last_attempt_ = false;
};

/// The rows of a campaign while it happens.
class JobRows {
 public:
  /// From `names`, only the names of jobs, sites and users are used.
  explicit JobRows(JobHistory const& names) : names_(names) {}

  void add(AttemptStep const& step) {
    bool const starts_row = step.event.kind != EventKind::submitted;
    if (starts_row) readers_[step.event.job].add(step, names_.sites);
  }
  /// The row of a job whose events have all come.
  JobRow take(Id<Job> job);

 private:
  JobHistory const& names_;
  PerJob<JobRowReader> readers_;
};

/// Its first line, and one row, added to a text; with the column `user` or without.
std::string job_table_header(bool users);
void add_csv_row(std::string& text, JobRow const& row, bool users);

// The site of a record that names none. Logs of HTCondor 7 and 8 contain an address alone, and
// tables may lack a column of sites. Pools, forecasts and fits need a site all the same.

inline constexpr std::string_view unknown_site = "(unknown)";

/// True if no event is at a site, or all with a site are at the unknown one.
bool names_no_site(JobHistory const& history);

/// Puts the attempts of a record that names no site at the unknown site.
void name_unknown_site(JobHistory& history);
void name_unknown_site(JobTable& table);

}  // namespace gridcast::history
