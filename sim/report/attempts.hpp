// A history told by attempts (a match to its end) and by transfers, for analysis by row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast {

struct Attempt {
  Id<Job> job;
  int number = 0;  // of the job's attempts, from 1
  Id<Site> site;
  std::uint32_t slot = 0;
  Seconds matched;
  std::optional<Seconds> transfer_started, transfer_ended;  // input
  std::optional<Seconds> execute_started, execute_ended;
  std::optional<Seconds> output_started, output_ended;
  std::optional<Seconds> ended;  // none: the history ends first
  EventKind end = EventKind::matched;
  Reason reason = Reason::none;
  bool useful = true;  // of those that terminated

  std::optional<Seconds> transfer() const;
  std::optional<Seconds> execution() const;
};

/// In the order of their matches.
std::vector<Attempt> attempts_of(JobHistory const& history);

/// attempts.csv: one row an attempt.
std::string attempts_csv(JobHistory const& history);
/// transfers.csv: one row a transfer, input or output.
std::string transfers_csv(JobHistory const& history);

}  // namespace gridcast
