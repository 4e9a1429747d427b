#include "sim/condor/log/resource_uses.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/condor/log/scan.hpp"
#include "sim/condor/write/event_log_writer.hpp"

namespace gridcast::condor {
namespace {

using history::Resource;

constexpr int resources_code = 34;

/// "Job has gone over cgroup memory limit of 4096 megabytes. Peak usage: 4099 megabytes."
std::optional<double> megabytes_behind(std::string_view text, std::string_view words) {
  constexpr double mebibyte = 1048576;
  auto const at = text.find(words);
  if (at == npos) return std::nullopt;
  text.remove_prefix(at + words.size());
  auto const number = scan::integer(text);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<double>(*number) * mebibyte;
}

/// The resource that was too small by a hold: code 34, or a pool's own rule (code 26: "Memory usage
/// exceeded request_memory").
std::optional<Resource> exceeded_resource(std::optional<int> code, std::string_view reason) {
  if (code != resources_code && !scan::has(reason, "exceeded request_")) return std::nullopt;
  if (scan::has(reason, "disk") || scan::has(reason, "Disk")) return Resource::disk;
  if (scan::has(reason, "memory") || scan::has(reason, "Memory")) return Resource::memory;
  return std::nullopt;
}

void mark_exceeded(history::ResourceUse& use, Resource resource, std::string_view reason) {
  history::ResourceAmount& amount = use.amounts[resource];
  amount.exceeded = true;
  for (auto const& peak : {megabytes_behind(reason, "Peak usage: "),
                           megabytes_behind(reason, "memory limit of "), amount.requested}) {
    if (peak) amount.used = std::max(amount.used.value_or(*peak), *peak);
  }
}

/// True if it is a 004, 005 or 006 with a use.
bool says_something(RawEvent const& event) {
  if (event.number != 4 && event.number != 5 && event.number != 6) return false;
  return event.cpu_time || event.resources != history::ResourceAmounts();
}

}  // namespace

void ResourceUses::add(RawEvent const& event, Seconds at) {
  bool const simulated = event.number == 0 && event.reason == simulated_note;
  if ((event.number == 0 && !simulated) || event.of_cluster) return;
  OfJob& job = jobs_[std::uint64_t{event.job.cluster} << 32U | event.job.proc];
  job.simulated = job.simulated || simulated;
  job.open.job = event.job;
  if (event.number == 1) close(job);
  if (says_something(event)) {
    job.is_open = true;
    job.open.at = at;
    job.open.amounts.merge(event.resources);
    if (event.cpu_time && !job.simulated) job.open.cpu_time = event.cpu_time;
  }
  if (event.number == 12) return note_hold(job, event, at);
  bool const ends = event.number == 4 || event.number == 5 || event.number == 7 ||
                    event.number == 9 || event.number == 24;
  if (ends) close(job);
}

void ResourceUses::note_hold(OfJob& job, RawEvent const& event, Seconds at) {
  if (job.is_open) job.open.at = at;
  close(job);
  auto const resource = exceeded_resource(event.code, event.reason);
  if (!resource) return;
  if (job.last == no_use) {
    job.last = uses_.size();
    uses_.push_back({.job = event.job, .at = at});
  }
  mark_exceeded(uses_[job.last], *resource, event.reason);
}

void ResourceUses::close(OfJob& job) {
  if (!job.is_open) return;
  history::JobName const name = job.open.job;
  job.last = uses_.size();
  uses_.push_back(std::exchange(job.open, {.job = name}));
  job.is_open = false;
}

std::vector<history::ResourceUse> ResourceUses::take() {
  for (auto& [name, job] : jobs_) close(job);
  std::stable_sort(uses_.begin(), uses_.end(), [](auto const& a, auto const& b) {
    return std::pair(a.job, a.at) < std::pair(b.job, b.at);
  });
  return std::move(uses_);
}

}  // namespace gridcast::condor
