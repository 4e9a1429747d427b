#include "sim/study/replica_pool.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <poll.h>

#include "sim/base/error.hpp"
#include "sim/study/interrupt.hpp"

namespace gridcast::study {
namespace {

using Clock = ReplicaProcess::Clock;

class ChildPool {
 public:
  ChildPool(std::size_t n, unsigned processes, std::function<Record(std::uint32_t)> const& task,
            Progress const& progress, Clock::duration patience, Journal* journal)
      : n_(n),
        processes_(processes),
        task_(task),
        progress_(progress),
        patience_(patience),
        journal_(journal),
        known_(n) {
    if (journal) take_known();
  }

  PoolResult run() {
    skip_known();
    while (!watch_.requested() && (next_ < n_ || !running_.empty())) {
      while (next_ < n_ && running_.size() < processes_) {
        running_.emplace_back(static_cast<std::uint32_t>(next_++), task_, watch_);
        skip_known();
      }
      wait();
    }
    result_.interrupted = done() < n_;
    sort_result();
    return std::move(result_);
  }

 private:
  void take_known() {
    for (auto const& [replica, record] : journal_->records()) {
      if (replica >= n_) continue;
      known_[replica] = true;
      result_.records.emplace_back(replica, record);
    }
  }

  void skip_known() {
    while (next_ < n_ && known_[next_]) ++next_;
  }

  std::size_t done() const { return result_.records.size() + result_.failed.size(); }

  /// Until a child has something to say, the slowest has used up our patience, or a signal.
  void wait() {
    std::vector<pollfd> pipes;
    auto oldest = Clock::time_point::max();
    for (auto const& child : running_) {
      pipes.push_back({child.descriptor(), POLLIN, 0});
      oldest = std::min(oldest, child.started());
    }
    auto const left = std::max(oldest + patience_ - Clock::now(), Clock::duration::zero());
    auto const ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    constexpr long giga = 1000000000;
    timespec const timeout = {ns / giga, ns % giga};
    if (::ppoll(pipes.data(), pipes.size(), &timeout, &watch_.wait_mask()) >= 0) collect(pipes);
  }

  void collect(std::vector<pollfd> const& pipes) {
    auto const now = Clock::now();
    for (std::size_t i = pipes.size(); i-- > 0;) {
      auto& child = running_[i];
      if (pipes[i].revents != 0) {
        if (child.read_available()) finish(i, child.outcome());
      } else if (now - child.started() >= patience_) {
        finish(i, child.end("not done after " + patience_text()));
      }
    }
  }

  std::string patience_text() const {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(patience_).count()) +
           " s of waiting";
  }

  void finish(std::size_t i, ReplicaOutcome outcome) {
    std::uint32_t const replica = running_[i].replica();
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    if (outcome.record) {
      if (journal_) journal_->add(replica, *outcome.record);
      keep(replica, *outcome.record);
    } else {
      result_.failed.push_back({replica, std::move(outcome.why)});
    }
    if (progress_) progress_(done(), result_.failed.size(), n_);
  }

  /// Room is taken for many records at once, so that the parent does not grow from replica to
  /// replica.
  void keep(std::uint32_t replica, Record const& record) {
    constexpr std::size_t most = 16384;
    if (room_.empty()) {
      room_.assign(std::min(n_ - done(), most), record);
      result_.records.reserve(result_.records.size() + room_.size());
    }
    room_.back() = record;
    result_.records.emplace_back(replica, std::move(room_.back()));
    room_.pop_back();
  }

  void sort_result() {
    std::sort(result_.records.begin(), result_.records.end(),
              [](auto const& a, auto const& b) { return a.first < b.first; });
    std::sort(result_.failed.begin(), result_.failed.end(),
              [](auto const& a, auto const& b) { return a.replica < b.replica; });
  }

  std::size_t n_, processes_, next_ = 0;
  std::function<Record(std::uint32_t)> const& task_;
  Progress const& progress_;
  Clock::duration patience_;
  Journal* journal_;
  std::vector<bool> known_;  // by replica: in the journal
  InterruptWatch watch_;
  std::vector<ReplicaProcess> running_;
  std::vector<Record> room_;  // for the records that are still to come
  PoolResult result_;
};

}  // namespace

PoolResult run_replicas(std::size_t n, unsigned processes,
                        std::function<Record(std::uint32_t replica)> const& task,
                        Progress const& progress, std::chrono::milliseconds patience,
                        Journal* journal) {
  check(processes > 0, "replicas run in at least one process");
  // What is still buffered here would be in each child's buffer too.
  std::fflush(nullptr);
  std::cout.flush();
  return ChildPool(n, processes, task, progress, patience, journal).run();
}

}  // namespace gridcast::study
