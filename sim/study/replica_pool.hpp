// Many replicas, in child processes (SimGrid has one engine a process, and a child that dies must
// not take the study with it), each of which plays one after the other. The parent has built
// everything before it forks, so children share it copy on write and send back compact records. A
// replica that shares links by SimGrid's flows is its child's last: such a platform cannot be taken
// down.
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

/// Runs task(0) .. task(n - 1) in at most `processes` (1 or more) children at a time, in fewer
/// where the machine gives no more. The result does not depend on how many. SIGINT, SIGTERM or
/// SIGHUP stops starting new ones, ends the running ones and marks the result as interrupted; so
/// does a machine that gives no process for a minute. A child that has computed for longer than
/// `patience`, or has done nothing for as long, counts as failed; time in which the machine slept
/// does not count. What `journal` (may be null) holds is not played again; what comes back is added
/// to it.
PoolResult run_replicas(std::size_t n, unsigned processes,
                        std::function<Record(std::uint32_t replica)> const& task,
                        Progress const& progress = {},
                        std::chrono::milliseconds patience = default_patience,
                        Journal* journal = nullptr);

}  // namespace gridcast::study
