// A history as tables for pandas, R and spreadsheets: jobs, attempts, transfers, sites, caches and
// transfers of URLs if they are known, and a dictionary of all columns. Times are seconds since the
// campaign's first event. Columns have the names of Batsim's columns of the same meaning
// (batsim.readthedocs.io, "Batsim outputs", jobs file).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/condor/log/read_log.hpp"
#include "sim/history/attempts.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/data/csv.hpp"

namespace gridcast::report {

/// The caches of a simulated campaign; empty for a record.
struct CacheContext {
  std::vector<std::string> names = {};             // as CacheSample::cache counts them
  std::vector<Bytes> disks = {};                   // likewise: how much they may use
  std::vector<history::CacheSample> samples = {};  // in order of time
};

/// jobs.csv, attempts.csv, transfers.csv, sites.csv; url_transfers.csv and caches.csv if the source
/// contains them; record.csv (gridcast.attempts/1); columns.csv. `runs`: as for attempts_csv.
std::vector<NamedText> campaign_tables(history::JobHistory const& history,
                                       CacheContext const& caches,
                                       std::vector<condor::LoggedRun> const& runs = {});

/// The names of all possible tables, without ".csv".
std::vector<std::string> campaign_table_names();

/// columns.csv: table, column, unit, meaning of every column of every table.
std::string column_dictionary();

// Attempts and their transfers as lines of CSV, for analysis by row. attempts.csv has one line per
// attempt, transfers.csv one line per transfer of input, of a stored checkpoint, or of output.

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
