#include "calibration/event_counts.hpp"

#include <algorithm>
#include <string>

namespace gridcast::calibration {
namespace {

constexpr std::uint32_t neighbourhood = 3;

void count_not_found(Records const& records, EventCounts& counts) {
  std::vector<history::JobName> held;
  for (JobRecord const& job : records.jobs) {
    if (job.outcome == history::Outcome::held_404) held.push_back(job.job);
  }
  std::sort(held.begin(), held.end());
  for (std::size_t i = 0; i < held.size();) {
    std::size_t end = i + 1;
    while (end < held.size() && held[end].cluster == held[i].cluster &&
           held[end].proc == held[end - 1].proc + 1) {
      ++end;
    }
    if (end - i == 1) {
      ++counts.single_404;
    } else {
      ++counts.not_found.events;
      counts.not_found.hits += static_cast<int>(end - i);
    }
    i = end;
  }
}

void count_wrong_outputs(Records const& records, EventCounts& counts) {
  std::vector<WrongOutputRecord> down;
  for (WrongOutputRecord const& job : records.wrong_outputs) {
    if (job.network) {
      down.push_back(job);
    } else {
      ++counts.corrupt;
      counts.corrupt_seconds += job.seconds;
    }
  }
  std::sort(down.begin(), down.end(), [](auto const& a, auto const& b) {
    return a.site != b.site ? a.site < b.site : a.job < b.job;
  });
  for (std::size_t i = 0; i < down.size(); ++i) {
    ++counts.network_down.hits;
    bool const same_event = i > 0 && down[i].site == down[i - 1].site &&
                            down[i].job.cluster == down[i - 1].job.cluster &&
                            down[i].job.proc - down[i - 1].job.proc <= neighbourhood;
    if (!same_event) ++counts.network_down.events;
  }
}

void count_job(JobRecord const& job, EventCounts& counts) {
  int const failed = job.stalls + job.holds_released;
  ++counts.jobs;
  counts.stalls += job.stalls;
  counts.holds_released += job.holds_released;
  counts.attempts += failed;
  if (job.got_data) {
    counts.attempts += job.evictions + 1;
    counts.executions += job.evictions + 1;
    ++counts.executed_jobs;
  }
  if (job.outcome == history::Outcome::held_transfer) ++counts.held_transfer;
  if (job.outcome == history::Outcome::held_duration) ++counts.held_other_decisions;
}

std::size_t site_index(Records const& records, std::string const& site) {
  auto const found = std::find(records.sites.begin(), records.sites.end(), site);
  return static_cast<std::size_t>(found - records.sites.begin());
}

}  // namespace

EventCounts count_events(Records const& records) {
  EventCounts counts;
  for (JobRecord const& job : records.jobs) count_job(job, counts);
  count_not_found(records, counts);
  count_wrong_outputs(records, counts);
  counts.attempts += counts.held_transfer + counts.single_404;
  counts.held_other_decisions += counts.not_found.events + counts.single_404;
  return counts;
}

std::vector<SiteCount> count_evictions(Records const& records) {
  std::vector<SiteCount> sites(records.sites.size());
  auto const at = [&](std::string const& site) -> SiteCount& {
    return sites[site_index(records, site)];
  };
  auto const known = [](std::string const& site) { return !site.empty(); };
  for (JobRecord const& job : records.jobs) {
    for (std::string const& site : job.evicted_at) at(site).events += 1;
    if (known(job.last_site) && job.last_transfer) at(job.last_site).exposure += *job.last_transfer;
    for (std::string const& site : job.retried_at) {
      double const share = 1 / static_cast<double>(job.retried_at.size());
      if (job.retried_seconds) at(site).exposure += share * *job.retried_seconds;
    }
  }
  for (ExecutionRecord const& execution : records.executions) {
    // Evicted executions lie within the retried time.
    if (execution.end == ExecutionEnd::evicted || !known(execution.site)) continue;
    at(execution.site).exposure += execution.seconds;
  }
  for (WrongOutputRecord const& execution : records.wrong_outputs) {
    if (known(execution.site)) at(execution.site).exposure += execution.seconds;
  }
  return sites;
}

}  // namespace gridcast::calibration
