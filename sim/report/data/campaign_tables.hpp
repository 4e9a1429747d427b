// A history as tables for pandas, R and spreadsheets: jobs, attempts, transfers, sites,
// transfers of URLs if they are known, and a dictionary of all columns. Times are seconds since the
// campaign's first event. Columns have the names of Batsim's columns of the same meaning
// (batsim.readthedocs.io, "Batsim outputs", jobs file).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/data/csv.hpp"

namespace gridcast::report {

/// jobs.csv, attempts.csv, transfers.csv, sites.csv; url_transfers.csv if the source contains them;
/// columns.csv.
std::vector<NamedText> campaign_tables(history::JobHistory const& history);

/// The names of all possible tables, without ".csv".
std::vector<std::string> campaign_table_names();

/// columns.csv: table, column, unit, meaning of every column of every table.
std::string column_dictionary();

}  // namespace gridcast::report
