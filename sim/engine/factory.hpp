// Late materialisation: the schedd makes the jobs of a cluster one by one. No more than max_idle
// are idle or held, and no more than max_materialize are in the queue, held ones too
// (condor_submit, "max_idle", "max_materialize"; CheckMaterializePolicyExpression of the schedd).
//
// Each node of a DAG is a cluster with limits of its own; a campaign without nodes is one cluster.
//
//   Factory factory(campaign);
//   factory.add(0, 0, 100);
//   while (auto const job = factory.next()) { ... }
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::engine {

/// Of a cluster.
struct QueueCounts {
  int not_running = 0;  // idle or held
  int in_queue = 0;     // not yet settled
  int left_held = 0;    // for good: they stay in the queue

  void entered() {
    ++in_queue;
    ++not_running;
  }
  void settled(history::JobStatus as) {
    --in_queue;
    if (as == history::JobStatus::held) ++left_held;
  }
  void changed(history::JobStatus before, history::JobStatus now) {
    auto const waits = [](history::JobStatus status) {
      return status == history::JobStatus::idle || status == history::JobStatus::held;
    };
    not_running += waits(now) - waits(before);
  }
};

class Factory {
 public:
  using Jobs = std::vector<Id<history::Job>>;

  explicit Factory(scenario::Campaign const& campaign)
      : max_idle_(campaign.max_idle), max_materialize_(campaign.max_materialize) {}

  bool limited() const { return max_idle_ > 0 || max_materialize_ > 0; }
  bool empty() const { return open_.empty(); }

  /// Jobs from `first` on, of a cluster; of a new one if none of its jobs is in the queue.
  void add(std::size_t cluster, std::size_t first, int count) {
    if (counts(cluster).in_queue == 0) counts(cluster) = {};
    auto& waiting = clusters_[cluster].waiting;
    if (waiting.empty() && count > 0) open_.push_back(cluster);
    for (int i = 0; i < count; ++i) waiting.emplace_back(first + static_cast<std::size_t>(i));
  }

  QueueCounts& counts(std::size_t cluster) {
    if (cluster >= clusters_.size()) clusters_.resize(cluster + 1);
    return clusters_[cluster].counts;
  }
  /// Of all clusters.
  int in_queue() const {
    int all = 0;
    for (Cluster const& each : clusters_) all += each.counts.in_queue;
    return all;
  }

  /// The next job to make, if there is one and the limits of its cluster allow it.
  std::optional<Id<history::Job>> next() {
    for (std::size_t const cluster : open_) {
      if (full(cluster)) continue;
      auto& waiting = clusters_[cluster].waiting;
      Id<history::Job> const job = waiting.front();
      waiting.pop_front();
      if (waiting.empty()) std::erase(open_, cluster);
      return job;
    }
    return {};
  }

  /// The jobs that are never made, as only jobs that nobody releases are in the queue.
  Jobs blocked() {
    Jobs jobs;
    for (std::size_t const cluster : std::vector(open_)) {
      if (counts(cluster).in_queue > 0 || !full(cluster)) continue;
      Jobs const own = drop(cluster);
      jobs.insert(jobs.end(), own.begin(), own.end());
    }
    return jobs;
  }

  /// The jobs of a cluster that were not made yet; now they will not be.
  Jobs drop(std::size_t cluster) {
    counts(cluster);
    auto& waiting = clusters_[cluster].waiting;
    Jobs const dropped(waiting.begin(), waiting.end());
    waiting.clear();
    std::erase(open_, cluster);
    return dropped;
  }

 private:
  struct Cluster {
    QueueCounts counts = {};
    std::deque<Id<history::Job>> waiting = {};
  };

  bool full(std::size_t cluster) const {
    auto const& [not_running, in_queue, left_held] = clusters_[cluster].counts;
    return (max_idle_ > 0 && not_running >= max_idle_) ||
           (max_materialize_ > 0 && in_queue + left_held >= max_materialize_);
  }

  int max_idle_, max_materialize_;
  std::vector<Cluster> clusters_;
  std::vector<std::size_t> open_;  // clusters with jobs that are not made yet, in order
};

}  // namespace gridcast::engine
