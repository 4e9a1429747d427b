#include "sim/condor/attempt_spans.hpp"

namespace gridcast {
namespace {

bool in_slot(EventKind kind) {
  switch (kind) {
    case EventKind::submitted:
    case EventKind::released:
    case EventKind::held:
    case EventKind::aborted:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::vector<AttemptSpan> attempt_spans(std::vector<JobEvent> const& events) {
  std::vector<AttemptSpan> spans;
  bool open = false;
  for (std::size_t i = 0; i < events.size(); ++i) {
    JobEvent const& event = events[i];
    if (!open && !in_slot(event.kind)) continue;
    if (!open) {
      spans.push_back({i, i, event.at, event.at, {}, false, true});
      open = true;
    }
    AttemptSpan& span = spans.back();
    span.last = i;
    span.end = event.at;
    if (event.site.valid()) span.site = event.site;
    if (event.kind == EventKind::executing) span.executed = true;
    if (ends_attempt(event.kind)) open = span.open = false;
  }
  return spans;
}

std::vector<std::vector<JobEvent>> events_of_jobs(JobHistory const& history) {
  std::vector<std::vector<JobEvent>> jobs(history.jobs.size());
  for (JobEvent const& event : history.events) jobs[event.job.index()].push_back(event);
  return jobs;
}

}  // namespace gridcast
