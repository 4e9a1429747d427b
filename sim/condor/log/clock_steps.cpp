#include "sim/condor/log/clock_steps.hpp"

#include <algorithm>

namespace gridcast::condor {
namespace {

// Several processes write about one job, minutes late at most.
constexpr std::int64_t least_step_ms = 300'000;
constexpr int few_events = 3;  // of wrong dates

/// True for leaps of about one size, in opposite directions.
bool undoes(std::int64_t back_ms, std::int64_t forward_ms) {
  return 10 * back_ms >= 9 * forward_ms;
}

}  // namespace

// Notices leaps, and whether the clock returned from one.
void ClockSteps::follow(std::int64_t at_ms) {
  std::int64_t const leap = date_ms_ ? at_ms - *date_ms_ : 0;
  ++since_leap_;
  if (leap > least_step_ms) {
    if (ahead_ms_ > 0 && undoes(leap, ahead_ms_) && at_ms >= latest_ms_) ahead_ms_ = 0;
    leap_ms_ = leap;
    before_leap_ms_ = latest_ms_;
    since_leap_ = 0;
  } else if (-leap > least_step_ms && since_leap_ <= few_events && leap_ms_ > 0 &&
             undoes(-leap, leap_ms_)) {
    latest_ms_ = before_leap_ms_;
  }
}

ClockSteps::Time ClockSteps::next(std::int64_t at_ms, std::optional<std::int64_t> job_ms) {
  follow(at_ms);
  Time time{at_ms + ahead_ms_, 0};
  bool const job_went_back = job_ms && time.at_ms < *job_ms - least_step_ms;
  std::int64_t const step = latest_ms_ - time.at_ms;
  if (job_went_back && step > least_step_ms) {
    ahead_ms_ += step;
    time = {latest_ms_, step};
  }
  latest_ms_ = date_ms_ ? std::max(latest_ms_, time.at_ms) : time.at_ms;
  date_ms_ = at_ms;
  return time;
}

}  // namespace gridcast::condor
