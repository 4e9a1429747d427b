// Simulates many replicas in child processes, one after the other in each child. SimGrid has one
// engine per process, and a child that dies does not end the study. The parent builds everything
// before it forks: children share it (copy on write), and they return small records. A replica that
// shares links by SimGrid's flows is the last of its child, because such a platform cannot be
// removed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/study/journal.hpp"

namespace gridcast::study {

struct FailedReplica {
  std::uint32_t replica = 0;
  std::string why;  // "killed by signal 6 (Aborted)", an exception's text, ...
};

struct PoolResult {
  std::vector<std::pair<std::uint32_t, Record>> records;  // ordered by replica number
  std::vector<FailedReplica> failed;                      // likewise
  bool interrupted = false;
  std::vector<Problem> trouble = {};  // of the machine: no process left, a journal that has ended
};

/// Called in the parent after each replica: done (failed ones too), failed, total.
using Progress = std::function<void(std::size_t done, std::size_t failed, std::size_t total)>;

inline constexpr std::chrono::milliseconds default_patience = std::chrono::minutes(10);

/// Runs task(0) .. task(n - 1) in at most `processes` (1 or more) children at a time, in fewer if
/// the machine has no more. The result does not depend on their number. SIGINT, SIGTERM or SIGHUP
/// ends the running children, starts no new ones and marks the result as interrupted; so does a
/// machine without a process for a minute. A child fails if it computes for longer than `patience`,
/// or does nothing for as long; time in which the machine sleeps does not count. The replicas in
/// `journal` (may be null) are not simulated again, and new ones are added to it.
PoolResult run_replicas(std::size_t n, unsigned processes,
                        std::function<Record(std::uint32_t replica)> const& task,
                        Progress const& progress = {},
                        std::chrono::milliseconds patience = default_patience,
                        Journal* journal = nullptr);

}  // namespace gridcast::study
