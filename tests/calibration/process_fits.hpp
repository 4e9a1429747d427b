// Fits of the processes (calibration/processes) to records that tests make.
#pragma once

#include <cmath>
#include <string_view>

#include "calibration/processes/processes.hpp"

namespace gridcast::test {

/// Columns that processes give of a log's records; of all of them, or of the named one. The typical
/// times are seconds of a whole job at each site.
inline calibration::Fit log_columns(history::JobHistory const& history,
                                    calibration::AttemptRecords const& records,
                                    calibration::TypicalTimes const& typical_times,
                                    std::size_t draws, std::string_view of = {}) {
  calibration::TransferFitInput const input;
  calibration::LogEvidence const evidence{history, records, typical_times,
                                          input,   draws,   RandomStreams(1, 0)};
  calibration::Fit fit;
  for (calibration::Process const& process : calibration::all_processes()) {
    bool const wanted = of.empty() || process.described.name == of;
    if (process.fit_log && wanted) process.fit_log(evidence, fit);
  }
  return fit;
}

/// The same of a table's records.
inline calibration::Fit table_columns(calibration::TableRecords const& records, std::size_t draws,
                                      std::string_view of = {}) {
  calibration::Fit fit;
  // Each of fifteen slots, the middle of 4 to 60, takes a job in a cycle of 60 s.
  double const failing_starts = std::sqrt(4.0 * 60.0) / 60;
  calibration::TableEvidence const evidence(records, draws, RandomStreams(1, 0), failing_starts);
  for (calibration::Process const& process : calibration::all_processes()) {
    bool const wanted = of.empty() || process.described.name == of;
    if (process.fit_table && wanted) process.fit_table(evidence, fit);
  }
  return fit;
}

}  // namespace gridcast::test
