// The attempts of a history's jobs, as steps of AttemptStream make them: whole, as spans of time,
// as stretches of a job's events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "sim/history/attempt_stream.hpp"
#include "sim/history/per_job.hpp"

namespace gridcast::history {

/// An attempt by its events, from its match on: one that began before the record is left out, as
/// its times are not known.
struct Attempt {
  Id<Job> job;
  int number = 0;  // among the job's attempts in the record, from 1
  Id<Site> site;   // as its match has it
  std::uint32_t slot = 0;
  Seconds matched;
  std::optional<Seconds> transfer_started, transfer_ended;  // input
  std::optional<Seconds> execute_started, execute_ended;
  /// Transfers of checkpoints that were stored, within the execution.
  struct Checkpoint {
    Seconds started, ended;
  };
  std::vector<Checkpoint> checkpoints = {};
  std::optional<Seconds> output_started, output_ended;
  std::optional<Seconds> ended;  // none: the history ends first
  EventKind end = EventKind::matched;
  Reason reason = Reason::none;
  int code = 0;        // hold or vacate code of the end; 0 if the record has none
  bool useful = true;  // of those that terminated

  std::optional<Seconds> execution() const;
};

/// Follows the attempts of a campaign while it happens; hands them on in the order of their
/// matches, each as soon as it and those before it have ended.
class AttemptFollower {
 public:
  using Use = std::function<void(Attempt const&)>;
  explicit AttemptFollower(Use use) : use_(std::move(use)) {}

  void add(AttemptStep const& step);
  /// No event of the job will follow.
  void forget(Id<Job> job);
  /// Hands on the others: those that the history breaks off, and those behind them.
  void finish();

 private:
  struct JobAttempts {
    std::optional<std::size_t> open;  // which attempt of the campaign is on, from 0
    int number = 0;                   // of the job's last attempt
  };
  struct Followed {
    Attempt attempt;
    bool over = false;
  };

  void hand_on();

  Use use_;
  PerJob<JobAttempts> jobs_;
  std::deque<Followed> waiting_;  // attempts that are on, and those that wait behind one
  std::size_t first_ = 0;         // which attempt of the campaign is the first of them
};

/// In the order of their matches.
std::vector<Attempt> attempts_of(JobHistory const& history);

/// A phase of a job with its begin, end, place and the cause of its end; for pictures and traces.
struct PhaseSpan {
  Id<Job> job;
  Phase phase = Phase::waiting;
  Seconds begin, end;         // begin < end
  Id<Site> site;              // of phases with a slot; invalid where it is not known
  std::uint32_t slot = 0;     // as in JobEvent
  std::uint32_t attempt = 0;  // of the job's, from 1; 0 in the queue
  bool open = false;          // the record ends before the phase does
  /// In a slot: the end of the attempt, on its last span. In the queue: the event that brought the
  /// job there; none after its submission and its release.
  std::optional<Ending> cause;
  bool succeeded = false;  // the attempt that `cause` ended gave the job's result
};

/// By job, then in order of time. A job's spans do not overlap, and leave no gap from its first
/// event to its last; after its end there are none. Phases under way when the record ends go to its
/// end where the history is dated.
std::vector<PhaseSpan> phases_of(JobHistory const& history);

/// An attempt as a stretch of its job's events, with the rule `any_trace`.
struct AttemptSpan {
  std::size_t first = 0, last = 0;  // of the job's own events
  Seconds begin{}, end{};           // of its last event so far if it is open
  Id<Site> site{};                  // the last that its events name
  bool executed = false;
  bool open = true;  // the history ends before the attempt does
};

/// Spans of one job's events in order.
std::vector<AttemptSpan> attempt_spans(std::vector<JobEvent> const& events);

}  // namespace gridcast::history
