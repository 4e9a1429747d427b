// The jobs of the queue taken together: their owners and their shares of the slots, and which wait
// for others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/index_set.hpp"
#include "sim/base/units.hpp"
#include "sim/engine/clock.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::engine {

/// The idle jobs in the order in which the schedd offers them: as they were submitted (QDate, then
/// cluster and process: condor_schedd, prio_compar). A job that is submitted again, as
/// DAGMan's retries are, is the last.
class IdleJobs {
 public:
  explicit IdleJobs(scenario::Campaign const& campaign);

  class Iterator {
   public:
    Iterator(IdleJobs const& jobs, IndexSet::Iterator at) : jobs_(&jobs), at_(at) {}
    Id<history::Job> operator*() const { return jobs_->job_at(*at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(Iterator const& other) const { return at_ == other.at_; }

   private:
    IdleJobs const* jobs_;
    IndexSet::Iterator at_;
  };
  /// Jobs may be taken out meanwhile, the present one as well.
  Iterator begin() const { return {*this, places_.begin()}; }
  Iterator end() const { return {*this, places_.end()}; }
  std::vector<Id<history::Job>> all() const;
  std::size_t size() const { return places_.size(); }
  bool empty() const { return places_.empty(); }

  /// It has the last place from now on.
  void submitted(Id<history::Job> job);
  void insert(Id<history::Job> job) { places_.insert(place_of(job)); }
  void erase(Id<history::Job> job) { places_.erase(place_of(job)); }

 private:
  std::uint32_t place_of(Id<history::Job> job) const {
    return as_numbered_ ? job.number() : place_[job.index()];
  }
  Id<history::Job> job_at(std::uint32_t place) const {
    return as_numbered_ ? Id<history::Job>(place) : job_at_[place];
  }

  static constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);

  bool as_numbered_;                      // places are the jobs' numbers, and the vectors are empty
  std::vector<std::uint32_t> place_;      // by job
  std::vector<Id<history::Job>> job_at_;  // by place
  IndexSet places_;                       // of the idle jobs
};

/// The users with jobs in the queue, their slots and their priorities: the data with which a
/// negotiation cycle shares slots between users (spin_pie, below). A campaign of one user costs
/// nothing here.
class UserQueues {
 public:
  UserQueues(Clock const& clock, scenario::Campaign const& campaign, Seconds half_life);

  bool several() const { return users_.size() > 1; }
  /// A slot is the job's from now on, or no longer.
  void claimed(Id<history::Job> job) { several() ? count(job, true) : void(); }
  void released(Id<history::Job> job) { several() ? count(job, false) : void(); }

  /// Offers the users' idle jobs to `match` as their shares allow. `match` returns whether a slot
  /// suited, and then takes the job out of `idle`.
  void negotiate(IdleJobs const& idle, int free,
                 std::function<bool(Id<history::Job>)> const& match);

 private:
  struct User {
    std::string name;
    double factor = 1000;
    double real_priority = 0.5;
    int running = 0;
    Seconds updated;
  };

  std::uint32_t number_of(scenario::Submission const& submission);
  void count(Id<history::Job> job, bool claimed);
  void update(User& user) const;

  Clock const& clock_;
  Seconds half_life_;
  std::vector<User> users_;
  std::vector<std::uint32_t> user_of_;  // by job; empty if there is one user
  std::vector<bool> claimed_;           // by job
};

/// The users' names by job; empty if there is one.
std::vector<std::string> users_by_job(scenario::Campaign const& campaign);

history::OccupiedSlots occupied_slots(scenario::Campaign const& campaign);

// DAGMan: which submissions of a campaign may be made, as those that they wait for succeed and
// their categories have room; and how often a job that failed is submitted again.
//
// A node succeeds when all of its jobs did. A node that waits for a failed one is never submitted,
// as DAGMan ends when nothing else can be done. DAGMan looks every few seconds
// (DAGMAN_USER_LOG_SCAN_INTERVAL, 5 s) and submits five nodes at a time; here both take no time.
//
// The first job of a node that fails or is removed fails the node: DAGMan removes the node's
// others, and when none of them is left, RETRY submits all of them again, also those that had
// succeeded, unless the first one failed with the code of UNLESS-EXIT (Dag::ProcessTerminatedEvent,
// Dag::ProcessAbortEvent, RemoveBatchJob; HTCondor manual, "DAGMan Workflows", "Configuration
// Macros for DAGMan"). DAGMan's retry is another cluster; here it is the same jobs. A node of one
// job is idle again at once.
//
// An inner DAG (SUBDAG EXTERNAL) has a DAGMan of its own. It is one node of the outer DAG, from the
// submission of its first node to the end of its last: its category and the outer DAG's limit hold
// it back as a whole, and its own limits hold back its nodes. An exit code of ABORT-DAG-ON ends the
// DAG of that node, whatever retries are left: jobs in the queue are removed, no node is submitted
// any more. An inner DAG that ends with the code 0 counts as succeeded. Without ABORT-DAG-ON it
// goes on as far as it can, and exits with 1 if one of its nodes failed, else with 0. A node that
// waits for a PROVISIONER waits only for a ready program. A FINAL node comes when no other of the
// whole DAG is to run any more, however they ended, unless a job is held for good.
//
// An inner DAG that ends with another code than 0 and has retries runs again from its rescue file:
// nodes that have succeeded stay so, and all others come again with all of their own retries
// (DAGMAN_RESET_RETRIES_UPON_RESCUE). Until its last run is over they are `stuck` rather than never
// submitted, and so is what waits for them outside. The code can end the outer DAG in turn. DAGMan
// then does not retry the inner one, but may retry the outer one.

class DagQueue {
 public:
  explicit DagQueue(scenario::Campaign const& campaign);

  /// False if every submission is made at its own time, independent of the others.
  bool used() const { return used_; }

  struct Node {
    std::size_t number = 0;  // of the submission
    std::size_t first = 0;   // job
    int jobs = 0;
    Seconds at, delay;
  };
  /// Submissions that can be made now and were not yet, in the order in which their parents ended
  /// (breadth first: DAGMAN_SUBMIT_DEPTH_FIRST is false unless it is set).
  std::vector<Node> take_ready();

  enum class Left { succeeded, failed, held_for_good };
  /// The one job of a node will not run again. Returns the jobs that now never will be submitted.
  std::vector<Id<history::Job>> settled(Id<history::Job> job, Left how);
  /// Nothing will be submitted any more.
  std::vector<Id<history::Job>> give_up();

  /// True if a job of the node that exits with this code ends its DAG.
  bool aborts(Id<history::Job> job, int exit_code) const;
  /// The inner DAG that the node ends runs again with the node, if it has retries: counts it.
  /// Returns the submitted nodes of the DAG; without the node itself if it has one job.
  std::vector<std::size_t> restart(std::size_t node);
  /// True if an inner DAG that contains the job's node may run again if the node fails.
  bool may_run_again(Id<history::Job> job) const {
    return used_ && rerun_dag(nodes_[node_of(job)].dag) != 0;
  }
  /// If the jobs of a submitted node are removed, they are submitted again without a retry of its.
  void run_again(std::size_t node) { nodes_[node].again = true; }
  /// The node ends its DAG. Returns the jobs that now never will be submitted.
  std::vector<Id<history::Job>> abort(std::size_t node) { return end(ending_by(node)); }
  /// The node is over: an inner DAG that ended with it may run again or end the one around it.
  /// Returns the jobs that now never will be submitted (again).
  std::vector<Id<history::Job>> end_outer(std::size_t node);
  /// The submitted nodes of the DAGs around inner ones that run again since the last call.
  std::vector<std::size_t> take_again() { return std::exchange(again_, {}); }
  /// The submitted nodes of the DAGs that have ended since the last call.
  std::vector<std::size_t> take_ended() { return std::exchange(ended_, {}); }
  /// The submitted nodes of the DAG that a node ends, and of the inner DAGs in it.
  std::vector<std::size_t> submitted_with(std::size_t node) const {
    return submitted_in(ending_by(node).dag);
  }

  /// The node's DAG was ended by abort().
  bool is_aborted(std::size_t node) const {
    return node != last_ && dags_[nodes_[node].dag].end != DagEnd::none;
  }

  /// How long the job's program runs until those that wait for it may come; none: to its end.
  std::optional<Seconds> ready_after(Id<history::Job> job) const {
    return used_ ? campaign_.submit[node_of(job)].ready_after : std::nullopt;
  }
  /// The program of a PROVISIONER node is ready.
  void provisioned(std::size_t node);

  /// True if the one job of a node may be submitted once more after it failed with this exit code;
  /// counts it. Never of a node of several.
  bool retry(Id<history::Job> job, int exit_code);

  // Nodes of several jobs.

  std::size_t node_of(Id<history::Job> job) const;
  bool of_several(Id<history::Job> job) const {
    return used_ && campaign_.submit[node_of(job)].jobs > 1;
  }
  std::vector<Id<history::Job>> jobs_of(std::size_t node) const;
  /// The job has left the queue. True if it is the first that failed.
  bool left_queue(Id<history::Job> job, Left how, int exit_code);
  /// A job of it failed, and it is not over.
  bool is_failing(std::size_t node) const {
    return nodes_[node].failed && nodes_[node].state == State::submitted;
  }
  /// It failed, and a DAG around it may run again.
  bool is_stuck(std::size_t node) const { return nodes_[node].state == State::stuck; }
  /// None of its jobs is in the queue or on its way there.
  bool is_empty(std::size_t node) const { return nodes_[node].left == 0; }
  bool has_retries(std::size_t node) const {
    bool const left = nodes_[node].retries < campaign_.submit[node].retries;
    return (left || nodes_[node].again) && !is_aborted(node);
  }
  /// The present value of DAGMan's $(RETRY) for the job.
  int retries_before(Id<history::Job> job) const {
    return used_ ? nodes_[node_of(job)].retries : 0;
  }
  /// For an empty node: whether it failed and all its jobs are to be submitted again; counts it.
  bool retry_node(std::size_t node);
  /// An empty node will not run again. Returns the jobs that now never will be submitted.
  std::vector<Id<history::Job>> over(std::size_t node);

 private:
  enum class State : std::uint8_t { waits, ready, submitted, succeeded, stuck, never };
  struct NodeState {
    std::size_t first = 0;
    std::size_t waits_for = 0;  // parents that have not succeeded
    int left = 0;               // jobs that have not left the queue
    bool failed = false;        // one of them
    State state = State::waits;
    int exit_code = 0;           // of the first that failed
    bool held = false;           // one of them, for good
    int retries = 0;             // so far
    std::uint64_t ready_as = 0;  // place among all that ever were ready
    std::size_t dag = 0;         // among dags_
    bool let_go = false;         // its children do not wait for it any more
    bool again = false;          // its inner DAG runs again, which takes no retry of the node
  };
  using Ready = std::map<std::uint64_t, std::size_t>;  // nodes by their place

  enum class DagEnd : std::uint8_t { none, failed, succeeded };  // early, or for the last time
  /// The whole DAG, which is the first, or an inner one.
  struct DagState {
    std::size_t in = 0;
    std::string category = {};            // as a node of the DAG that contains it
    int max_nodes = 0;                    // 0: no limit
    int in_queue = 0;                     // nodes, and inner DAGs that run
    std::vector<std::size_t> nodes = {};  // those of inner DAGs too
    std::size_t open = 0;                 // nodes that are not over, those of inner DAGs too
    bool running = false;
    bool failed = false;  // a node of it, or of an inner one
    int retries = 0;      // so far
    DagEnd end = DagEnd::none;
  };

  /// A DAG that ends before its nodes do, and its exit code.
  struct Ending {
    std::size_t dag = 0;
    int code = 0;
  };
  /// An inner DAG may end the one around it, and so on.
  Ending outermost(Ending ending) const;
  Ending ending_by(std::size_t node) const;
  std::vector<std::size_t> submitted_in(std::size_t dag) const;
  std::vector<Id<history::Job>> end(Ending ending);
  /// The code of an inner DAG whose nodes are over; none if one of them is held for good.
  std::optional<int> exit_code_of(std::size_t dag) const;
  bool has_second_run(Ending ending) const;
  std::size_t rerun_dag(std::size_t dag) const;
  void run_again_from_rescue(std::size_t dag);
  void comes_again(std::size_t node);
  void end_for_good(std::size_t dag, std::vector<Id<history::Job>>& jobs);
  void give_up_stuck(std::size_t node, std::vector<Id<history::Job>>& jobs);

  bool retry_after(std::size_t node, int exit_code);
  void make_ready(std::size_t node);
  void no_longer_ready(std::size_t node);
  void add_dags();
  bool has_room(std::size_t dag, std::string const& category) const;
  bool has_room_in(std::size_t dag, std::string const& category) const;
  bool is_within(std::size_t dag, std::size_t outer) const;
  std::optional<std::size_t> next_ready() const;
  void count(std::size_t node, int change);
  void count_in(std::size_t dag, std::string const& category, int change);
  void leave_dags(std::size_t node);
  void let_go(std::size_t node);
  void fail_children(std::size_t node, std::vector<Id<history::Job>>& jobs);
  void never(std::size_t node, std::size_t rerun, std::vector<Id<history::Job>>& jobs);
  void drop(std::size_t node, std::size_t rerun, std::vector<Id<history::Job>>& jobs);

  scenario::Campaign const& campaign_;
  bool used_;
  scenario::NodeOrder order_;
  std::vector<NodeState> nodes_;
  std::map<std::string, int> in_category_;  // submitted and not over
  std::map<std::string, int> most_;         // of a category
  std::vector<DagState> dags_;
  std::vector<std::size_t> ended_;  // submitted nodes of DAGs that have ended
  std::vector<std::size_t> again_;  // ... of those that run again
  bool given_up_ = false;
  std::optional<std::size_t> last_;                             // the FINAL node
  std::map<std::pair<std::size_t, std::string>, Ready> ready_;  // by DAG and category, "" too
  std::uint64_t ever_ready_ = 0;
};

// HTCondor's fair share: who gets how many slots in a negotiation cycle.
//
//   RUP' = beta RUP + (1 - beta) slots, beta = 0.5^(dt / PRIORITY_HALFLIFE); never below 0.5
//   EUP = RUP x priority factor; the lower, the better
//   slice_i = slots (1 / EUP_i) / sum_j (1 / EUP_j) - slots that i holds
// The pie is spun as long as jobs are matched: submitters in ascending order of EUP take their
// slice (a first slot also for the part of one). Those who want no more or find no slot drop out,
// and the rest is sliced again among the others. (HTCondor manual, "User Priorities and
// Negotiation"; condor_negotiator, Matchmaker::SubmitterLimitPermits and calculateSubmitterLimit.)
// Left out: accounting groups, slot weights, preemption, time limits.

inline constexpr double least_real_priority = 0.5;

/// A user's real priority after holding so many slots for a while.
double real_priority_after(double before, int slots, Seconds elapsed, Seconds half_life);

struct Submitter {
  double effective_priority = least_real_priority;
  int running = 0;  // slots held
  int idle = 0;     // jobs that want one
};

/// Slices of a pie of so many slots, held or free; 0 for those who want none or have more already.
std::vector<double> slices(std::vector<Submitter> const& submitters, int slots);

enum class MatchResult { matched, no_slot };

/// One cycle. `match` matches the next job of a submitter, if any slot suits it.
void spin_pie(std::vector<Submitter> submitters, int slots,
              std::function<MatchResult(std::size_t)> const& match);

}  // namespace gridcast::engine
