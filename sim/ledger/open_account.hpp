// What is known of one job while its events pass: where it is, and which of its time has found no
// line of the ledger yet, as that depends on how the job goes on.
#pragma once

#include <cstdint>

#include "sim/history/job_event.hpp"
#include "sim/ledger/endings.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/ledger/time_classes.hpp"

namespace gridcast::ledger {

/// A list of times, each at a site, all jobs' lists in one vector: the index of the newest entry.
using SpanList = std::uint32_t;
inline constexpr SpanList no_spans = static_cast<SpanList>(-1);

struct OpenAccount {
  Seconds since;  // last event
  TimeClasses classes;

  // Not settled: the last transfer and the last execution, the latter since the last checkpoint.
  Seconds transfer, execution;
  SpanList earlier_transfers = no_spans;
  SpanList checkpointed = no_spans;  // execution that is safe
  Seconds retried;                   // sum of earlier_transfers

  Seconds first_match;
  Seconds safe_since;      // begin of the claim, or its last checkpoint
  Seconds output;          // of the output transfer under way: checkpoint or result, it will show
  Seconds away;            // of the disconnection under way
  Id<history::Site> site;  // of this claim, or the last one
  Id<history::Site> transfer_site, execution_site;
  std::uint32_t stalls = 0, attempts = 0, executions = 0, holds = 0;

  TimeClass doing = TimeClass::idle;
  TimeClass before_suspension = TimeClass::execute;
  TimeClass before_disconnection = TimeClass::execute;
  Standing standing = Standing::unfinished;
  EndingTable::Row hold_row = 0;  // while held
  bool seen = false, matched = false, has_transfer = false, has_execution = false;
  bool hold_ended_execution = false;
  bool output_ended_execution = false;  // held for its output: the program had come to its end

  bool on_slot() const { return has_slot(doing); }
};

}  // namespace gridcast::ledger
