// How far a study or a campaign is, on stderr: one line that is rewritten on a terminal, nothing
// elsewhere unless asked for. No colours, so nothing to switch off.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "sim/base/units.hpp"
#include "sim/study/replica_pool.hpp"

namespace gridcast::cli {

/// "412 of 1000 runs, 310/s, 2 s left, 1 failed".
std::string progress_line(std::size_t done, std::size_t failed, std::size_t total,
                          double elapsed_s);

/// "2024-09-02 13:20, 412000 of 1000000 jobs done, 131000/s, 4.5 s left": `at` in the campaign's
/// time, as a date of its event log.
std::string campaign_line(Seconds at, std::size_t done, std::size_t total, double elapsed_s);

class ProgressReport {
 public:
  /// `verbose`: plain lines, one every tenth of the way, where there is no terminal; `quiet`:
  /// nothing anywhere.
  ProgressReport(bool verbose, bool quiet);
  /// Wipes the line.
  ~ProgressReport();
  ProgressReport(ProgressReport const&) = delete;
  ProgressReport& operator=(ProgressReport const&) = delete;

  /// Valid as long as the report lives.
  study::Progress callback();
  /// Of one campaign; nothing in its first second.
  void campaign(Seconds at, std::size_t done, std::size_t total);

 private:
  using Clock = std::chrono::steady_clock;
  /// On a terminal: not too often. Else a line for each tenth, if asked for.
  bool due(std::size_t done, std::size_t total);
  void show(std::string const& line);
  double elapsed() const;

  bool terminal_, verbose_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point shown_;
  std::size_t tenths_ = 0;
};

}  // namespace gridcast::cli
