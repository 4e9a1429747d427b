// Questions to a history that many tests ask.
#pragma once

#include <algorithm>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::test {

inline std::size_t count(history::JobHistory const& history, history::EventKind kind) {
  return static_cast<std::size_t>(std::count_if(history.events.begin(), history.events.end(),
                                                [&](auto& event) { return event.kind == kind; }));
}

inline std::size_t count(history::JobHistory const& history, history::EventKind kind,
                         history::Reason reason) {
  return static_cast<std::size_t>(
      std::count_if(history.events.begin(), history.events.end(),
                    [&](auto& event) { return event.kind == kind && event.reason == reason; }));
}

/// One job's events, in order.
inline std::vector<history::JobEvent> events_of(history::JobHistory const& history,
                                                std::size_t job) {
  std::vector<history::JobEvent> events;
  for (history::JobEvent const& event : history.events) {
    if (event.job.index() == job) events.push_back(event);
  }
  return events;
}

inline std::vector<history::EventKind> kinds(std::vector<history::JobEvent> const& events) {
  std::vector<history::EventKind> kinds;
  for (history::JobEvent const& event : events) kinds.push_back(event.kind);
  return kinds;
}

/// How often each job's events are of a kind.
inline std::vector<double> counts(history::JobHistory const& history, history::EventKind kind) {
  std::vector<double> counts(history.jobs.size());
  for (history::JobEvent const& event : history.events)
    counts[event.job.index()] += event.kind == kind;
  return counts;
}

/// When each event of that kind happened.
inline std::vector<Seconds> times(std::vector<history::JobEvent> const& events,
                                  history::EventKind kind) {
  std::vector<Seconds> times;
  for (history::JobEvent const& event : events) {
    if (event.kind == kind) times.push_back(event.at);
  }
  return times;
}

/// How long each input transfer took that ended well.
inline std::vector<Seconds> transfer_times(history::JobHistory const& history) {
  std::vector<Seconds> started(history.jobs.size()), took;
  for (history::JobEvent const& event : history.events) {
    Seconds& start = started[event.job.index()];
    if (event.kind == history::EventKind::transfer_input_started) start = event.at;
    if (event.kind == history::EventKind::transfer_input_finished) took.push_back(event.at - start);
  }
  return took;
}

}  // namespace gridcast::test
