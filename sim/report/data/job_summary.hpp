// One job of a history in the figures that schedulers' traces have: when it was submitted, when its
// last execution began and ended, how it stands.
//
// The last execution is that of the last attempt that executed, from its 001 to its end or to the
// transfer of its output, with what interrupted it (suspensions, lost contact, checkpoints).
#pragma once

#include <optional>
#include <vector>

#include "sim/history/attempts.hpp"
#include "sim/ledger/ledger.hpp"

namespace gridcast::report {

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

}  // namespace gridcast::report
