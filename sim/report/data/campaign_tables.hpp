// A history as tables for pandas, R and spreadsheets: jobs, attempts, transfers, sites, and where
// they are known caches and transfers of URLs, with a dictionary of all columns. Times are plain
// seconds since the campaign's first event. Columns are named as Batsim's where they mean the same
// (batsim.readthedocs.io, "Batsim outputs", jobs file).
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/csv_text.hpp"
#include "sim/report/trace/trace.hpp"

namespace gridcast::report {

/// jobs.csv, attempts.csv, transfers.csv, sites.csv; url_transfers.csv and caches.csv where the
/// source knows them; columns.csv.
std::vector<NamedText> campaign_tables(history::JobHistory const& history,
                                       TraceContext const& context);

/// The names of all tables that there can be, without ".csv".
std::vector<std::string> campaign_table_names();

/// columns.csv: table, column, unit, meaning of every column of every table.
std::string column_dictionary();

}  // namespace gridcast::report
