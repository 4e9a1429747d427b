#include "sim/cli/repeated_campaign.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "calibration/fits/transfer_fit.hpp"

namespace gridcast::cli {
namespace {

/// GPUs of a job if the executions show any, else zero.
int gpus_of_jobs(history::JobHistory const& history) {
  bool const some = std::any_of(history.gpus.begin(), history.gpus.end(),
                                [](history::GpuShare const& share) { return share.count > 0; });
  return some || history.gpus_per_job > 1 ? history.gpus_per_job : 0;
}

}  // namespace

std::vector<scenario::Submission> submissions(history::JobHistory const& history) {
  std::map<double, int> at;
  int unknown = static_cast<int>(history.jobs.size());
  for (auto const& event : history.events) {
    if (event.kind != history::EventKind::submitted) continue;
    ++at[std::floor(event.at.value())];
    --unknown;
  }
  // A record that begins later does not contain these submissions.
  double const begin = at.empty() || history.events.empty() ? 0 : history.events.front().at.value();
  if (unknown > 0) at[std::floor(begin)] += unknown;
  std::vector<scenario::Submission> all;
  for (auto const& [seconds, jobs] : at) all.push_back({Seconds(seconds), jobs});
  return all;
}

auto repeated_campaign(std::string const& name, history::JobHistory const& history, Bytes received)
    -> import::SubmitImport {
  auto next = import::SubmitImport();
  next.title = name;
  next.strategy.name = "as-recorded";
  next.campaign.submit = submissions(history);
  next.campaign.request.gpus = gpus_of_jobs(history);
  auto const sizes = calibration::urls_of(history).sizes;
  Bytes const share = std::max(Bytes(1), received / std::max(1.0, count(sizes.size())));
  int number = 0;
  for (Bytes const& size : sizes) {
    next.campaign.input.push_back(
        {fmt::format("osdf:///input-{}", ++number), size > Bytes() ? size : share});
  }
  return next;
}

}  // namespace gridcast::cli
