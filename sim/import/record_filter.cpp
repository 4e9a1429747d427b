#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/history/attempt_stream.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/table/table_times.hpp"

namespace gridcast::import {
namespace {

constexpr char attribute_names[] =
    "ClusterId ProcId GlobalJobId QDate DAGNodeName JobBatchName Cmd Args ExitCode NumHolds "
    "JobStatus GPUs GLIDEIN_ResourceName DeviceName NumShadowStarts NumJobStarts "
    "RemoteWallClockTime Owner RequestMemory RequestDisk RequestCpus RequestGPUs MemoryUsage "
    "DiskUsage";

void put_text(classad::Ad& ad, char const* name, std::string const& value) {
  if (!value.empty()) ad.set(name, classad::Value(value));
}

void put_identity(classad::Ad& ad, history::JobHistory const& history, std::size_t job) {
  ad.set("ClusterId", classad::Value(static_cast<std::int64_t>(history.jobs[job].cluster)));
  ad.set("ProcId", classad::Value(static_cast<std::int64_t>(history.jobs[job].proc)));
  if (job < history.own_names.size()) put_text(ad, "GlobalJobId", history.own_names[job]);
  if (job < history.labels.size()) {
    history::JobLabel const& label = history.labels[job];
    put_text(ad, "DAGNodeName", label.node);
    put_text(ad, "JobBatchName", label.batch);
    put_text(ad, "Cmd", label.executable);
    put_text(ad, "Args", label.arguments);
  }
  if (job < history.users.size()) put_text(ad, "Owner", history.users[job]);
}

using Uses = std::vector<history::ResourceUse>;

/// Requests and uses of a job's executions, the highest ones. `uses`: of this job.
void put_resources(classad::Ad& ad, std::span<history::ResourceUse const> uses) {
  if (uses.empty()) return;
  history::ResourceAmounts amounts;
  for (history::ResourceUse const& use : uses) amounts.merge(use.amounts);
  constexpr double kibibyte = 1024, mebibyte = 1024 * kibibyte;
  auto const put = [&](char const* name, std::optional<double> const& amount, double unit) {
    if (amount) ad.set(name, classad::Value(static_cast<std::int64_t>(std::ceil(*amount / unit))));
  };
  using enum history::Resource;
  put("RequestMemory", amounts[memory].requested, mebibyte);
  put("RequestDisk", amounts[disk].requested, kibibyte);
  put("RequestCpus", amounts[cpus].requested, 1);
  put("RequestGPUs", amounts[gpus].requested, 1);
  put("MemoryUsage", amounts[memory].used, mebibyte);
  put("DiskUsage", amounts[disk].used, kibibyte);
}

std::span<history::ResourceUse const> uses_of(Uses const& sorted, history::JobName job) {
  auto const [first, last] = std::ranges::equal_range(sorted, job, {}, &history::ResourceUse::job);
  return {first, last};
}

/// The attributes that one event states.
void put_event(classad::Ad& ad, history::JobHistory const& history,
               history::JobEvent const& event) {
  using enum history::EventKind;
  if (event.kind == submitted && history.start_unix) {
    ad.set("QDate",
           classad::Value(*history.start_unix + static_cast<std::int64_t>(event.at.value())));
  }
  if (event.kind == executing) {
    if (event.site.valid()) put_text(ad, "GLIDEIN_ResourceName", history.sites[event.site.index()]);
    if (auto const* const gpus = history.gpus_of(event)) {
      if (gpus->count) ad.set("GPUs", classad::Value(*gpus->count));
      put_text(ad, "DeviceName", gpus->model);
    }
  }
  // A failure with 0 comes from a table that does not have the code.
  if (event.kind == terminated && (event.useful || event.exit_code != 0)) {
    ad.set("ExitCode", classad::Value(static_cast<int>(event.exit_code)));
  }
}

/// A job's events and label as an ad.
classad::Ad ad_of(history::JobHistory const& history, std::size_t job,
                  std::vector<std::uint32_t> const& events) {
  using enum history::EventKind;
  classad::Ad ad;
  put_identity(ad, history, job);
  std::int64_t starts = 0, executions = 0, holds = 0;
  auto status = history::JobStatus::idle;
  std::optional<Seconds> claimed;
  Seconds in_slots;
  for (std::uint32_t const index : events) {
    history::JobEvent const& event = history.events[index];
    put_event(ad, history, event);
    if (event.kind == matched) {
      ++starts;
      claimed = event.at;
    }
    if (history::ends_attempt(event.kind) && claimed) {
      in_slots += event.at - *std::exchange(claimed, std::nullopt);
    }
    executions += event.kind == executing ? 1 : 0;
    holds += event.kind == held ? 1 : 0;
    status = event.kind == terminated ? history::JobStatus::completed
             : event.kind == aborted  ? history::JobStatus::removed
             : event.kind == held     ? history::JobStatus::held
             : claimed                ? history::JobStatus::running
                                      : history::JobStatus::idle;
  }
  ad.set("NumShadowStarts", classad::Value(starts));
  ad.set("NumJobStarts", classad::Value(executions));
  ad.set("NumHolds", classad::Value(holds));
  ad.set("JobStatus", classad::Value(static_cast<int>(status)));
  ad.set("RemoteWallClockTime", classad::Value(in_slots.value()));
  return ad;
}

std::optional<classad::Expression> expression(std::string const& where) {
  if (where.empty()) return std::nullopt;
  classad::Expression parsed = classad::parse(where, {"--where"});
  auto const known = split(attribute_names, ' ');
  std::vector<Problem> problems;
  for (std::string const& name : parsed.attributes()) {
    bool const there = std::ranges::any_of(
        known, [&](std::string const& each) { return same_ignoring_case(each, name); });
    if (there) continue;
    add_problem(problems, {"--where"}, fmt::format("no job of a record has {}", name), "",
                suggestion(name, known));
  }
  for (std::string const& name : parsed.unknown_functions()) {
    add_problem(problems, {"--where"}, fmt::format("gridcast has no function {}()", name));
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return parsed;
}

/// Seconds of the record's clock.
std::optional<Seconds> date(char const* option, std::string const& text,
                            history::JobHistory const& history) {
  if (text.empty()) return std::nullopt;
  if (!history.start_unix) {
    refuse({option}, "the record has no dates", "", "Leave it out.");
  }
  auto const found = parse_table_time(text);
  if (!found || found->kind == WrittenTime::Kind::relative) {
    refuse({option}, fmt::format("'{}' is no date", text), "",
           "Write 2025-11-05, or 2025-11-05T20:00:00, with Z or -05:00 behind it "
           "if it is of a zone.");
  }
  std::int64_t const ahead = found->kind == WrittenTime::Kind::local ? history.local_ahead_s : 0;
  return Seconds(static_cast<double>(found->ms) / 1000 -
                 static_cast<double>(*history.start_unix + ahead));
}

}  // namespace

FilteredRecord filtered(history::JobHistory history, RecordFilter const& filter,
                        std::vector<history::ResourceUse> const& uses) {
  if (filter.is_empty()) return {std::move(history)};
  auto const wanted = expression(filter.where);
  auto const since = date("--since", filter.since, history);
  auto const until = date("--until", filter.until, history);
  if (since && until && *until <= *since) {
    refuse({"--until"}, fmt::format("{} is not later than --since {}", filter.until, filter.since),
           "no job is submitted between the two", "Exchange them.");
  }
  auto const events = history::events_by_job(history);
  std::vector<bool> kept(history.jobs.size());
  std::size_t left = 0;
  for (std::size_t job = 0; job < kept.size(); ++job) {
    Seconds const from = events[job].empty() ? Seconds() : history.events[events[job].front()].at;
    kept[job] = (!since || from >= *since) && (!until || from < *until);
    if (kept[job] && wanted) {
      classad::Ad ad = ad_of(history, job, events[job]);
      put_resources(ad, uses_of(uses, history.jobs[job]));
      kept[job] = classad::holds(classad::evaluate(*wanted, {ad}));
    }
    left += kept[job] ? 1 : 0;
  }
  if (left == 0) {
    throw InputError(
        Problem{{},
                "no job of the record is left",
                fmt::format("of {}, none matches --where, --since and --until", kept.size()),
                "gridcast ledger --jobs shows the jobs."});
  }
  std::size_t const all = kept.size();
  return {history::only(std::move(history), kept), all - left};
}

}  // namespace gridcast::import
