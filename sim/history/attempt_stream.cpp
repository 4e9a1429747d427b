#include "sim/history/attempt_stream.hpp"

#include <array>

namespace gridcast::history {
namespace {

// In the order of Phase.
constexpr std::array<std::string_view, phase_count> phase_names = {
    "waiting", "matched",   "transfer",     "stalled", "executing", "checkpoint",
    "output",  "suspended", "disconnected", "held",    "cool_down"};

/// HTCondor 25.6 and later: a vacate with a hold code for transfers, and no hold, is a cool-down
/// (src/condor_schedd.V6/schedd.cpp).
bool begins_cool_down(JobEvent const& event) {
  return event.kind == EventKind::evicted && (event.code == 12 || event.code == 13);
}

/// The job's phase after an attempt that ended with this event.
Phase phase_after_end(JobEvent const& event) {
  if (event.kind == EventKind::held) return Phase::held;
  return begins_cool_down(event) ? Phase::cool_down : Phase::waiting;
}

/// True if an event of this kind shows that its job is in a slot, and its phase there.
Sign sign_in_slot(EventKind kind) {
  using enum EventKind;
  // Only an execution can be checkpointed, suspended or reconnected to.
  if (is_one_of(kind, {checkpointed, suspended, unsuspended, reconnected})) return Sign::execution;
  bool const other = is_one_of(kind, {transfer_input_queued, transfer_input_started,
                                      transfer_input_finished, executing, disconnected});
  return other || is_output_step(kind) ? Sign::later : Sign::none;
}

bool is_at_start(EventKind kind) {
  using enum EventKind;
  return is_one_of(kind, {transfer_input_queued, transfer_input_started, executing});
}

/// Held and removed are jobs in the queue, too.
bool is_end_of_attempt_only(EventKind kind) {
  return ends_attempt(kind) && !is_one_of(kind, {EventKind::held, EventKind::aborted});
}

}  // namespace

std::string_view name(Phase phase) { return phase_names[static_cast<std::size_t>(phase)]; }

std::vector<Phase> all_phases() {
  std::vector<Phase> all(phase_count);
  for (std::size_t i = 0; i < phase_count; ++i) all[i] = static_cast<Phase>(i);
  return all;
}

Sign AttemptStream::sign_of(EventKind kind, bool in_slot) const {
  if (kind == EventKind::matched) {
    bool const joined = is_one_of(rule_, {AttemptRule::start_seen, AttemptRule::any_trace});
    return in_slot && joined ? Sign::none : Sign::match;
  }
  if (in_slot) return Sign::none;
  switch (rule_) {
    case AttemptRule::slot_time:
    case AttemptRule::as_recorded:
      return sign_in_slot(kind);
    case AttemptRule::start_seen:
      return is_at_start(kind) ? Sign::later : Sign::none;
    case AttemptRule::any_trace:
      return is_end_of_attempt_only(kind) ? Sign::later : sign_in_slot(kind);
  }
  return Sign::none;
}

AttemptStep AttemptStream::next(JobEvent const& event) {
  if (event.job.index() >= jobs_.size()) jobs_.resize(event.job.index() + 1);
  Follow& job = jobs_[event.job.index()];
  AttemptStep step{.event = event, .passed = job.phase};
  bool const ends = ends_attempt(event.kind);
  // Contact came back before this event, without an event of its own.
  if (job.phase == Phase::disconnected && event.kind != EventKind::disconnected && !ends) {
    job.phase = job.before_disconnection;
  }
  step.begins = sign_of(event.kind, has_slot(job.phase));
  if (step.begins != Sign::none) {
    ++job.attempt;
    job.begun_by = step.begins;
    job.executed = step.begins == Sign::execution;
    job.phase = job.executed ? Phase::executing : Phase::matched;
  }
  bool const in_slot = has_slot(job.phase);
  step.was = job.phase;
  step.begun_by = in_slot ? job.begun_by : Sign::none;
  step.ends = in_slot && ends;
  step.attempt = job.attempt;
  if (ends) {
    job.phase = phase_after_end(event);
  } else if (in_slot) {
    go_on(job, event.kind);
  } else if (event.kind == EventKind::released && job.phase == Phase::held) {
    job.phase = Phase::waiting;
  }
  step.now = job.phase;
  return step;
}

/// From one phase in a slot to the next.
void AttemptStream::go_on(Follow& job, EventKind kind) const {
  using enum EventKind;
  if (is_one_of(kind, {matched, transfer_input_queued, transfer_input_finished})) {
    job.phase = Phase::matched;
  } else if (kind == transfer_input_started) {
    job.phase = Phase::transfer;
  } else if (kind == executing) {
    job.phase = Phase::executing;
    job.executed = true;
  } else if (is_output_step(kind)) {
    job.phase = Phase::output;
  } else if (kind == checkpointed) {
    bool const missing = rule_ == AttemptRule::slot_time && !job.executed;
    if (job.phase == Phase::output || missing) job.phase = Phase::executing;
    job.executed = true;
  } else if (kind == suspended) {
    if (job.phase != Phase::suspended) job.before_suspension = job.phase;
    job.phase = Phase::suspended;
  } else if (kind == unsuspended && job.phase == Phase::suspended) {
    job.phase = job.before_suspension;
  } else if (kind == disconnected) {
    if (job.phase != Phase::disconnected) job.before_disconnection = job.phase;
    job.phase = Phase::disconnected;
  }
}

}  // namespace gridcast::history
