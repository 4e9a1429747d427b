// The order in which jobs that have never had a slot become ready to start.
//
// Jobs that are in the queue are ready now, in the order in which they were submitted. The jobs of
// a DAG's node that is not submitted yet are ready when all jobs of its parents have succeeded. If
// one of those does not succeed, they are never ready.
#pragma once

#include <cstddef>
#include <optional>
#include <queue>
#include <vector>

#include "sim/running/running_campaign.hpp"

namespace gridcast::running {

class StartOrder {
 public:
  explicit StartOrder(RunningCampaign const& campaign);

  /// The job is over, at this time after now.
  void over(std::size_t job, Seconds at, bool succeeded);

  struct Ready {
    Seconds at;     // after now
    Seconds since;  // of RunningJob, for jobs that are ready at the same time
    std::size_t job = 0;

    bool operator>(Ready const& other) const;
  };
  /// The next job. None: no other job becomes ready before another one is over.
  std::optional<Ready> next();

 private:
  struct Node {
    std::size_t parents_left = 0, jobs_left = 0;
    bool failed = false;
    Seconds ready, end;
    std::vector<std::size_t> children = {};
  };
  void make_ready(std::size_t node);
  void push(std::size_t job, Seconds at);

  RunningCampaign const& campaign_;
  std::vector<Node> nodes_;
  std::vector<std::optional<std::size_t>> node_of_;  // by job; empty without nodes
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

}  // namespace gridcast::running
