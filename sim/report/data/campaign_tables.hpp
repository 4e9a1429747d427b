// A history as tables for pandas, R and spreadsheets: jobs, attempts, transfers, sites, and where
// they are known caches and transfers of URLs, with a dictionary of all columns. Times are plain
// seconds since the campaign's first event. Columns are named as Batsim's where they mean the same
// (batsim.readthedocs.io, "Batsim outputs", jobs file).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/condor/log/read_log.hpp"
#include "sim/history/attempts.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/report/trace/trace.hpp"

namespace gridcast::report {

/// One job in the figures that schedulers' traces have: when it was submitted, when its last
/// execution began and ended, how it stands. The last execution is that of the last attempt that
/// executed, from its 001 to its end or to the transfer of its output, with what interrupted it
/// (suspensions, lost contact, checkpoints).
struct JobSummary {
  Id<history::Job> job;
  ledger::Standing standing = ledger::Standing::unfinished;
  std::optional<Seconds> submitted;                       // its first event, in any history
  std::optional<Seconds> execution_begin, execution_end;  // of the last execution
  std::optional<Seconds> finished;                        // left the queue, or was held for good
  std::uint32_t attempts = 0;
  Id<history::Site> site;  // of the last attempt
  std::uint32_t slot = 0;  // likewise
};

/// By Id<Job>.
std::vector<JobSummary> summaries_of(history::JobHistory const& history,
                                     std::vector<history::PhaseSpan> const& spans);

/// jobs.csv, attempts.csv, transfers.csv, sites.csv; url_transfers.csv and caches.csv where the
/// source knows them; record.csv, which is gridcast.attempts/1; columns.csv. `runs`: as
/// attempts_csv has them.
std::vector<NamedText> campaign_tables(history::JobHistory const& history,
                                       TraceContext const& context,
                                       std::vector<condor::LoggedRun> const& runs = {});

/// The names of all tables that there can be, without ".csv".
std::vector<std::string> campaign_table_names();

/// columns.csv: table, column, unit, meaning of every column of every table.
std::string column_dictionary();

// Attempts and their transfers as lines of CSV, for analysis by row: attempts.csv has one line an
// attempt, transfers.csv one a transfer: input, a checkpoint that was stored, output.

inline constexpr std::string_view attempts_header =
    "job,attempt,site,slot,matched_s,transfer_started_s,transfer_ended_s,execute_started_s,"
    "execute_ended_s,ended_s,end,reason\n";
inline constexpr std::string_view transfers_header =
    "job,attempt,site,slot,direction,started_s,ended_s,duration_s,result,reason\n";

class AttemptRows {
 public:
  explicit AttemptRows(history::JobHistory const& names);

  /// Add lines to a text.
  void add_attempt(std::string& text, history::Attempt const& attempt) const;
  void add_transfers(std::string& text, history::Attempt const& attempt) const;

 private:
  void add_place(std::string& text, history::Attempt const& attempt) const;
  void add_transfer(std::string& text, history::Attempt const& attempt, bool input) const;
  void add_checkpoint(std::string& text, history::Attempt const& attempt,
                      history::Attempt::Checkpoint const& checkpoint) const;

  history::JobHistory const& names_;
  std::vector<std::string> sites_;  // cells of their names
};

}  // namespace gridcast::report
