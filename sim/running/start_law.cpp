#include "sim/running/start_law.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

constexpr std::size_t least_starts = 5;
constexpr double change_sd = 0.5;  // of the logarithm of the rate
constexpr double span_sd = 1.5;    // likewise, where there was no start
constexpr Seconds shortest_wait(1);

struct Change {
  Seconds at;
  bool start;  // or a submission

  bool operator<(Change const& other) const {
    return at != other.at ? at < other.at : !start && other.start;
  }
};

/// The gaps before all starts while jobs waited; the open one last.
struct Gaps {
  std::vector<Seconds> closed;
  Seconds open;
};

Gaps gaps_of(std::vector<FirstWait> const& jobs, Seconds now) {
  std::vector<Change> changes;
  for (FirstWait const& job : jobs) {
    changes.push_back({job.submitted, false});
    if (!job.waits) changes.push_back({job.left, true});
  }
  std::sort(changes.begin(), changes.end());
  Gaps gaps;
  std::size_t waiting = 0;
  Seconds since;  // the last start, or the time from which on jobs wait
  for (Change const& change : changes) {
    if (!change.start) {
      if (waiting++ == 0) since = change.at;
      continue;
    }
    gaps.closed.push_back(std::max(Seconds(), change.at - since));
    since = change.at;
    if (waiting > 0) --waiting;
  }
  if (waiting > 0) gaps.open = std::max(Seconds(), now - since);
  return gaps;
}

}  // namespace

StartLaw::StartLaw(std::vector<FirstWait> const& jobs, Seconds now) {
  Gaps const gaps = gaps_of(jobs, now);
  std::size_t const all = gaps.closed.size();
  std::size_t used = 0;
  double squares = square(gaps.open.value());
  gaps_ = gaps.open;
  // A burst without the gap before it says nothing about the rate.
  while (used < all && (used < std::max(least_starts, all / 3) || gaps_ == Seconds())) {
    Seconds const gap = gaps.closed[all - ++used];
    gaps_ += gap;
    squares += square(gap.value());
  }
  starts_ = count(used);
  independent_ = squares > 0 ? square(gaps_.value()) / squares : starts_;
  gaps_ = std::max(gaps_, shortest_wait);
}

std::vector<Seconds> StartLaw::draw(std::size_t jobs, RandomStream stream) const {
  std::vector<Seconds> times;
  times.reserve(jobs);
  double const z = normal_quantile(stream.uniform()), first = stream.uniform();
  if (starts_ == 0) {
    Seconds const begin = gaps_ / first - gaps_;
    Seconds const span = gaps_ / first * std::exp(span_sd * z);
    for (std::size_t i = 0; i < jobs; ++i) times.push_back(begin + span * (count(i) / count(jobs)));
    return times;
  }
  double const sd = std::sqrt(1 / std::max(1.0, independent_) + square(change_sd));
  Seconds const gap = gaps_ / starts_ * std::exp(sd * z);
  double const shape = std::clamp(independent_ / starts_, 1e-3, 1.0);
  Seconds at;
  for (std::size_t i = 0; i < jobs; ++i) {
    double const u = stream.uniform();
    if (u < shape) at += gap / shape * -std::log(u / shape);
    times.push_back(at);
  }
  return times;
}

}  // namespace gridcast::running
