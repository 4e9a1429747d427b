// Late materialisation: the schedd makes jobs of a submission one by one, so that no more than
// max_idle are idle and no more than max_materialize are in the queue (condor_submit, "max_idle",
// "max_materialize"). A job that is held for good gives up its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "sim/base/id.hpp"
#include "sim/history/job_event.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::engine {

struct QueueCounts {
  int idle = 0;      // in the queue and idle
  int in_queue = 0;  // not yet settled
};

class Factory {
 public:
  explicit Factory(scenario::Campaign const& campaign)
      : max_idle_(campaign.max_idle), max_materialize_(campaign.max_materialize) {}

  bool limited() const { return max_idle_ > 0 || max_materialize_ > 0; }
  void add(std::size_t first, int count) {
    for (int i = 0; i < count; ++i) waiting_.emplace_back(first + static_cast<std::size_t>(i));
  }
  bool empty() const { return waiting_.empty(); }

  /// The next job to make, if there is one and the limits allow it.
  std::optional<Id<history::Job>> next(QueueCounts const& counts) {
    bool const full = (max_idle_ > 0 && counts.idle >= max_idle_) ||
                      (max_materialize_ > 0 && counts.in_queue >= max_materialize_);
    if (waiting_.empty() || full) return {};
    Id<history::Job> const job = waiting_.front();
    waiting_.pop_front();
    return job;
  }

 private:
  int max_idle_, max_materialize_;
  std::deque<Id<history::Job>> waiting_;
};

}  // namespace gridcast::engine
