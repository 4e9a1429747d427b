// Jobs are settled in any order; what is done then (a sum, a line of a file) is wanted in the order
// of the jobs, so that it is the same however it came about. Jobs that are settled wait for those
// before them, but no more than so many at a time: beyond that the first of them goes ahead, or one
// job that is held for weeks would keep a whole campaign in memory.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/index_set.hpp"
#include "sim/history/job_event.hpp"

namespace gridcast::history {

class JobOrder {
 public:
  static constexpr std::size_t usual_most = 50'000;

  explicit JobOrder(std::size_t most_waiting = usual_most) : most_(most_waiting) {}

  /// Calls `use` with each job whose turn it is now.
  template <class Use>
  void settled(Id<Job> job, Use use) {
    waiting_.insert(static_cast<std::uint32_t>(job.index()));
    if (waiting_.size() > most_) take(*waiting_.begin(), use);
    for (;; ++next_) {
      if (next_ < done_.size() && done_[next_]) continue;
      if (waiting_.empty() || *waiting_.begin() != next_) return;
      take(next_, use);
    }
  }

  /// Calls `use` with the others of all `jobs`, settled or not.
  template <class Use>
  void finish(std::size_t jobs, Use use) {
    for (; next_ < jobs; ++next_) {
      if (next_ >= done_.size() || !done_[next_]) take(next_, use);
    }
  }

 private:
  template <class Use>
  void take(std::size_t job, Use use) {
    waiting_.erase(static_cast<std::uint32_t>(job));
    if (job >= done_.size()) done_.resize(job + 1);
    done_[job] = true;
    use(Id<Job>(job));
  }

  std::size_t most_;
  IndexSet waiting_;
  std::vector<bool> done_;
  std::size_t next_ = 0;  // all before it are done
};

}  // namespace gridcast::history
