#include "sim/history/some_jobs.hpp"

#include <utility>

namespace gridcast::history {

JobHistory only(JobHistory all, std::vector<bool> const& kept) {
  std::vector<std::uint32_t> number(kept.size());
  JobHistory some = all;
  some.events.clear();
  some.transfers.clear();
  for (std::size_t job = 1; job < kept.size(); ++job) number[job] = number[job - 1] + kept[job - 1];
  auto const keep = [&kept](auto& of_jobs) {
    std::size_t job = 0;
    std::erase_if(of_jobs, [&](auto const&) { return !kept[job++]; });
  };
  keep(some.jobs);
  keep(some.labels);
  keep(some.own_names);
  keep(some.users);
  keep(some.unrecorded);
  keep(some.ends);
  for (JobEvent event : all.events) {
    if (!kept[event.job.index()]) continue;
    event.job = Id<Job>(number[event.job.index()]);
    some.events.push_back(event);
  }
  for (UrlTransfer& transfer : all.transfers) {
    if (!kept[transfer.job.index()]) continue;
    transfer.job = Id<Job>(number[transfer.job.index()]);
    some.transfers.push_back(std::move(transfer));
  }
  return some;
}

}  // namespace gridcast::history
