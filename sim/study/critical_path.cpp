#include "sim/study/critical_path.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "sim/history/attempts.hpp"
#include "sim/scenario/campaign.hpp"

namespace gridcast::study {
namespace {

struct NodeTimes {
  std::optional<Seconds> submitted, ended;
  Id<history::Job> last_job;
};

/// Of each submission when its first job came and its last one ended; jobs are in their order.
std::vector<NodeTimes> times_of(scenario::Campaign const& campaign,
                                history::JobHistory const& history) {
  std::vector<std::size_t> node_of_job;
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    node_of_job.insert(node_of_job.end(), static_cast<std::size_t>(campaign.submit[i].jobs), i);
  }
  std::vector<NodeTimes> times(campaign.submit.size());
  for (history::JobEvent const& event : history.events) {
    NodeTimes& node = times[node_of_job[event.job.index()]];
    if (!node.submitted) node.submitted = event.at;
    if (node.ended && event.at < *node.ended) continue;
    node.ended = event.at;
    node.last_job = event.job;
  }
  return times;
}

std::optional<std::size_t> latest(std::vector<NodeTimes> const& times,
                                  std::vector<std::size_t> const& of) {
  std::optional<std::size_t> last;
  for (std::size_t const node : of) {
    if (times[node].ended && (!last || *times[node].ended > *times[*last].ended)) last = node;
  }
  return last;
}

/// What the steps' jobs did, in one pass over all spans.
void add_phases(std::vector<CriticalStep>& path, std::map<std::size_t, std::size_t> const& step_of,
                std::vector<history::PhaseSpan> const& spans) {
  auto const each = [&](auto const& use) {
    for (history::PhaseSpan const& span : spans) {
      auto const step = step_of.find(span.job.index());
      if (step != step_of.end()) use(path[step->second], span);
    }
  };
  each([](CriticalStep& step, history::PhaseSpan const& span) {
    step.attempts = std::max(step.attempts, span.attempt);
  });
  each([](CriticalStep& step, history::PhaseSpan const& span) {
    Seconds const time = span.end - span.begin;
    if (!history::has_slot(span.phase)) {
      step.waiting += time;
    } else if (span.attempt < step.attempts) {
      step.lost += time;
    } else {
      (span.phase == history::Phase::executing ? step.computing : step.other) += time;
    }
  });
}

}  // namespace

std::vector<CriticalStep> critical_path(scenario::Campaign const& campaign,
                                        history::JobHistory const& history) {
  scenario::NodeOrder const order = scenario::node_order(campaign);
  bool const waits = std::any_of(order.parents.begin(), order.parents.end(),
                                 [](auto const& parents) { return !parents.empty(); });
  if (!waits) return {};
  auto const times = times_of(campaign, history);
  std::vector<std::size_t> all(times.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<CriticalStep> path;
  std::map<std::size_t, std::size_t> step_of;  // by job: from the end
  for (auto node = latest(times, all); node; node = latest(times, order.parents[*node])) {
    CriticalStep step;
    step.name = campaign.submit[*node].name;
    step.submitted = *times[*node].submitted;
    step.ended = *times[*node].ended;
    step_of[times[*node].last_job.index()] = path.size();
    path.push_back(std::move(step));
  }
  add_phases(path, step_of, history::phases_of(history));
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace gridcast::study
