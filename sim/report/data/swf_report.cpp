#include "sim/report/data/swf_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "sim/report/data/job_summary.hpp"
#include "sim/report/trace/trace.hpp"

namespace gridcast::report {
namespace {

Seconds whole(Seconds time) { return Seconds(std::round(time.value())); }

import::SwfStatus status_of(ledger::Standing standing){
    switch (standing){case ledger::Standing::succeeded: return import::SwfStatus::completed;
case ledger::Standing::wrong_output:
  return import::SwfStatus::failed;
case ledger::Standing::held:
case ledger::Standing::removed:
  return import::SwfStatus::cancelled;
case ledger::Standing::unfinished:
  break;
}  // namespace
return import::SwfStatus::unknown;
}  // namespace gridcast::report

import::SwfJob job_of(JobSummary const& outcome, Seconds first){import::SwfJob job;
Seconds const submitted = outcome.submitted.value_or(first);
job.submit = whole(submitted - first);
if (outcome.execution_begin) {
  Seconds const begin = whole(*outcome.execution_begin - first);
  job.wait = begin - job.submit;
  job.run = whole(*outcome.execution_end - first) - begin;
}
job.processors = outcome.execution_begin ? std::optional<std::int64_t>(1) : std::nullopt;
job.requested_processors = 1;
job.status = status_of(outcome.standing);
job.user = job.group = job.executable = job.queue = 1;
if (outcome.site.valid()) job.partition = static_cast<std::int64_t>(outcome.site.index()) + 1;
return job;
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::string date_text(std::int64_t unix_time) {
  return fmt::format("{:%a %b %d %H:%M:%S UTC %Y}",
                     fmt::gmtime(static_cast<std::time_t>(unix_time)));
}

void add_header(import::SwfLog& log, history::JobHistory const& history, std::string const& title,
                Seconds first, TraceLayout const& layout) {
  auto const add = [&log](std::string name, std::string value) {
    log.header.emplace_back(std::move(name), std::move(value));
  };
  add("Version", "2.2");
  add("Computer", one_line(title));
  add("Conversion", "gridcast export swf");
  add("MaxJobs", std::to_string(log.jobs.size()));
  add("MaxRecords", std::to_string(log.jobs.size()));
  if (history.start_unix) {
    auto const begin = *history.start_unix + static_cast<std::int64_t>(std::llround(first.value()));
    auto const end =
        *history.start_unix + static_cast<std::int64_t>(std::llround(layout.end.value()));
    add("UnixStartTime", std::to_string(begin));
    add("TimeZoneString", "UTC");
    add("StartTime", date_text(begin));
    add("EndTime", date_text(end));
  }
  add("MaxNodes", std::to_string(layout.lanes.size()));
  add("MaxProcs", std::to_string(layout.lanes.size()));
  add("MaxPartitions", std::to_string(history.sites.size()));
  for (std::size_t i = 0; i < history.sites.size(); ++i) {
    add("Partition", fmt::format("{} {}", i + 1, one_line(history.sites[i])));
  }
  add("Note", "a processor is a slot, a partition is a site; the wait includes earlier attempts");
}

}  // namespace

import::SwfLog swf_log(history::JobHistory const& history,
                       std::string const& title){import::SwfLog log;
TraceLayout const layout = trace_layout(history);
auto outcomes = summaries_of(history, layout.spans);
std::erase_if(outcomes, [](JobSummary const& outcome) { return !outcome.submitted; });
std::stable_sort(outcomes.begin(), outcomes.end(), [](JobSummary const& a, JobSummary const& b) {
  return *a.submitted < *b.submitted;
});
Seconds const first = outcomes.empty() ? Seconds() : *outcomes.front().submitted;
for (JobSummary const& outcome : outcomes) {
  log.jobs.push_back(job_of(outcome, first));
  log.jobs.back().number = static_cast<std::int64_t>(log.jobs.size());
}
add_header(log, history, title, first, layout);
return log;
}

}  // namespace gridcast::report
