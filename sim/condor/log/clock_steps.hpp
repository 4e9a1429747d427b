// A clock that is set back while a log is written.
//
// HTCondor appends events, so those of one file stand in the order in which they happened. If a
// job's event is more than five minutes earlier than the job's event before it, then the clock was
// set back. From there on, all times count as later by the step, so that time goes on:
//
//   step = latest time so far - time of the event
//
// The time that passed at the step itself is unknown and taken as zero. A clock that later leaps
// forward by as much was set right again. A few events of a far future, after which the clock
// returns, are no step: their own dates are wrong.
//
// An example: a job is submitted at 8:00 and executes at 10:00. The clock is then set back by an
// hour, and the job ends at 9:30. The end counts as 10:00, and an event of 9:40 as 10:10.
#pragma once

#include <cstdint>
#include <optional>

namespace gridcast::condor {

class ClockSteps {
 public:
  struct Time {
    std::int64_t at_ms = 0;    // with all steps so far
    std::int64_t step_ms = 0;  // that is seen with this event; 0: none
  };
  /// The next event of a file, `at_ms` by its date. `job_ms`: the time of its job's event before in
  /// this file, with the steps.
  Time next(std::int64_t at_ms, std::optional<std::int64_t> job_ms);

 private:
  void follow(std::int64_t at_ms);

  std::int64_t ahead_ms_ = 0;                      // of the dates
  std::optional<std::int64_t> date_ms_;            // of the event before
  std::int64_t latest_ms_ = 0;                     // with the steps
  std::int64_t leap_ms_ = 0, before_leap_ms_ = 0;  // the last leap forward; the latest time before
  int since_leap_ = 0;                             // events
};

}  // namespace gridcast::condor
