#include "sim/history/job_history.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace gridcast::history {

std::string to_text(JobName name) { return fmt::format("{}.{}", name.cluster, name.proc); }

Id<Site> JobHistory::site_named(std::string const& name) {
  auto const found = std::find(sites.begin(), sites.end(), name);
  auto const index = static_cast<std::size_t>(found - sites.begin());
  if (found == sites.end()) sites.push_back(name);
  return Id<Site>(index);
}

std::uint16_t JobHistory::gpus_like(GpuShare const& share) {
  auto const found = std::find(gpus.begin(), gpus.end(), share);
  auto const index = static_cast<std::size_t>(found - gpus.begin());
  constexpr std::size_t most = 0xffff;
  if (index + 1 > most) return 0;
  if (found == gpus.end()) gpus.push_back(share);
  return static_cast<std::uint16_t>(index + 1);
}

GpuShare const* JobHistory::gpus_of(JobEvent const& event) const {
  return event.gpus > 0 && event.gpus <= gpus.size() ? &gpus[event.gpus - 1U] : nullptr;
}

Seconds JobHistory::end() const {
  Seconds last = seen_until.value_or(Seconds());
  for (JobEvent const& event : events) last = std::max(last, event.at);
  return last;
}

std::vector<std::vector<std::uint32_t>> events_by_job(JobHistory const& history) {
  std::vector<std::vector<std::uint32_t>> lists(history.jobs.size());
  for (std::uint32_t i = 0; i < history.events.size(); ++i) {
    lists[history.events[i].job.index()].push_back(i);
  }
  return lists;
}

std::string slot_name(JobHistory const& history, std::uint32_t slot) {
  if (history.slots.empty()) return fmt::format("slot {}", slot);
  bool const named = slot > 0 && slot < history.slots.size() && !history.slots[slot].empty();
  return named ? history.slots[slot] : "unknown slot";
}

std::vector<std::vector<JobEvent>> events_of_jobs(JobHistory const& history) {
  std::vector<std::vector<JobEvent>> jobs(history.jobs.size());
  for (JobEvent const& event : history.events) jobs[event.job.index()].push_back(event);
  return jobs;
}

}  // namespace gridcast::history
