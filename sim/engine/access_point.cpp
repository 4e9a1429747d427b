#include "sim/engine/access_point.hpp"

#include <algorithm>

#include "sim/engine/recorded_events.hpp"
#include "sim/strategy/decisions.hpp"

namespace gridcast::engine {

namespace {

// A job that was started so often does not get done: the campaign is ended as at its horizon.
constexpr std::uint32_t most_starts = 10000;

// Ends a job at the campaign's horizon: no one's decision.
constexpr strategy::PolicyDecision removal{
    {}, strategy::PolicyAction::remove, history::Reason::none};

constexpr strategy::PolicyDecision removal_by_owner{
    {}, strategy::PolicyAction::remove, history::Reason::manual};

// The stream of the owner's actions on a job, apart from the stream of its holds.
constexpr std::uint32_t owner_draw = 0x10000;

// An execution that is too long is the attempt's business, which knows its length.
scenario::JobPolicy without_execution_limit(scenario::JobPolicy policy) {
  policy.allowed_execute_duration.reset();
  return policy;
}

}  // namespace

AccessPoint::AccessPoint(Clock& clock, Recorder& recorder, ReplicaInput const& in,
                         std::vector<history::JobName> const& names)
    : clock_(clock),
      recorder_(recorder),
      in_(in),
      spec_(in.pool.access_point),
      policy_(without_execution_limit(in.strategy.retry.policy)),
      ads_(policy_, in.campaign, in.pool.sites, names),
      watch_(clock, ads_, spec_.policy_interval,
             [this](Id<history::Job> job, strategy::PolicyDecision const& decision) {
               act(job, decision);
             }),
      choice_(clock, ads_, in.strategy.match),
      inputs_(in.campaign),
      factory_(in.campaign),
      dag_(in.campaign),
      copies_(in.campaign),
      users_(clock, in.campaign, in.pool.negotiator.priority_halflife),
      owner_(in.streams.stream(Purpose::people, whole_replica)),
      awaits_node_(dag_.used() ? ads_.size() : 0),
      idle_(in.campaign),
      unsettled_(ads_.size()) {}

void AccessPoint::open(std::function<void()> on_idle, std::function<void()> on_settled) {
  on_idle_ = std::move(on_idle);
  on_settled_ = std::move(on_settled);
  std::size_t first = 0;
  if (dag_.used()) submit_ready();
  for (scenario::Submission const& submission : in_.campaign.submit) {
    if (dag_.used() || submission.second_copy) break;
    later_.add(submission.at, first, submission.jobs);
    first += static_cast<std::size_t>(submission.jobs);
  }
  if (owner_steps_in_at_all()) await_owner();
}

// A replay has the removals of its record.
bool AccessPoint::owner_steps_in_at_all() const {
  return in_.draw.removal_per_second > 0 && !in_.record;
}

void AccessPoint::await_owner() {
  Seconds const wait(owner_.exponential() / in_.draw.removal_per_second);
  owner_steps_in_ = clock_.at(clock_.now() + wait, [this] { owner_steps_in(); });
}

// Held jobs too, also those that nobody would release (await_release).
void AccessPoint::owner_steps_in() {
  owner_steps_in_ = nullptr;
  double const longest = in_.draw.removal_queue;
  double const share =
      beta_quantile(owner_.uniform(), in_.draw.removal_share_a, in_.draw.removal_share_b) *
      std::min(1.0, longest / std::max(1.0, static_cast<double>(factory_.in_queue())));
  std::uint32_t const look = owner_draw | interventions_++;
  for (std::size_t job = 0; job < ads_.size(); ++job) {
    Id<history::Job> const id(job);
    if (!ads_.in_queue(id)) continue;
    RandomStream stream = in_.streams.stream(Purpose::people, id.number(), look);
    if (stream.chance(share)) act(id, removal_by_owner);
  }
  if (unsettled_ > 0) await_owner();
}

void AccessPoint::end_at(Seconds horizon) {
  stop(horizon_);
  horizon_ = clock_.at(horizon, [this] {
    horizon_ = nullptr;
    ended_ = true;
    if (dag_.used()) never_submitted(dag_.give_up());
    for (std::size_t job = 0; job < ads_.size(); ++job) {
      if (ads_.in_queue(Id<history::Job>(job))) act(Id<history::Job>(job), removal);
    }
    later_.submit_now();  // removed as they come
    drop_copies();
  });
}

void AccessPoint::submit(std::size_t first, int count) {
  factory_.add(cluster_of(Id<history::Job>(first)), first, count);
  materialise();
}

void AccessPoint::submit_ready() {
  for (DagQueue::Node const& node : dag_.take_ready()) {
    later_.add(std::max(node.at, clock_.now()) + node.delay, node.first, node.jobs);
  }
}

void AccessPoint::never_submitted(std::vector<Id<history::Job>> const& jobs) {
  for (Id<history::Job> const job : jobs) close(job);
  if (!jobs.empty() && unsettled_ == 0) all_settled();
}

void AccessPoint::materialise() {
  while (auto const job = factory_.next()) enter_queue(*job);
  never_made(factory_.blocked());
}

void AccessPoint::submitted(Id<history::Job> job) {
  ads_.enter(job, clock_.now());
  if (int const retries = dag_.retries_before(job)) ad(job).node_retries = retries;
  idle_.submitted(job);
}

void AccessPoint::enter_queue(Id<history::Job> job) {
  submitted(job);
  counts_of(job).entered();
  recorder_.record(job, history::EventKind::submitted);
  if (ended_) return remove(job, history::Reason::none);
  if (copies_.used() && !copies_.is_copy(job)) await_copy(job);
  if (dag_.used() && dag_.is_aborted(dag_.node_of(job))) {
    return remove(job, history::Reason::node_failed);
  }
  if (strategy::too_large_to_submit(in_.strategy.transfer, inputs_.size_of(job.index()),
                                    spec_.input_limit())) {
    hold(job, history::Reason::input_too_large);
    return;
  }
  watch_.changed(job);
  make_room();
  add_idle(job);
}

void AccessPoint::set_status(Id<history::Job> job, history::JobStatus status) {
  JobAd& job_ad = ad(job);
  if (job_ad.status != status) {
    counts_of(job).changed(job_ad.status, status);
    job_ad.last_status = std::exchange(job_ad.status, status);
    job_ad.entered_status = clock_.now();
  }
  // Its claim ended before DAGMan acts, which finds the job in the queue again.
  bool const waits = status == history::JobStatus::idle || status == history::JobStatus::held;
  if (waits && dag_.of_several(job)) follow_node(dag_.node_of(job));
  watch_.changed(job);
  make_room();
}

void AccessPoint::make_room() {
  // Not from within: the code that makes room for a job is still running.
  if (!factory_.limited() || factory_.empty() || materialises_) return;
  materialises_ = true;
  clock_.at(clock_.now(), [this] {
    materialises_ = false;
    materialise();
  });
}

void AccessPoint::matched(Id<history::Job> job, Claim& claim) {
  JobAd& job_ad = ad(job);
  ++job_ad.matches;
  if (!job_ad.claim_reusable) job_ad.claim_exceptions = 0;  // a new claim, maybe of the same slot
  job_ad.claim_reusable = false;
  job_ad.current_claim = &claim;
  users_.claimed(job);
  watch_.changed(job);
}

void AccessPoint::started(Id<history::Job> job, SlotRef const& slot) {
  JobAd& job_ad = ad(job);
  ++job_ad.shadow_starts;
  job_ad.started = job_ad.last_start = clock_.now();
  if (!job_ad.first_start) job_ad.first_start = clock_.now();
  job_ad.last_slot = slot;
  record_with_gpus(job, history::EventKind::matched, slot);
  set_status(job, history::JobStatus::running);
  if (job_ad.shadow_starts == most_starts) end_at(clock_.now());
}

// All slots of a site have the GPUs of its entry in the history (unplayed_history).
void AccessPoint::record_with_gpus(Id<history::Job> job, history::EventKind kind,
                                   SlotRef const& slot) {
  std::size_t const row = requests().gpu_number(requests().of(job.index()));
  auto const of_site =
      static_cast<std::uint16_t>(row * in_.pool.sites.size() + slot.site.index() + 1);
  recorder_.record({.job = job,
                    .kind = kind,
                    .site = slot.site,
                    .slot = slot.number,
                    .gpus = in_.record ? in_.record->attempt(job).gpus : of_site,
                    .pilot = static_cast<std::uint16_t>(slot.pilot)});
}

std::uint32_t AccessPoint::executing(Id<history::Job> job, SlotRef const& slot) {
  JobAd& job_ad = ad(job);
  record_with_gpus(job, history::EventKind::executing, slot);
  job_ad.executing = clock_.now();
  std::uint32_t const execution = job_ad.executions++;
  watch_.changed(job);
  if (auto const ready = dag_.ready_after(job)) {
    clock_.at(clock_.now() + *ready, [this, job, execution] { provisioned(job, execution); });
  }
  return execution;
}

// allowed_execute_duration counts from the last checkpoint.
void AccessPoint::checkpointed(Id<history::Job> job, SlotRef const& slot, int epochs) {
  JobAd& job_ad = ad(job);
  recorder_.record(job, history::EventKind::checkpointed, slot);
  job_ad.epochs_stored = epochs;
  job_ad.executing = clock_.now();
  watch_.changed(job);
}

void AccessPoint::leave_slot(Id<history::Job> job) {
  JobAd& job_ad = ad(job);
  if (job_ad.slot_gone) dead_leases_ += clock_.now() - *job_ad.slot_gone;
  job_ad.slot_gone.reset();
  job_ad.current_claim = nullptr;
  users_.released(job);
  job_ad.decision.reset();
  job_ad.started.reset();
  job_ad.executing.reset();
}

void AccessPoint::transfer_failed(Id<history::Job> job, SlotRef const& slot, history::Reason reason,
                                  strategy::InputFailure failure) {
  using Action = strategy::AfterFailure::Action;
  JobAd& job_ad = ad(job);
  leave_slot(job);
  choice_.transfer_failed(job, slot.site, failure);
  bool const by_timer = reason == history::Reason::transfer_stalled;
  double holds = by_timer ? in_.draw.hold_on_stall : in_.draw.hold_on_failure;
  if (in_.record) holds = in_.record->hold(job, holds);
  RandomStream random = in_.streams.stream(Purpose::hold, job.number(), job_ad.input_attempts);
  bool const is_held = random.chance(holds);
  int const subcode =
      in_.record ? in_.record->subcode(job) : strategy::failure_subcode(in_.draw, reason, random);
  strategy::AfterFailure next = strategy::after_transfer_failure(
      in_.strategy.retry,
      {.reason = reason, .cool_downs = job_ad.cool_downs, .holds_job = is_held, .subcode = subcode},
      in_.streams.stream(Purpose::strategy, job.number()));
  if (in_.record) next = in_.record->after_failure(job).value_or(next);
  // A stall is the starter's exception first; the hold reports other failures.
  if (next.action != Action::hold || by_timer) {
    recorder_.record(job, history::EventKind::shadow_exception, slot, reason);
  }
  if (next.action == Action::hold) {
    hold(job, reason, &slot, subcode);
    return;
  }
  if (next.action == Action::cool_down) {
    ++job_ad.cool_downs;
    idle_after(job, next.cool_down);
    return;
  }
  bool const same_claim = job_ad.claim.number == slot.number && job_ad.claim.site == slot.site &&
                          job_ad.claim.pilot == slot.pilot;
  job_ad.claim_exceptions = same_claim ? job_ad.claim_exceptions + 1 : 1;
  job_ad.claim = slot;
  job_ad.claim_reusable = job_ad.claim_exceptions < in_.strategy.transfer.max_shadow_exceptions;
  if (!removed_as_too_old(job)) make_idle(job);
}

void AccessPoint::evicted(Id<history::Job> job, SlotRef const& slot, Loss const& loss) {
  recorder_.record(job, history::EventKind::evicted, slot, loss.reason, true, loss.executed);
  leave_slot(job);
  ++ad(job).vacates;
  if (loss.for_good) return over_with_slot(job);
  if (loss.requeue_delay > Seconds()) return idle_after(job, loss.requeue_delay);
  if (!removed_as_too_old(job)) make_idle(job);
}

void AccessPoint::reconnect_failed(Id<history::Job> job, SlotRef const& slot, Loss const& loss) {
  recorder_.record(job, history::EventKind::reconnect_failed, slot, loss.reason);
  leave_slot(job);
  ++ad(job).vacates;
  if (loss.for_good) return over_with_slot(job);
  idle_after(job, loss.requeue_delay);
}

void AccessPoint::over_with_slot(Id<history::Job> job) {
  if (!submitted_again(job, nullptr)) remove(job, history::Reason::policy, nullptr);
}

void AccessPoint::lost(Id<history::Job> job, SlotRef const& slot, Seconds lease_end,
                       Loss const& loss) {
  ad(job).current_claim = nullptr;
  ad(job).slot_gone = clock_.now();
  wait(job, lease_end, [this, job, slot, loss] { reconnect_failed(job, slot, loss); });
}

void AccessPoint::not_started(Id<history::Job> job) {
  leave_slot(job);
  make_idle(job);
}

// The exit code is a random number of its own, beside the steps that lead to it.
int AccessPoint::exit_code_of_failure(Id<history::Job> job) {
  constexpr std::uint32_t exit_draw = 0x50000000;
  std::vector<int> const& codes = in_.campaign.work.exit_codes;
  if (int const own = in_.record ? in_.record->exit_code(job) : 0) return own;
  if (codes.empty()) return 1;
  auto stream = in_.streams.stream(Purpose::crash, job.number(), exit_draw | ad(job).executions);
  return codes[stream.below(static_cast<std::uint32_t>(codes.size()))];
}

void AccessPoint::exited(Id<history::Job> job, SlotRef const& slot, history::Reason reason) {
  JobAd& job_ad = ad(job);
  ++job_ad.completions;
  job_ad.exit_code =
      reason == history::Reason::none ? policy_.success_exit_code : exit_code_of_failure(job);
  bool const by_signal = *job_ad.exit_code < 0 && reason == history::Reason::exit_code;
  if (by_signal) reason = history::Reason::killed_by_signal;
  JobScope const my = ads_.scope(job, clock_.now());
  strategy::AfterExit const next =
      strategy::after_exit(policy_, {.exit_code = *job_ad.exit_code,
                                     .completions = job_ad.completions,
                                     .job = {my, nullptr, my.unix_now()}});
  if (next == strategy::AfterExit::hold) {
    hold(job, history::Reason::policy, &slot, policy_.on_exit_hold_subcode);
    return;
  }
  bool const failed = *job_ad.exit_code != policy_.success_exit_code;
  if (next == strategy::AfterExit::leave && !ended_ && dag_.aborts(job, *job_ad.exit_code)) {
    restart_dag(dag_.restart(dag_.node_of(job)));
  }
  bool const again =
      next == strategy::AfterExit::leave && failed && !ended_ && dag_.retry(job, *job_ad.exit_code);
  bool const leaves = next == strategy::AfterExit::leave && !again;
  recorder_.record({.job = job,
                    .kind = leaves ? history::EventKind::terminated : history::EventKind::requeued,
                    .reason = reason,
                    .site = slot.site,
                    .slot = slot.number,
                    .useful = reason == history::Reason::none,
                    .exit_code = static_cast<std::int16_t>(*job_ad.exit_code)});
  leave_slot(job);
  if (leaves) {
    settle(job, history::JobStatus::completed);
  } else if (!removed_as_too_old(job)) {
    again ? resubmit(job) : make_idle(job);
  }
}

void AccessPoint::held_while_running(Id<history::Job> job, SlotRef const& slot,
                                     history::Reason reason, Seconds executed) {
  hold(job, reason, &slot, 0, executed);
}

void AccessPoint::over_request(Id<history::Job> job, SlotRef const& slot,
                               ResourceNeeds const& needs, Seconds requeue_delay) {
  history::Resource const resource = *exceeds_request(job, needs);
  if (raise_request(ads_.facts(job), ad(job), resource, ads_.scope(job, clock_.now()))) {
    return evicted(job, slot, {history::Reason::out_of_resources, requeue_delay});
  }
  hold(job, history::Reason::out_of_resources, &slot, subcode_of(resource));
}

void AccessPoint::removed_while_running(Id<history::Job> job, SlotRef const& slot,
                                        history::Reason reason) {
  if (!submitted_again(job, &slot, reason)) remove(job, reason, &slot);
}

void AccessPoint::stopped(Id<history::Job> job, SlotRef const& slot) {
  JobAd& job_ad = ad(job);
  bool const ran = job_ad.status == history::JobStatus::running;
  strategy::PolicyDecision const decision = *job_ad.decision;
  apply(job, decision, ran ? &slot : nullptr);
}

void AccessPoint::act(Id<history::Job> job, strategy::PolicyDecision const& decision) {
  JobAd& job_ad = ad(job);
  if (Claim* const claim = job_ad.current_claim) {
    job_ad.decision = decision;
    claim->end(Claim::End::by_access_point);
    return;
  }
  SlotRef const slot = job_ad.last_slot;
  apply(job, decision, job_ad.status == history::JobStatus::running ? &slot : nullptr);
}

void AccessPoint::apply(Id<history::Job> job, strategy::PolicyDecision const& decision,
                        SlotRef const* slot) {
  forget_wait(job);
  idle_.erase(job);
  switch (decision.action) {
    case strategy::PolicyAction::hold:
      hold(job, decision.reason, slot,
           decision.reason == history::Reason::policy ? policy_.periodic_hold_subcode : 0);
      return;
    case strategy::PolicyAction::release:
      ++ad(job).policy_releases;
      release(job, history::Reason::policy);
      return;
    case strategy::PolicyAction::remove:
      if (!submitted_again(job, slot)) remove(job, decision.reason, slot);
      return;
    case strategy::PolicyAction::vacate:
      evicted(job, *slot, {history::Reason::policy, {}});
      return;
  }
}

void AccessPoint::make_idle(Id<history::Job> job) {
  set_status(job, history::JobStatus::idle);
  add_idle(job);
}

// DAGMan's retry of a node of one job.
void AccessPoint::resubmit(Id<history::Job> job) {
  forget_wait(job);
  set_status(job, history::JobStatus::idle);
  submitted(job);
  watch_.changed(job);
  add_idle(job);
}

void AccessPoint::add_idle(Id<history::Job> job) {
  idle_.insert(job);
  on_idle_();
}

void AccessPoint::idle_after(Id<history::Job> job, Seconds time) {
  set_status(job, history::JobStatus::idle);
  wait(job, clock_.now() + time, [this, job] {
    if (!removed_as_too_old(job)) make_idle(job);
  });
}

void AccessPoint::wait(Id<history::Job> job, Seconds until, std::function<void()> then) {
  ad(job).timer = clock_.at(until, [this, job, then = std::move(then)] {
    ad(job).timer = nullptr;
    then();
  });
}

void AccessPoint::hold(Id<history::Job> job, history::Reason reason, SlotRef const* slot,
                       int subcode, Seconds executed) {
  JobAd& job_ad = ad(job);
  leave_slot(job);
  auto const usual = history::hold_code(reason);
  job_ad.hold_code = in_.record ? in_.record->hold_code(job, reason) : usual;
  if (subcode != 0) job_ad.hold_code.subcode = subcode;
  bool const is_usual = subcode == 0 && job_ad.hold_code == usual;
  auto const code = is_usual ? history::HoldCode() : job_ad.hold_code;
  ++job_ad.holds;
  if (reason != history::Reason::policy && reason != history::Reason::manual) ++job_ad.system_holds;
  recorder_.record({.job = job,
                    .kind = history::EventKind::held,
                    .reason = reason,
                    .site = slot ? slot->site : Id<history::Site>(),
                    .slot = slot ? slot->number : 0,
                    .executed = executed,
                    .code = static_cast<std::int16_t>(code.code),
                    .subcode = code.subcode});
  set_status(job, history::JobStatus::held);
  if (reason == history::Reason::not_found) held_by_404_.insert(job);
  await_release(job, reason);
}

void AccessPoint::await_release(Id<history::Job> job, history::Reason reason) {
  using Action = strategy::OwnerAction;
  JobAd& job_ad = ad(job);
  auto by_policy = strategy::policy_release_after(in_.strategy.release, reason,
                                                  job_ad.policy_releases, spec_.policy_interval);
  double const not_found_share =
      static_cast<double>(held_by_404_.size()) / static_cast<double>(ads_.size());
  strategy::OwnerDecision owner =
      strategy::owner_decision(in_.draw, {reason, static_cast<int>(job_ad.holds), not_found_share},
                               in_.streams.stream(Purpose::people, job.number(), job_ad.holds - 1));
  if (in_.record) owner = in_.record->owner(job, reason, owner);
  if (in_.record && in_.record->decides_release()) by_policy.reset();
  bool const owner_acts = owner.action != Action::none;
  if (by_policy && !(owner_acts && owner.after < *by_policy)) {
    ++job_ad.policy_releases;
    wait(job, clock_.now() + *by_policy, [this, job] { release(job, history::Reason::policy); });
  } else if (owner_acts) {
    wait(job, clock_.now() + owner.after, [this, job, action = owner.action] {
      if (action == Action::release) return release(job, history::Reason::manual);
      if (!submitted_again(job, nullptr)) remove(job, history::Reason::manual);
    });
  } else if (!watch_.waits(job) && !owner_steps_in_at_all()) {
    settle(job, history::JobStatus::held);
  }
}

void AccessPoint::release(Id<history::Job> job, history::Reason by) {
  recorder_.record(job, history::EventKind::released, by);
  held_by_404_.erase(job);
  ad(job).released_from = ad(job).hold_code;
  if (!removed_as_too_old(job)) make_idle(job);
}

// A node whose one job was removed has failed, and may be tried again.
bool AccessPoint::submitted_again(Id<history::Job> job, SlotRef const* slot,
                                  history::Reason evicted_by) {
  if (ended_ || !dag_.retry(job, no_exit_code)) return false;
  if (slot) {
    recorder_.record(job, history::EventKind::evicted, *slot, evicted_by);
  } else if (ad(job).status == history::JobStatus::held) {
    recorder_.record(job, history::EventKind::released, history::Reason::policy);
  }
  leave_slot(job);
  resubmit(job);
  return true;
}

void AccessPoint::remove(Id<history::Job> job, history::Reason by, SlotRef const* slot) {
  recorder_.record(job, history::EventKind::aborted, slot ? *slot : SlotRef{}, by);
  leave_slot(job);
  settle(job, history::JobStatus::removed);
}

bool AccessPoint::removed_as_too_old(Id<history::Job> job) {
  if (clock_.now() - ads_.submitted(job) < scenario::longest_in_queue) return false;
  remove(job, history::Reason::none);
  return true;
}

// Jobs that no slot ever takes would wait for ever.
void AccessPoint::sweep() {
  sweep_ = clock_.at(clock_.now() + scenario::longest_in_queue, [this] {
    sweep();
    for (Id<history::Job> const job : idle_) {
      if (removed_as_too_old(job)) idle_.erase(job);
    }
  });
}

void AccessPoint::settle(Id<history::Job> job, history::JobStatus status) {
  using Left = DagQueue::Left;
  bool const completed = status == history::JobStatus::completed;
  int const exit_code = completed ? *ad(job).exit_code : no_exit_code;
  bool const succeeded = completed && exit_code == policy_.success_exit_code;
  bool const held = status == history::JobStatus::held;
  Left const how = held ? Left::held_for_good : succeeded ? Left::succeeded : Left::failed;
  forget_wait(job);
  counts_of(job).settled(status);
  set_status(job, status);
  watch_.forget(job);
  choice_.forget(job);
  bool const aborts = completed && dag_.aborts(job, exit_code);
  if (dag_.of_several(job)) {
    leave_node(job, how, exit_code);
    if (aborts) never_submitted(dag_.abort(dag_.node_of(job)));
    return remove_ended();
  }
  if (how == Left::failed && dag_.may_run_again(job)) {
    ads_.leave(job);
  } else {
    close(job);
  }
  if (copies_.used()) end_pair(job, how);
  if (dag_.used()) {
    never_submitted(dag_.settled(job, how));
    if (aborts) never_submitted(dag_.abort(dag_.node_of(job)));
    follow_dags(dag_.node_of(job));
    submit_ready();
  }
  if (unsettled_ == 0) all_settled();
}

void AccessPoint::close(Id<history::Job> job) {
  ads_.forget(job);
  recorder_.settled(job);
  --unsettled_;
}

void AccessPoint::all_settled() {
  stop(sweep_);
  stop(horizon_);
  stop(owner_steps_in_);
  on_settled_();
}

}  // namespace gridcast::engine
