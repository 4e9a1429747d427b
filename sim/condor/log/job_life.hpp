// One job's notes as the events of its history: attempts that begin with `matched`, one end each,
// nothing counted twice. The rules are those of JobEvent's `ends_attempt`:
//   004 then 012 (or 009) within a second   one hold (removal), with the latter's code
//   007 then 004, 024 then 004              one end; the shadow lives until the 004
//   012 alone while the job runs            ends the attempt (HTCondor before 10)
//   001 after the 004 of its attempt        it did execute, and was lost at once
//   022 and then a sign of life             a reconnection came between
//   040 output pair and the job goes on     a checkpoint (self-checkpointing writes nothing else)
//   040 output pair, and the job is lost    files brought home because of that, or checkpoints if
//     at once                               the job saves one in the same log
//   040 "Finished" of a failed transfer     not a success, so left out
//   005 and no 001                          it executed from the end of its input on
//   005 long after the program's end        it executed until its program ended
// HTCondor manual, "Job Event Log Codes"; seen in the logs of a pool (calibration/data).
//   nothing of an attempt before its 001     claimed TimeSlotBusy before its end (a log without
//                                            040)
// An attempt's events are held back until it executes or ends, since only then is its site known;
// one whose beginning is not in the log until it ends, since only then is it known when it began.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/condor/log/log_note.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// The place of an attempt, as far as its notes show it.
struct AttemptPlace {
  SlotPlace slot;
  Id<history::Site> site;
};

/// The environment that lives need.
struct LifeContext {
  ExecutionPoints& execution_points;
  /// An event of the history, `at_ms` its time, which JobEvent::at is not yet; `place` is null
  /// while the job is in no slot.
  std::function<void(JobEvent event, std::int64_t at_ms, AttemptPlace const* place)> emit;
  /// Bytes that an attempt moved, once: after its end. `place` is null if no attempt is known that
  /// moved it.
  std::function<void(history::MovedBytes const& moved, AttemptPlace const* place)> moved;
  std::function<void(std::string_view what, LogNote const& note)> warn;
};

class JobLife {
 public:
  explicit JobLife(Id<history::Job> job) : job_(job) {}

  /// A submission after all events of this job: an access point that begins to count anew uses its
  /// number for another one.
  bool is_of_later_job(LogNote const& note, LifeContext& context);
  /// The access point knows the job no more. An attempt ends with the last event that it had.
  void abandon(LifeContext& context);

  /// Notes have to come in the log's order. True if the job may be done with it.
  bool add(LogNote const& note, LifeContext& context);

  /// The log ends, or so it seems: emits the events that are held back and frees the memory. A late
  /// note is still taken. The record ends then, as far as is known.
  void finish(std::int64_t record_ends_ms, LifeContext& context);

  /// The last event of a job that is in a slot: its time and its file (LogNote::file). Valid after
  /// finish().
  struct LastWord {
    std::int64_t at_ms = 0;
    std::uint32_t file = 0;
  };
  std::optional<LastWord> last_word_in_slot() const;
  /// The time of its last event if that is of this file (LogNote::file).
  std::optional<std::int64_t> latest_in(std::uint32_t file) const;

 private:
  enum class Status : std::uint8_t { unseen, idle, claimed, held, ended };
  enum class Output : std::uint8_t { none, started, finished };

  // An event not yet emitted.
  struct Pending {
    JobEvent event;
    std::int64_t at_ms;
    bool in_slot;
    bool perhaps_checkpoint = false;
  };

  // One of an earlier attempt.
  struct Waiting {
    Pending pending;
    AttemptPlace place;
  };

  struct Attempt {
    AttemptPlace place;
    history::MovedBytes moved;
    std::int64_t output_finished_ms = 0;
    Output output = Output::none;
    Reason hint = Reason::none;  // of 021
    std::int64_t before_ms = 0;  // of the job's last event before it
    bool bare = false;           // 001 is its first event
    bool input_started = false, input_finished = false, executing = false, disconnected = false;
    bool without_start = false;  // executing, though no 001 is logged
    bool gpus_known = false;     // by 001, and not to be none
  };

  void settle_old_second(LogNote const& note, LifeContext& context);
  void settle_second(LifeContext& context);
  void apply(LogNote const& note, bool end_follows, LifeContext& context);
  void warn_of_late(LogNote const& note, LifeContext& context) const;
  bool amend_end(LogNote const& note);
  void apply_to_attempt(LogNote const& note, LifeContext& context);
  void apply_input(LogNote const& note, LifeContext& context);
  void apply_execution(LogNote const& note, LifeContext& context);
  void apply_output(LogNote const& note, LifeContext& context);
  void apply_end(LogNote const& note, LifeContext& context);
  void apply_decision(LogNote const& note, LifeContext& context);
  void apply_sign_of_life(LogNote const& note, bool end_follows);

  void claim(LogNote const& note, LifeContext& context);
  void lose_attempt(LogNote const& note, LifeContext& context);
  void learn(LogNote const& note);
  bool late_execution(LogNote const& note);
  bool same_loss(LogNote const& note) const;
  void revive();
  void output_was_checkpoint();
  void put(EventKind kind, LogNote const* note = nullptr);
  bool ran(LogNote const& end) const;
  void begin_execution_of_exit(LogNote const& end);
  void end_execution_in_time(LogNote const& end);
  void end_attempt(EventKind kind, LogNote const& note, Status status);
  void settle_end(LifeContext& context);
  void settle_output_at_end(Pending const& end);
  void settle_output_of_open(std::int64_t record_ends_ms);
  void begin_as_busy(LogNote const& end);
  std::uint16_t gpus_at_end(LogNote const& end);
  std::vector<Pending>::iterator last_pending(EventKind kind);
  void drop_last(EventKind kind);
  static void emit(Pending const& pending, AttemptPlace const& place, LifeContext& context);
  void flush(LifeContext& context);

  std::vector<LogNote> second_;  // the notes of the second that is not over yet
  std::vector<Pending> pending_;
  std::vector<Waiting> waiting_;  // from the first one that may be a checkpoint
  Attempt attempt_;
  std::int64_t latest_ms_ = 0;
  std::uint32_t latest_file_ = 0;
  std::int64_t put_ms_ = 0;   // of the last event put
  bool checkpoints_ = false;  // the job has saved a checkpoint
  bool submitted_ = false;
  bool undecided_ = false;             // whether some output was a checkpoint
  bool had_gpus_ = false;              // in one of its attempts
  bool has_put_ = false;               // whether there is one
  std::uint32_t end_reason_hash_ = 0;  // of the note that ended the attempt
  NoteKind ended_by_ = NoteKind::hint;
  Status status_ = Status::unseen;
  bool end_open_ = false;  // the last of pending_ ends the attempt, and may still change
  Id<history::Job> job_;
};

}  // namespace gridcast::condor
