// Data that are kept of jobs during a campaign.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/base/index_set.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::history {

/// Data of each job that is only needed for a while: made at its first use, forgotten when the job
/// is settled. A campaign of a million jobs has a few thousand that are under way; the others cost
/// four bytes here.
template <class T>
class PerJob {
 public:
  /// Reserves space for so many jobs.
  void reserve(std::size_t jobs) { place_.reserve(jobs); }

  /// A reference is good until the job is forgotten.
  T& operator[](Id<Job> job) {
    return get(job, [](T&) {});
  }
  /// The same; `begin` is called with a new one.
  template <class Begin>
  T& get(Id<Job> job, Begin begin) {
    if (job.index() < place_.size()) {
      std::uint32_t const place = place_[job.index()];
      if (place != nowhere) return at(place);
    }
    T& thing = make(job);
    begin(thing);
    return thing;
  }

  /// Null if there is nothing of the job.
  T const* find(Id<Job> job) const {
    if (job.index() >= place_.size() || place_[job.index()] == nowhere) return nullptr;
    return &at(place_[job.index()]);
  }

  void forget(Id<Job> job) {
    if (!find(job)) return;
    std::uint32_t const place = place_[job.index()];
    place_[job.index()] = nowhere;
    at(place) = T{};
    free_.push_back(place);
  }

  /// Number of jobs up to the last one used.
  std::size_t jobs() const { return place_.size(); }

 private:
  static constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);
  // Chunks keep the number of pointers small: a deque has one for each thing of this size.
  static constexpr std::size_t of_a_chunk = 32;
  using Chunk = std::array<T, of_a_chunk>;

  [[gnu::noinline]] T& make(Id<Job> job) {
    if (job.index() >= place_.size()) place_.resize(job.index() + 1, nowhere);
    return at(place_[job.index()] = new_place());
  }
  std::uint32_t new_place() {
    if (!free_.empty()) {
      std::uint32_t const place = free_.back();
      free_.pop_back();
      return place;
    }
    if (made_ % of_a_chunk == 0) chunks_.push_back(std::make_unique<Chunk>());
    return made_++;
  }
  T& at(std::uint32_t place) const { return (*chunks_[place / of_a_chunk])[place % of_a_chunk]; }

  std::vector<std::uint32_t> place_;  // by job
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::uint32_t made_ = 0;
  std::vector<std::uint32_t> free_;
};

/// Jobs are settled in any order. The actions that follow (a sum, a line of a file) are wanted in
/// the order of the jobs, to be the same for each order of settling. Jobs that are settled wait for
/// those before them, but no more than so many at a time: beyond that the first of them goes ahead,
/// or one job that is held for weeks would keep a whole campaign in memory.
class JobOrder {
 public:
  static constexpr std::size_t usual_most = 50'000;

  explicit JobOrder(std::size_t most_waiting = usual_most) : most_(most_waiting) {}

  /// Calls `use` with each job whose turn it is now.
  template <class Use>
  void settled(Id<Job> job, Use use) {
    waiting_.insert(job.number());
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
