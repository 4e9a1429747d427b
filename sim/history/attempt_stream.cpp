#include "sim/history/attempt_stream.hpp"

#include <array>

namespace gridcast::history {
namespace {

struct PhaseRow {
  std::string_view name;
  bool slot;
};

// In the order of Phase.
constexpr std::array<PhaseRow, phase_count> rows = {{
    {"waiting", false},
    {"matched", true},
    {"transfer", true},
    {"stalled", true},
    {"executing", true},
    {"checkpoint", true},
    {"output", true},
    {"suspended", true},
    {"disconnected", true},
    {"held", false},
    {"cool_down", false},
}};

constexpr PhaseRow const& row_of(Phase phase) { return rows[static_cast<std::size_t>(phase)]; }

/// HTCondor 25.6 and later: a vacate with a hold code for transfers, and no hold, is a cool-down
/// (src/condor_schedd.V6/schedd.cpp).
bool begins_cool_down(JobEvent const& event) {
  return event.kind == EventKind::evicted && (event.code == 12 || event.code == 13);
}

/// What the job does when its attempt has ended like this.
Phase phase_after_end(JobEvent const& event) {
  if (event.kind == EventKind::held) return Phase::held;
  return begins_cool_down(event) ? Phase::cool_down : Phase::waiting;
}

bool is_of_output(EventKind kind) {
  return kind == EventKind::transfer_output_queued || kind == EventKind::transfer_output_started ||
         kind == EventKind::transfer_output_finished;
}

/// Whether an event of this kind shows that its job is in a slot, and what it did there.
Sign sign_in_slot(EventKind kind) {
  switch (kind) {
    case EventKind::transfer_input_queued:
    case EventKind::transfer_input_started:
    case EventKind::transfer_input_finished:
    case EventKind::executing:
    case EventKind::transfer_output_queued:
    case EventKind::transfer_output_started:
    case EventKind::transfer_output_finished:
    case EventKind::disconnected:
      return Sign::later;
    // Only an execution can be checkpointed, suspended or reconnected to.
    case EventKind::checkpointed:
    case EventKind::suspended:
    case EventKind::unsuspended:
    case EventKind::reconnected:
      return Sign::execution;
    default:
      return Sign::none;
  }
}

bool is_at_start(EventKind kind) {
  return kind == EventKind::transfer_input_queued || kind == EventKind::transfer_input_started ||
         kind == EventKind::executing;
}

/// Held and removed are jobs in the queue, too.
bool is_end_of_attempt_only(EventKind kind) {
  return ends_attempt(kind) && kind != EventKind::held && kind != EventKind::aborted;
}

}  // namespace

std::string_view name(Phase phase) { return row_of(phase).name; }

bool has_slot(Phase phase) { return row_of(phase).slot; }

std::vector<Phase> all_phases() {
  std::vector<Phase> all(phase_count);
  for (std::size_t i = 0; i < phase_count; ++i) all[i] = static_cast<Phase>(i);
  return all;
}

bool AttemptStep::begins_output() const { return is_of_output(event.kind) && was != Phase::output; }

bool AttemptStep::saves_output() const {
  return event.kind == EventKind::checkpointed && was == Phase::output;
}

Sign AttemptStream::sign_of(EventKind kind, bool in_slot) const {
  if (kind == EventKind::matched) {
    bool const same_attempt =
        in_slot && (rule_ == AttemptRule::start_seen || rule_ == AttemptRule::any_trace);
    return same_attempt ? Sign::none : Sign::match;
  }
  if (in_slot) return Sign::none;
  switch (rule_) {
    case AttemptRule::slot_time:
    case AttemptRule::as_told:
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
  // What an event says of the time before it that no event of its own says.
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
  switch (kind) {
    case EventKind::matched:
    case EventKind::transfer_input_queued:
    case EventKind::transfer_input_finished:
      job.phase = Phase::matched;
      break;
    case EventKind::transfer_input_started:
      job.phase = Phase::transfer;
      break;
    case EventKind::executing:
      job.phase = Phase::executing;
      job.executed = true;
      break;
    case EventKind::transfer_output_queued:
    case EventKind::transfer_output_started:
    case EventKind::transfer_output_finished:
      job.phase = Phase::output;
      break;
    case EventKind::checkpointed:
      if (job.phase == Phase::output || (rule_ == AttemptRule::slot_time && !job.executed)) {
        job.phase = Phase::executing;
      }
      job.executed = true;
      break;
    case EventKind::suspended:
      if (job.phase != Phase::suspended) job.before_suspension = job.phase;
      job.phase = Phase::suspended;
      break;
    case EventKind::unsuspended:
      if (job.phase == Phase::suspended) job.phase = job.before_suspension;
      break;
    case EventKind::disconnected:
      if (job.phase != Phase::disconnected) job.before_disconnection = job.phase;
      job.phase = Phase::disconnected;
      break;
    default:
      break;
  }
}

}  // namespace gridcast::history
