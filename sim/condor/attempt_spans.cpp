#include "sim/condor/attempt_spans.hpp"

namespace gridcast::condor {
namespace {

bool in_slot(history::EventKind kind) {
  switch (kind) {
    case history::EventKind::submitted:
    case history::EventKind::released:
    case history::EventKind::held:
    case history::EventKind::aborted:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::vector<AttemptSpan> attempt_spans(std::vector<history::JobEvent> const& events) {
  std::vector<AttemptSpan> spans;
  bool open = false;
  for (std::size_t i = 0; i < events.size(); ++i) {
    history::JobEvent const& event = events[i];
    if (!open && !in_slot(event.kind)) continue;
    if (!open) {
      spans.push_back({i, i, event.at, event.at, {}, false, true});
      open = true;
    }
    AttemptSpan& span = spans.back();
    span.last = i;
    span.end = event.at;
    if (event.site.valid()) span.site = event.site;
    if (event.kind == history::EventKind::executing) span.executed = true;
    if (history::ends_attempt(event.kind)) open = span.open = false;
  }
  return spans;
}

std::vector<std::vector<history::JobEvent>> events_of_jobs(history::JobHistory const& history) {
  std::vector<std::vector<history::JobEvent>> jobs(history.jobs.size());
  for (history::JobEvent const& event : history.events) jobs[event.job.index()].push_back(event);
  return jobs;
}

}  // namespace gridcast::condor
