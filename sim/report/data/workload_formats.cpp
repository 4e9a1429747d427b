#include "sim/report/data/workload_formats.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gridcast_version.hpp"
#include "sim/report/data/campaign_tables.hpp"
#include "sim/report/trace/trace.hpp"

namespace gridcast::report {
namespace {

using import::SwfJob;
using import::SwfLog;
using import::SwfStatus;

Seconds whole(Seconds time) { return Seconds(std::round(time.value())); }

SwfStatus status_of(ledger::Standing standing) {
  switch (standing) {
    case ledger::Standing::succeeded:
      return SwfStatus::completed;
    case ledger::Standing::wrong_output:
      return SwfStatus::failed;
    case ledger::Standing::held:
    case ledger::Standing::removed:
      return SwfStatus::cancelled;
    case ledger::Standing::unfinished:
      break;
  }
  return SwfStatus::unknown;
}

SwfJob job_of(JobSummary const& outcome, Seconds first) {
  SwfJob job;
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

std::string without_controls(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::string header_date(std::int64_t unix_time) {
  return fmt::format("{:%a %b %d %H:%M:%S UTC %Y}",
                     fmt::gmtime(static_cast<std::time_t>(unix_time)));
}

void add_header(SwfLog& log, history::JobHistory const& history, std::string const& title,
                Seconds first, TraceLayout const& layout) {
  auto const add = [&log](std::string name, std::string value) {
    log.header.emplace_back(std::move(name), std::move(value));
  };
  add("Version", "2.2");
  add("Computer", without_controls(title));
  add("Conversion", "gridcast export swf");
  add("MaxJobs", std::to_string(log.jobs.size()));
  add("MaxRecords", std::to_string(log.jobs.size()));
  if (history.start_unix) {
    auto const begin = *history.start_unix + static_cast<std::int64_t>(std::llround(first.value()));
    auto const end =
        *history.start_unix + static_cast<std::int64_t>(std::llround(layout.end.value()));
    add("UnixStartTime", std::to_string(begin));
    add("TimeZoneString", "UTC");
    add("StartTime", header_date(begin));
    add("EndTime", header_date(end));
  }
  add("MaxNodes", std::to_string(layout.lanes.size()));
  add("MaxProcs", std::to_string(layout.lanes.size()));
  add("MaxPartitions", std::to_string(history.sites.size()));
  for (std::size_t i = 0; i < history.sites.size(); ++i) {
    add("Partition", fmt::format("{} {}", i + 1, without_controls(history.sites[i])));
  }
  add("Note", "a processor is a slot, a partition is a site; the wait includes earlier attempts");
}

using Json = nlohmann::ordered_json;

// Where a simulation has no dates: the start of written event logs.
constexpr std::int64_t default_start = 1723453200;  // 2024-08-12 09:00:00 UTC

/// Other characters than these become `other`; texts stay different from each other.
class Names {
 public:
  Names(std::string_view allowed, char other) : allowed_(allowed), other_(other) {}

  std::string of(std::string const& text) {
    auto const known = names_.find(text);
    if (known != names_.end()) return known->second;
    std::string name;
    for (char const c : text) {
      bool const plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
      name += plain || allowed_.find(c) != std::string_view::npos ? c : other_;
    }
    if (name.empty()) name = "unnamed";
    std::string unique = name;
    for (int i = 2; !taken_.insert(unique).second; ++i)
      unique = fmt::format("{}{}{}", name, other_, i);
    return names_[text] = unique;
  }

 private:
  std::string_view allowed_;
  char other_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

std::string date_text(std::int64_t unix_time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}+00:00",
                     fmt::gmtime(static_cast<std::time_t>(unix_time)));
}

std::string name_of_host(Names& names, std::string const& site) {
  std::string name = names.of(site);
  bool const begins_well = std::isalnum(static_cast<unsigned char>(name.front())) != 0;
  bool const ends_well = std::isalnum(static_cast<unsigned char>(name.back())) != 0;
  return (begins_well ? "" : "site") + name + (ends_well ? "" : "0");
}

class Instance {
 public:
  Instance(history::JobHistory const& history, std::string const& title,
           std::vector<scenario::InputFile> const& input)
      : history_(history),
        title_(title),
        layout_(trace_layout(history)),
        outcomes_(summaries_of(history, layout_.spans)) {
    find_files(input);
  }

  std::string write() {
    Json workflow = {{"specification", specification()}};
    Json run = execution();
    if (!run["tasks"].empty()) workflow["execution"] = std::move(run);
    Json const instance = {
        {"name", title_.empty() ? "campaign" : title_},
        {"description", "independent jobs of a campaign; sites stand for machines"},
        {"createdAt", date_text(start())},
        {"schemaVersion", "1.5"},
        {"runtimeSystem", {{"name", "gridcast"}, {"version", version_number}}},
        {"workflow", std::move(workflow)}};
    return instance.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  std::int64_t start() const { return history_.start_unix.value_or(default_start); }

  std::string task_id(std::size_t job) {
    return task_names_.of("job_" + name_of_job(history_, Id<history::Job>(job)));
  }

  void add_file(std::string const& url, Bytes size) {
    auto const [place, fresh] = sizes_.emplace(url, size);
    if (fresh) {
      urls_.push_back(url);
    } else {
      place->second = std::max(place->second, size);
    }
  }

  void find_files(std::vector<scenario::InputFile> const& input) {
    inputs_.resize(history_.jobs.size());
    outputs_.resize(history_.jobs.size());
    for (scenario::InputFile const& file : input) {
      add_file(file.url, file.size);
      for (auto& files : inputs_) files.push_back(file.url);
    }
    for (history::UrlTransfer const& transfer : history_.transfers) {
      bool const known = !input.empty() && !transfer.upload;
      if (known || !transfer.succeeded || transfer.url >= history_.urls.size()) continue;
      std::string const& url = history_.urls[transfer.url];
      auto& files = (transfer.upload ? outputs_ : inputs_)[transfer.job.index()];
      add_file(url, transfer.size);
      if (std::find(files.begin(), files.end(), url) == files.end()) files.push_back(url);
    }
  }

  Json ids(std::vector<std::string> const& urls) {
    Json list = Json::array();
    for (auto const& url : urls) list.push_back(file_names_.of(url));
    return list;
  }

  Json specification() {
    Json tasks = Json::array();
    for (std::size_t i = 0; i < history_.jobs.size(); ++i) {
      tasks.push_back({{"name", "job"},
                       {"id", task_id(i)},
                       {"parents", Json::array()},
                       {"children", Json::array()},
                       {"inputFiles", ids(inputs_[i])},
                       {"outputFiles", ids(outputs_[i])}});
    }
    Json files = Json::array();
    for (auto const& url : urls_) {
      files.push_back(
          {{"id", file_names_.of(url)}, {"sizeInBytes", std::llround(sizes_.at(url).value())}});
    }
    return {{"tasks", std::move(tasks)}, {"files", std::move(files)}};
  }

  Json execution() {
    Json tasks = Json::array(), machines = Json::array();
    std::set<std::string> used;
    for (JobSummary const& outcome : outcomes_) {
      if (!outcome.execution_begin) continue;
      Seconds const runtime = *outcome.execution_end - *outcome.execution_begin;
      auto const at = start() + std::llround(outcome.execution_begin->value());
      std::string const machine = name_of_host(host_names_, site_name(history_, outcome.site));
      used.insert(machine);
      Json task = {{"id", task_id(outcome.job.index())},
                   {"runtimeInSeconds", runtime.value()},
                   {"executedAt", date_text(at)}};
      Bytes read;
      for (auto const& url : inputs_[outcome.job.index()]) read += sizes_.at(url);
      if (read > Bytes()) task["readBytes"] = std::llround(read.value());
      task["machines"] = Json::array({machine});
      tasks.push_back(std::move(task));
    }
    for (auto const& machine : used) machines.push_back({{"nodeName", machine}});
    Seconds first = layout_.end;
    for (history::JobEvent const& event : history_.events) first = std::min(first, event.at);
    return {{"makespanInSeconds", (layout_.end - first).value()},
            {"executedAt", date_text(start() + std::llround(first.value()))},
            {"tasks", std::move(tasks)},
            {"machines", std::move(machines)}};
  }

  history::JobHistory const& history_;
  std::string const& title_;
  TraceLayout layout_;
  std::vector<JobSummary> outcomes_;
  std::vector<std::string> urls_;  // in the order in which they came up
  std::map<std::string, Bytes> sizes_;
  std::vector<std::vector<std::string>> inputs_, outputs_;  // URLs, by job
  Names task_names_{"-_.", '_'}, file_names_{"-_.", '_'}, host_names_{"-.", '-'};
};

}  // namespace

SwfLog swf_log(history::JobHistory const& history, std::string const& title) {
  SwfLog log;
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

std::string wfformat_json(history::JobHistory const& history, std::string const& title,
                          std::vector<scenario::InputFile> const& input) {
  return Instance(history, title, input).write();
}

}  // namespace gridcast::report
