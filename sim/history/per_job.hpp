// Something of each job that is only needed for a while: made when it is first asked for, forgotten
// when the job is settled. A campaign of a million jobs has a few thousand that are under way; the
// others cost four bytes here.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/history/job_event.hpp"

namespace gridcast::history {

template <class T>
class PerJob {
 public:
  /// So many jobs will be asked about.
  void reserve(std::size_t jobs) { place_.reserve(jobs); }

  /// A reference is good until the job is forgotten.
  T& operator[](Id<Job> job) {
    if (job.index() >= place_.size()) place_.resize(job.index() + 1, nowhere);
    std::uint32_t& place = place_[job.index()];
    if (place == nowhere) place = new_place();
    return things_[place];
  }

  /// Null if there is nothing of the job.
  T const* find(Id<Job> job) const {
    if (job.index() >= place_.size() || place_[job.index()] == nowhere) return nullptr;
    return &things_[place_[job.index()]];
  }

  void forget(Id<Job> job) {
    if (!find(job)) return;
    std::uint32_t const place = place_[job.index()];
    place_[job.index()] = nowhere;
    things_[place] = T{};
    free_.push_back(place);
  }

  /// Jobs up to the last that anything was asked of.
  std::size_t jobs() const { return place_.size(); }

 private:
  static constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);

  std::uint32_t new_place() {
    if (!free_.empty()) {
      std::uint32_t const place = free_.back();
      free_.pop_back();
      return place;
    }
    things_.emplace_back();
    return static_cast<std::uint32_t>(things_.size() - 1);
  }

  std::vector<std::uint32_t> place_;  // by job
  std::deque<T> things_;
  std::vector<std::uint32_t> free_;
};

}  // namespace gridcast::history
