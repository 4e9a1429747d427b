// The choice between strategies in words. Every sentence that names a result has the finished jobs,
// the days and the GPU hours: medians with 90 % ranges.
#pragma once

#include <string>
#include <string_view>

#include "sim/report/data/result.hpp"

namespace gridcast::report {

/// A goal in words.
struct GoalWords {
  std::string_view advantage;  // of the best: "is the fastest"
  std::string_view as_good;    // of several: "are as fast"
  std::string_view figure;     // of gpu_hours: behind "GPU hours" or "slot hours"
  std::string_view score;      // what becomes more when it is better
};
/// `priced`: the cost is in money, else in GPU hours.
GoalWords const& words_of(scenario::GoalKind goal, bool priced);

/// The name, cut to so many columns ("..").
std::string short_name(std::string const& name, std::size_t most);

/// Times in the unit that fits the longest finite one: "3.1 d", "never".
class TimeWords {
 public:
  explicit TimeWords(double longest);
  std::string number(double seconds) const;  // "3.1", "never"
  std::string text(double seconds) const;    // "3.1 d", "never"
  std::string_view unit() const { return unit_; }

 private:
  double size_ = 1;
  std::string_view unit_ = "s";
};
/// The unit for all strategies of a choice.
TimeWords time_words(study::Choice const& choice);

/// "94 (86..98)"; "never", "3.1 (2.2..never)".
std::string jobs_cell(study::Spread const& spread);
std::string time_cell(study::Spread const& spread, TimeWords const& words);
std::string hours_cell(study::Spread const& spread);
std::string money_cell(study::Spread const& spread);

/// The outcome of a campaign under a strategy.
struct Outcome {
  std::size_t jobs = 0, wanted = 0;
  study::Spread finished = {}, makespan = {}, gpu_hours = {};
  std::string_view hours = "GPU hours";  // their name
};
/// "GPU hours", or "slot hours" of jobs without GPUs.
std::string_view hours_name(bool without_gpus);
/// A text about GPU hours, which then is about slot hours.
std::string with_hours_name(std::string_view text, bool without_gpus);
/// "94 of 100 jobs finish (86 to 98), 90 of them in 3.1 d (2.2 to 5.9), for 610 GPU hours (520 to
/// 780)".
std::string to_text(Outcome const& outcome, TimeWords const& words);
/// The medians alone: "94 of 100 jobs finish, 90 of them in 3.1 d, for 610 GPU hours".
std::string median_text(Outcome const& outcome, TimeWords const& words);
Outcome outcome_of(Result const& result, ResultStrategy const& strategy);
/// The unit for one outcome.
TimeWords time_words(Outcome const& outcome);

/// The answer as a sentence or two; empty without a choice.
std::string choice_sentence(Result const& result);
/// The advantage of another strategy in cost or time, and its disadvantage.
std::string trade_off_sentence(Result const& result);
/// How likely the best strategy of a choice, or the only strategy, meets the deadline that was
/// asked about; empty if none was, or without dates.
std::string deadline_sentence(Result const& result);
/// How to state prices, if the goal is the cost and there are none; else empty.
std::string prices_sentence(study::Choice const& choice);
/// "upgrade: HTCondor 25.6.1 and Pelican 7.16; the site and the pool must upgrade."
std::string about_sentence(ResultStrategy const& strategy);
/// "Evidence: a record of 100 jobs, 300 draws of its calibration, 1000 campaigns each."
std::string evidence_sentence(Result const& result, bool with_stopped = true);

}  // namespace gridcast::report
