// One replica in a child process, and the pipe through which its record comes back.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "sim/study/interrupt.hpp"

namespace gridcast::study {

/// A child's answer: numbers whose meaning the caller knows. NaN stands for "not available".
using Record = std::vector<double>;

/// What became of a child: a record, or the reason why there is none.
struct ReplicaOutcome {
  std::optional<Record> record;
  std::string why;
};

/// A forked child that computes task(replica), writes the record to a pipe and is gone. It dies
/// with its parent, and when the object goes before it has answered.
class ReplicaProcess {
 public:
  using Clock = std::chrono::steady_clock;

  ReplicaProcess(std::uint32_t replica, std::function<Record(std::uint32_t)> const& task,
                 InterruptWatch const& watch);
  ~ReplicaProcess();
  ReplicaProcess(ReplicaProcess&& other) noexcept;
  ReplicaProcess& operator=(ReplicaProcess&& other) noexcept;

  std::uint32_t replica() const { return replica_; }
  int descriptor() const { return descriptor_; }
  Clock::time_point started() const { return started_; }

  /// Takes what the pipe holds; call when it is readable. True once the child has closed it.
  bool read_available();
  /// Waits for the child's end. After read_available() was true.
  ReplicaOutcome outcome();
  /// Ends the child by force.
  ReplicaOutcome end(std::string why);

 private:
  int reap();

  std::uint32_t replica_ = 0;
  pid_t child_ = -1;
  int descriptor_ = -1;
  Clock::time_point started_;
  std::string bytes_;
};

}  // namespace gridcast::study
