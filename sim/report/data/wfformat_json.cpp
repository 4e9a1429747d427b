#include "sim/report/data/wfformat_json.hpp"

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

using Json = nlohmann::ordered_json;

// For simulations without dates: the start of written event logs.
constexpr std::int64_t default_start = 1723453200;  // 2024-08-12 09:00:00 UTC

/// Replaces other characters than these by `other`; different texts get different names.
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

std::string wfformat_json(history::JobHistory const& history, std::string const& title,
                          std::vector<scenario::InputFile> const& input) {
  return Instance(history, title, input).write();
}

}  // namespace gridcast::report
