// DAGMan: which submissions of a campaign may be made, as those that they wait for succeed and their
// categories have room; and how often a job that failed is submitted again.
//
// A node succeeds when all of its jobs did. What waits for a node that did not is never submitted, as
// DAGMan ends when nothing else can be done. DAGMan looks every few seconds
// (DAGMAN_USER_LOG_SCAN_INTERVAL, 5 s) and submits five nodes at a time; here both take no time. A
// retry of DAGMan's is a job of its own; here it is the same job, which is idle again.
// HTCondor manual, "DAGMan Workflows", "Configuration Macros for DAGMan".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_event.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/node_order.hpp"

namespace gridcast::engine {

class DagQueue {
 public:
  explicit DagQueue(scenario::Campaign const& campaign);

  /// False where every submission is made at its own time, whatever becomes of the others.
  bool used() const { return used_; }

  struct Node {
    std::size_t number = 0;  // of the submission
    std::size_t first = 0;   // job
    int jobs = 0;
    Seconds at, delay;
  };
  /// Submissions that can be made now and were not yet.
  std::vector<Node> take_ready();

  enum class Result { succeeded, failed };
  /// A job will not run again. Returns the jobs that now never will be submitted.
  std::vector<Id<history::Job>> settled(Id<history::Job> job, Result result);
  /// Nothing will be submitted any more.
  std::vector<Id<history::Job>> give_up();

  /// Whether the job may be submitted once more after it failed with this exit code; counts it.
  bool retry(Id<history::Job> job, int exit_code);

 private:
  enum class State : std::uint8_t { waits, ready, submitted, succeeded, never };
  struct NodeState {
    std::size_t first = 0;
    std::size_t waits_for = 0;  // parents that have not succeeded
    int left = 0;               // jobs that are not settled
    bool failed = false;
    State state = State::waits;
  };

  std::size_t node_of(Id<history::Job> job) const;
  void make_ready(std::size_t node);
  bool has_room(std::string const& category) const;
  std::optional<std::size_t> next_ready() const;
  void count(std::size_t node, int change);
  void never(std::size_t node, std::vector<Id<history::Job>>& jobs);

  scenario::Campaign const& campaign_;
  bool used_;
  scenario::NodeOrder order_;
  std::vector<NodeState> nodes_;
  std::vector<std::uint32_t> retries_;                  // of jobs, so far
  std::map<std::string, int> in_category_;              // submitted and not over
  std::map<std::string, int> most_;                     // of a category
  std::map<std::string, std::set<std::size_t>> ready_;  // by category, "" too
  int in_queue_ = 0;
};

}  // namespace gridcast::engine
