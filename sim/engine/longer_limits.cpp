#include "sim/engine/longer_limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/base/statistics.hpp"

namespace gridcast::engine {
namespace {

using history::EventKind;
using history::RecordedAttempt;
using history::RecordedJob;

bool met_limit(RecordedAttempt const& attempt) {
  return attempt.executed && attempt.ended_by != EventKind::terminated &&
         attempt.reason == history::Reason::execution_too_long;
}

/// The length of executions beyond the limit that ended some of them.
class BeyondLimit {
 public:
  BeyondLimit(history::RecordedJobs const& recorded,
              std::function<bool(RecordedAttempt const&)> const& met) {
    std::vector<double> ended;
    double limited = 0;
    for (RecordedJob const& job : recorded.jobs) {
      for (RecordedAttempt const& attempt : job.attempts) {
        if (met(attempt)) ++limited;
        if (attempt.exits() && attempt.useful) ended.push_back(attempt.execution.value());
      }
    }
    constexpr std::size_t fewest = 3;
    if (ended.size() < fewest) return;
    below_ = count(ended.size()) / (count(ended.size()) + limited);
    median_ = median(std::move(ended));
  }

  /// A length beyond `limit`.
  Seconds draw(Seconds limit, RandomStream stream) const {
    double const u = stream.uniform();
    double const logarithm = std::log(limit.value());
    constexpr double widest = 3;
    if (below_ <= 0 || median_ <= 0 || median_ >= limit.value())
      return Seconds(std::exp(logarithm + u * std::log(widest)));
    double const z = normal_quantile(below_);
    double const sd = (logarithm - std::log(median_)) / (z - normal_quantile(below_ / 2));
    double const beyond = normal_quantile(below_ + u * (1 - below_));
    return Seconds(std::exp(logarithm + sd * (beyond - z)));
  }

 private:
  double below_ = 0;   // share of the executions that ended by themselves
  double median_ = 0;  // of these, s
};

}  // namespace

history::RecordedJobs under_longer_limit(history::RecordedJobs recorded, LimitChange const& limit,
                                         RandomStreams const& streams) {
  if (limit.now == limit.recorded) return recorded;
  return continued_beyond(std::move(recorded), met_limit, limit.now, streams);
}

history::RecordedJobs continued_beyond(history::RecordedJobs recorded,
                                       std::function<bool(RecordedAttempt const&)> const& met,
                                       std::optional<Seconds> now, RandomStreams const& streams) {
  BeyondLimit const law(recorded, met);
  for (std::size_t j = 0; j < recorded.jobs.size(); ++j) {
    auto& attempts = recorded.jobs[j].attempts;
    auto const limited = std::ranges::find_if(attempts, met);
    if (limited == attempts.end()) continue;
    Seconds const reached = limited->execution;
    if (now && *now <= reached) continue;
    auto const number = static_cast<std::uint32_t>(j);
    limited->execution = law.draw(reached, streams.stream(Purpose::bootstrap, 7, number));
    limited->ended_by = EventKind::terminated;
    limited->reason = history::Reason::none;
    limited->useful = true;
    limited->hold = {};
    limited->after_hold = history::AfterHold::stays;
    limited->held_for = {};
    attempts.erase(limited + 1, attempts.end());
  }
  return recorded;
}

}  // namespace gridcast::engine
