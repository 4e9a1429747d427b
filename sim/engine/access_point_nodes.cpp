// The access point's part of DAGMan: nodes of several jobs, DAGs that a job ends, and programs that
// others wait for. DagQueue decides; here the jobs follow.
#include <algorithm>

#include "sim/engine/access_point.hpp"

namespace gridcast::engine {

namespace {

// The access point's part of second copies (access_point.hpp).

// condor_rm by the owner's script.
constexpr strategy::PolicyDecision removal_of_other{
    {}, strategy::PolicyAction::remove, history::Reason::manual};

// By DAGMan, of the others of a node or a DAG.
constexpr strategy::PolicyDecision removal_with_node{
    {}, strategy::PolicyAction::remove, history::Reason::node_failed};

}  // namespace

void AccessPoint::await_copy(Id<history::Job> job) {
  SecondCopies::Copy& copy = copies_.of(job);
  Seconds const at = clock_.now() + *in_.strategy.submit.second_copy_after;
  copy.timer = clock_.at(at, [this, job, &copy] {
    copy = {.may_come = false};
    enter_queue(copies_.other(job));
  });
}

// The owner's script acts when it sees the result. A job that is held for good still gets its copy.
void AccessPoint::end_pair(Id<history::Job> job, DagQueue::Left how) {
  if (how == DagQueue::Left::held_for_good) return;
  if (!copies_.is_copy(job)) drop_copy(job);
  if (how != DagQueue::Left::succeeded) return;
  clock_.at(clock_.now(), [this, other = copies_.other(job)] {
    if (ads_.in_queue(other)) act(other, removal_of_other);
  });
}

void AccessPoint::drop_copy(Id<history::Job> job) {
  SecondCopies::Copy& copy = copies_.of(job);
  if (!copy.may_come) return;
  stop(copy.timer);
  copy.may_come = false;
  never_submitted({copies_.other(job)});
}

// Only jobs that are held for good still wait for theirs.
void AccessPoint::drop_copies() {
  bool const was_open = unsettled_ > 0;
  for (std::size_t job = 0; job < copies_.jobs(); ++job) drop_copy(Id<history::Job>(job));
  if (was_open && unsettled_ == 0) all_settled();
}

// The rest of a node is left with its jobs on hold. A job that is never made has no copy.
void AccessPoint::never_made(std::vector<Id<history::Job>> const& jobs) {
  if (!dag_.used()) {
    if (copies_.used()) std::ranges::for_each(jobs, [this](auto job) { drop_copy(job); });
    return never_submitted(jobs);
  }
  for (Id<history::Job> const job : jobs) {
    leave_node(job, DagQueue::Left::held_for_good, no_exit_code);
  }
}

// Unless that execution has ended meanwhile.
void AccessPoint::provisioned(Id<history::Job> job, std::uint32_t execution) {
  if (!ads_.in_queue(job) || !ad(job).executing || ad(job).executions != execution + 1) return;
  dag_.provisioned(dag_.node_of(job));
  submit_ready();
}

// The node follows at the same time, but in its own event: this job's end is still being handled.
void AccessPoint::leave_node(Id<history::Job> job, DagQueue::Left how, int exit_code) {
  std::size_t const node = dag_.node_of(job);
  bool const fails_node = dag_.left_queue(job, how, exit_code);
  awaits_node_[job.index()] =
      dag_.has_retries(node) || dag_.may_run_again(job) || how == DagQueue::Left::held_for_good;
  if (awaits_node_[job.index()]) {
    ads_.leave(job);
  } else {
    close(job);
  }
  if (fails_node) follow_node(node);
  if (dag_.is_empty(node)) clock_.at(clock_.now(), [this, node] { end_node(node); });
}

void AccessPoint::follow_node(std::size_t node) {
  if (!dag_.is_failing(node) || ended_) return;
  clock_.at(clock_.now(), [this, node] {
    if (dag_.is_failing(node) && !ended_) remove_others(node);
  });
}

void AccessPoint::remove_others(std::size_t node) {
  auto const jobs = dag_.jobs_of(node);
  for (Id<history::Job> const job : factory_.drop(node)) {
    leave_node(job, DagQueue::Left::failed, no_exit_code);
  }
  for (Id<history::Job> const job : jobs) {
    if (ads_.in_queue(job)) {
      auto const& decision = ad(job).decision;
      bool const goes = decision && decision->action == strategy::PolicyAction::remove;
      if (!goes) act(job, removal_with_node);
    } else if (awaits_node_[job.index()] && ad(job).status == history::JobStatus::held) {
      recorder_.record(job, history::EventKind::aborted, history::Reason::node_failed);
      ad(job).status = history::JobStatus::removed;
    }
  }
}

void AccessPoint::end_node(std::size_t node) {
  auto const jobs = dag_.jobs_of(node);
  bool const again = !ended_ && dag_.retry_node(node);
  auto const lost = again ? std::vector<Id<history::Job>>() : dag_.over(node);
  bool const stays = again || dag_.is_stuck(node);
  for (Id<history::Job> const job : jobs) {
    if (awaits_node_[job.index()] && !stays) close(job);
    awaits_node_[job.index()] = false;
  }
  if (again) return submit(jobs.front().index(), static_cast<int>(jobs.size()));
  never_submitted(lost);
  follow_dags(node);
  submit_ready();
  if (unsettled_ == 0) all_settled();
}

void AccessPoint::restart_dag(std::vector<std::size_t> const& others) {
  clock_.at(clock_.now(), [this, others] {
    for (std::size_t const each : others) {
      auto const jobs = dag_.jobs_of(each);
      auto const in_queue = [this](Id<history::Job> job) { return ads_.in_queue(job); };
      if (ended_ || std::none_of(jobs.begin(), jobs.end(), in_queue)) continue;
      dag_.run_again(each);
      remove_others(each);
    }
    submit_ready();
  });
}

// A node is over, and perhaps its inner DAG with it, and the one around that.
void AccessPoint::follow_dags(std::size_t node) {
  never_submitted(dag_.end_outer(node));
  auto const again = dag_.take_again();
  if (!again.empty()) restart_dag(again);
  remove_ended();
}

// As in leave_node(): the others follow in their own event.
void AccessPoint::remove_ended() {
  auto const submitted = dag_.take_ended();
  if (submitted.empty()) return;
  clock_.at(clock_.now(), [this, submitted] {
    for (std::size_t const each : submitted) {
      if (!ended_) remove_others(each);
    }
    submit_ready();
  });
}

}  // namespace gridcast::engine
