// Events -> attempts with phases: the one place that relates an event to the attempt of its job. It
// reads a recorded history or a simulation that is under way, event by event.
//
// A job is in one phase at a time, and the events are the steps from one to the next:
//   submitted, released, evicted, shadow_exception, requeued, reconnect_failed   waiting
//   evicted with the code of a failed transfer                                   cool_down
//   held                                                                         held
//   matched, transfer_input_queued, transfer_input_finished                      matched
//   transfer_input_started                                                       transfer
//   executing                                                                    executing
//   transfer_output_queued, _started, _finished                                  output
//   checkpointed                  executing, if it ends an output transfer or the 001 before it is
//                                 missing; else no step
//   suspended, unsuspended        suspended, and back to the interrupted phase
//   disconnected, any other       disconnected, and back, as the slot works on meanwhile
//
// An attempt is the life of one shadow (HTCondor: NumShadowStarts): from the activation of a claim
// to the one event that takes the slot away (ends_attempt). Two phases are only known when they are
// over: an output transfer was a `checkpoint` if one came of it, and an input transfer `stalled`
// from its start on if it was given up because no byte came (no source has the time of its last
// byte). Steps have neither; the collectors of time spans rename them (attempts.hpp).
//
// A step needs twelve bytes a job and the event alone, without an allocation: a campaign of 10^6
// jobs is followed during its simulation, and nothing has to be freed when a job is settled.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::history {

enum class Phase : std::uint8_t {
  waiting,   // idle in the queue
  matched,   // claimed, neither transferring nor executing
  transfer,  // of input
  stalled,
  executing,
  checkpoint,
  output,
  suspended,
  disconnected,
  held,
  cool_down,  // in the queue after a vacate for a failed transfer that led to no hold
};

inline constexpr std::size_t phase_count = 11;

/// "waiting", "cool_down".
std::string_view name(Phase phase);
/// True if a slot is claimed for the job meanwhile.
constexpr bool has_slot(Phase phase) {
  return !is_one_of(phase, {Phase::waiting, Phase::held, Phase::cool_down});
}
/// All in their order.
std::vector<Phase> all_phases();

/// Which events show an attempt where the record lacks lines, for a job that is in no slot as far
/// as is known, and between two matches.
enum class AttemptRule : std::uint8_t {
  /// Any event that happens in a slot begins an attempt, and so does each match: no slot time is
  /// lost, nor counted for an attempt that a match proves to be over. A checkpoint shows that the
  /// job executes, from then on, if its 001 is missing.
  slot_time,
  /// The same attempts, but only in phases with lines of their own: a picture shows no execution
  /// whose begin is not recorded.
  as_recorded,
  /// Only events at the start of an attempt, up to `executing`: its times count from there. A match
  /// within an attempt is a second line on its start.
  start_seen,
  /// Its end alone shows an attempt, unless a job in the queue could end so, too: attempts are
  /// counted as HTCondor counts them (NumShadowStarts). A match within an attempt as above.
  any_trace,
};

/// The kind of event that shows an attempt's begin.
enum class Sign : std::uint8_t {
  none,
  match,
  later,      // an event that follows a match
  execution,  // an event that only an execution has: the job was executing
};

/// An event and its meaning for the attempt.
struct AttemptStep {
  JobEvent const& event;
  Phase passed = Phase::waiting;  // the job's phase since its last event
  Phase was = Phase::waiting;  // likewise, but if the event shows that contact is back, or that an
                               // attempt is on: the slot's phase
  Phase now = Phase::waiting;
  Sign begins = Sign::none;    // the event is the first of an attempt
  Sign begun_by = Sign::none;  // the attempt that the event belongs to; none if it has no slot
  bool ends = false;           // ... which it ends
  std::uint32_t attempt = 0;   // the job's last attempt, from 1; 0: there was none

  bool in_attempt() const { return begun_by != Sign::none; }
  /// An output transfer begins, and is no further step of one.
  bool begins_output() const { return was != Phase::output && is_output_step(event.kind); }
  /// An output transfer was that of a checkpoint.
  bool saves_output() const {
    return event.kind == EventKind::checkpointed && was == Phase::output;
  }
};

class AttemptStream {
 public:
  explicit AttemptStream(AttemptRule rule = AttemptRule::slot_time) : rule_(rule) {}

  /// Events of a job in order; jobs in any order. The step is of use as long as the event is there.
  AttemptStep next(JobEvent const& event);

 private:
  struct Follow {
    std::uint32_t attempt = 0;
    Phase phase = Phase::waiting;
    Phase before_suspension = Phase::executing, before_disconnection = Phase::executing;
    Sign begun_by = Sign::none;
    bool executed = false;  // in this attempt
  };

  Sign sign_of(EventKind kind, bool in_slot) const;
  void go_on(Follow& job, EventKind kind) const;

  AttemptRule rule_;
  std::vector<Follow> jobs_;  // by Id<Job>
};

/// Takes the steps of a campaign while it happens.
class AttemptSink : public HistorySink {
 public:
  void add(JobEvent const& event) final { follow(stream_.next(event)); }

 protected:
  virtual void follow(AttemptStep const& step) = 0;

 private:
  AttemptStream stream_;
};

/// Calls `use(step)` for each event of a history, in its order.
template <class Use>
void each_step(std::vector<JobEvent> const& events, Use use,
               AttemptRule rule = AttemptRule::slot_time) {
  AttemptStream stream(rule);
  for (JobEvent const& event : events) use(stream.next(event));
}

}  // namespace gridcast::history
