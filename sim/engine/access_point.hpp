// The access point (schedd): the job queue, and the steps of a job between its attempts.
//
// A job is idle, cooling down, running, held, or settled (completed, removed, or held for good).
// Submit-time checks, late materialisation, failed transfers, exits, lost attempts, holds, policy
// expressions, and people who look at held jobs live here; sim/strategy makes the decisions, and
// each job's events come from its own random streams. The owner steps in now and then and removes
// jobs (removal_per_s). Left out: condor_hold by users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/index_set.hpp"
#include "sim/base/random.hpp"
#include "sim/engine/claim.hpp"
#include "sim/engine/clock.hpp"
#include "sim/engine/factory.hpp"
#include "sim/engine/job_ad.hpp"
#include "sim/engine/job_queue.hpp"
#include "sim/engine/replica.hpp"
#include "sim/engine/resource_needs.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::engine {

// Jobs that are to be submitted later, in groups. At the campaign's horizon all of them are due.
class LaterSubmissions {
 public:
  /// `first`: the first job of a group; `count`: how many follow one another.
  using Submit = std::function<void(std::size_t first, int count)>;

  LaterSubmissions(Clock& clock, Submit submit) : clock_(clock), submit_(std::move(submit)) {}
  LaterSubmissions(LaterSubmissions const&) = delete;

  void add(Seconds at, std::size_t first, int count) {
    auto const group = groups_.insert(groups_.end(), {nullptr, first, count});
    group->timer = clock_.at(at, [this, group] {
      Group const due = *group;
      groups_.erase(group);
      submit_(due.first, due.count);
    });
  }

  /// Submits all that is left.
  void submit_now() {
    for (Group& group : std::exchange(groups_, {})) {
      stop(group.timer);
      submit_(group.first, group.count);
    }
  }

 private:
  struct Group {
    Timer* timer;
    std::size_t first;
    int count;
  };

  Clock& clock_;
  Submit submit_;
  std::list<Group> groups_;
};

// Second copies of late jobs: a job that has not ended for some time after its submission is
// submitted once more, and the first result ends the other one of the two (condor_submit and
// condor_rm by the owner or a script). A copy has the number of its job plus the number of all
// jobs. It has the job's work and needs, and random numbers of its own otherwise.
class SecondCopies {
 public:
  explicit SecondCopies(scenario::Campaign const& campaign)
      : jobs_(scenario::first_jobs(campaign)),
        copies_(static_cast<std::size_t>(campaign.jobs()) > jobs_ ? jobs_ : 0) {}

  bool used() const { return !copies_.empty(); }
  bool is_copy(Id<history::Job> job) const { return job.index() >= jobs_; }
  /// The copy of a job, or the job of a copy.
  Id<history::Job> other(Id<history::Job> job) const {
    return Id<history::Job>(is_copy(job) ? job.index() - jobs_ : job.index() + jobs_);
  }
  /// The copy of a job.
  struct Copy {
    bool may_come = true;    // neither submitted nor given up
    Timer* timer = nullptr;  // of its submission
  };
  Copy& of(Id<history::Job> job) { return copies_[job.index()]; }
  std::size_t jobs() const { return copies_.size(); }

 private:
  std::size_t jobs_;
  std::vector<Copy> copies_;
};

/// Whose stream it is that one draw settles for all jobs.
inline constexpr std::uint32_t whole_replica = 0xffffffff;

/// Exit code of a job that was removed, or held for good.
inline constexpr int no_exit_code = -1;

/// An attempt that was lost: why, and how long the job then is on its way back to the queue.
struct Loss {
  history::Reason reason = history::Reason::pilot_ended;
  Seconds requeue_delay;
  Seconds executed = {};  // of a recorded one: computing that lies somewhere in the attempt
  bool for_good = false;  // the batch system does not queue the job again
};

class AccessPoint {
 public:
  AccessPoint(Clock& clock, Recorder& recorder, ReplicaInput const& in,
              std::vector<history::JobName> const& names);

  /// Sets the submissions' timers. `on_idle` is called when a job becomes idle, `on_settled` when
  /// the last one is settled.
  void open(std::function<void()> on_idle, std::function<void()> on_settled);

  /// Removes jobs that have been idle for three months and come to no decision.
  void sweep();
  /// Removes the jobs that are left then, and those that were to be submitted later.
  void end_at(Seconds horizon);

  IdleJobs& idle() { return idle_; }
  JobAd& ad(Id<history::Job> job) { return ads_[job.index()]; }
  scenario::JobPolicy const& policy() const { return policy_; }
  /// For how long jobs were taken to run on slots that were gone.
  Seconds dead_leases() const { return dead_leases_; }
  bool settled() const { return unsettled_ == 0; }
  SlotChoice const& choice() const { return choice_; }
  UserQueues& users() { return users_; }
  scenario::JobRequests const& requests() const { return ads_.requests(); }
  scenario::Request const& request(Id<history::Job> job) const {
    return requests()[requests().of(job.index())];
  }

  // Reports of a slot on the job that it is matched to or runs.
  void matched(Id<history::Job> job, Claim& claim);
  void started(Id<history::Job> job, SlotRef const& slot);  // the shadow
  /// Returns which execution of the job it is, from 0.
  std::uint32_t executing(Id<history::Job> job, SlotRef const& slot);
  void checkpointed(Id<history::Job> job, SlotRef const& slot, int epochs);
  void transfer_failed(Id<history::Job> job, SlotRef const& slot, history::Reason reason,
                       strategy::InputFailure failure);
  void evicted(Id<history::Job> job, SlotRef const& slot, Loss const& loss = {});
  void reconnect_failed(Id<history::Job> job, SlotRef const& slot, Loss const& loss);
  /// The slot is gone, and the access point will believe it when the lease has run out.
  void lost(Id<history::Job> job, SlotRef const& slot, Seconds lease_end, Loss const& loss);
  /// The claim ended before the shadow started.
  void not_started(Id<history::Job> job);
  /// The program has ended, and the record's rules requeue it.
  void requeued(Id<history::Job> job) {
    ++ad(job).completions;
    not_started(job);
  }
  /// The claim was ended by the access point's own decision.
  void stopped(Id<history::Job> job, SlotRef const& slot);
  /// The program has ended; `reason` none: with a useful result.
  void exited(Id<history::Job> job, SlotRef const& slot, history::Reason reason);
  /// `executed`: of a recorded hold, computing that lies somewhere in the attempt.
  void held_while_running(Id<history::Job> job, SlotRef const& slot, history::Reason reason,
                          Seconds executed = {});
  /// The resource of which the job needs more than it requests.
  std::optional<history::Resource> exceeds_request(Id<history::Job> job,
                                                   ResourceNeeds const& needs) {
    if (requests().of(job.index()).index() != 0) return std::nullopt;  // its needs are unknown
    return needs.exceeded(job, ads_.facts(job), ad(job));
  }
  void over_request(Id<history::Job> job, SlotRef const& slot, ResourceNeeds const& needs,
                    Seconds requeue_delay);
  /// A node of one job may be tried again.
  void removed_while_running(Id<history::Job> job, SlotRef const& slot, history::Reason reason);

  /// An expression or a person has decided something, in any state of the job.
  void act(Id<history::Job> job, strategy::PolicyDecision const& decision);

 private:
  void submit(std::size_t first, int count);
  void submit_ready();
  void never_submitted(std::vector<Id<history::Job>> const& jobs);
  void never_made(std::vector<Id<history::Job>> const& jobs);
  void materialise();
  void submitted(Id<history::Job> job);
  void enter_queue(Id<history::Job> job);
  void resubmit(Id<history::Job> job);
  void set_status(Id<history::Job> job, history::JobStatus status);
  void make_room();
  void record_with_gpus(Id<history::Job> job, history::EventKind kind, SlotRef const& slot);
  void leave_slot(Id<history::Job> job);
  void make_idle(Id<history::Job> job);
  void add_idle(Id<history::Job> job);
  void idle_after(Id<history::Job> job, Seconds time);
  void hold(Id<history::Job> job, history::Reason reason, SlotRef const* slot = nullptr,
            int subcode = 0, Seconds executed = {});
  void await_release(Id<history::Job> job, history::Reason reason);
  void release(Id<history::Job> job, history::Reason by);
  void remove(Id<history::Job> job, history::Reason by, SlotRef const* slot = nullptr);
  void apply(Id<history::Job> job, strategy::PolicyDecision const& decision, SlotRef const* slot);
  void settle(Id<history::Job> job, history::JobStatus status);
  void over_with_slot(Id<history::Job> job);
  bool submitted_again(Id<history::Job> job, SlotRef const* slot,
                       history::Reason evicted_by = history::Reason::policy);
  void leave_node(Id<history::Job> job, DagQueue::Left how, int exit_code);
  void follow_node(std::size_t node);
  void remove_others(std::size_t node);
  void end_node(std::size_t node);
  void follow_dags(std::size_t node);
  void remove_ended();
  /// Their inner DAG runs again: their jobs are removed and come again.
  void restart_dag(std::vector<std::size_t> const& nodes);
  int exit_code_of_failure(Id<history::Job> job);
  void await_copy(Id<history::Job> job);
  void end_pair(Id<history::Job> job, DagQueue::Left how);
  void drop_copy(Id<history::Job> job);
  void drop_copies();
  void provisioned(Id<history::Job> job, std::uint32_t execution);
  void close(Id<history::Job> job);
  void all_settled();
  bool removed_as_too_old(Id<history::Job> job);
  bool owner_steps_in_at_all() const;
  void await_owner();
  void owner_steps_in();
  void wait(Id<history::Job> job, Seconds until, std::function<void()> then);
  std::size_t cluster_of(Id<history::Job> job) const { return dag_.used() ? dag_.node_of(job) : 0; }
  QueueCounts& counts_of(Id<history::Job> job) { return factory_.counts(cluster_of(job)); }
  void forget_wait(Id<history::Job> job) { stop(ad(job).timer); }

  Clock& clock_;
  Recorder& recorder_;
  ReplicaInput in_;
  scenario::AccessPointSpec const& spec_;
  scenario::JobPolicy policy_;
  QueuedAds ads_;
  PolicyWatch watch_;
  SlotChoice choice_;
  scenario::JobInputs inputs_;
  Factory factory_;
  DagQueue dag_;
  SecondCopies copies_;
  UserQueues users_;
  LaterSubmissions later_{clock_, [this](std::size_t first, int count) { submit(first, count); }};
  bool materialises_ = false;  // a timer for it is set
  Timer* sweep_ = nullptr;
  Timer* horizon_ = nullptr;
  RandomStream owner_;
  Timer* owner_steps_in_ = nullptr;
  std::uint32_t interventions_ = 0;
  bool ended_ = false;             // the horizon is past
  std::vector<bool> awaits_node_;  // by job: it has left the queue, and its node may be tried again
  IdleJobs idle_;
  std::set<Id<history::Job>> held_by_404_;
  std::size_t unsettled_;
  Seconds dead_leases_;
  std::function<void()> on_idle_, on_settled_;
};

}  // namespace gridcast::engine
