// Histories of running campaigns, written event by event.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/running/running_forecast.hpp"

namespace gridcast::running {

using history::EventKind;
using history::JobHistory;

/// A history that is written event by event, at one site.
class Writer {
 public:
  Writer() { history_.sites = {"site"}; }

  std::size_t job() {
    history_.jobs.push_back({1, static_cast<std::uint32_t>(history_.jobs.size())});
    event(history_.jobs.size() - 1, Seconds(), EventKind::submitted);
    return history_.jobs.size() - 1;
  }
  void event(std::size_t job, Seconds at, EventKind kind) {
    history::JobEvent event{.at = at, .job = Id<history::Job>(job), .kind = kind};
    if (kind != EventKind::submitted) event.site = Id<history::Site>(0);
    history_.events.push_back(event);
  }
  void begin(std::size_t job, Seconds at) {
    event(job, at, EventKind::matched);
    event(job, at, EventKind::executing);
  }
  void run(std::size_t job, Seconds from, Seconds until, EventKind end = EventKind::terminated) {
    begin(job, from);
    event(job, until, end);
  }
  /// The program ends with an error.
  void fail(std::size_t job, Seconds from, Seconds until) {
    run(job, from, until);
    history_.events.back().useful = false;
  }
  /// Its last execution is not the last one of the job.
  void requeue_last() {
    history_.events.back().kind = EventKind::requeued;
    history_.events.back().reason = history::Reason::exit_code;
  }
  /// A limit of its memory holds it.
  void exceed(std::size_t job, Seconds from, Seconds until) {
    run(job, from, until, EventKind::held);
    history_.events.back().reason = history::Reason::out_of_resources;
  }
  /// periodic_hold holds it.
  void hold_by_policy(std::size_t job, Seconds from, Seconds until) {
    run(job, from, until, EventKind::held);
    history_.events.back().reason = history::Reason::policy;
  }
  JobHistory until(Seconds end) {
    std::stable_sort(history_.events.begin(), history_.events.end(),
                     [](auto const& a, auto const& b) { return a.at < b.at; });
    history_.seen_until = end;
    return history_;
  }

 private:
  JobHistory history_;
};

/// Ten jobs that took an hour, and one that has run for half an hour.
inline JobHistory one_left() {
  Writer writer;
  for (int i = 0; i < 10; ++i) writer.run(writer.job(), Seconds(), hours(1));
  std::size_t const left = writer.job();
  writer.event(left, hours(1), EventKind::matched);
  writer.event(left, hours(1), EventKind::executing);
  return writer.until(hours(1.5));
}

inline std::vector<double> ends_of(RunningForecast const& forecast) {
  std::vector<double> ends;
  for (FutureFigures const& future : forecast.futures) ends.push_back(future.end.value());
  return ends;
}

}  // namespace gridcast::running
