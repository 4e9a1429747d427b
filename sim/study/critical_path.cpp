#include "sim/study/critical_path.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "sim/history/attempts.hpp"

namespace gridcast::study {
namespace {

struct NodeTimes {
  std::optional<Seconds> submitted, ended;
  Id<history::Job> last_job;
};

/// The start and the end of each submission; jobs are in the order of the submissions.
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

/// Submissions under one limit: those of a category (MAXJOBS), or all (condor_submit_dag -maxjobs).
struct Limit {
  int most = 0;  // in the queue at a time
  std::optional<std::string> category = {};
};

std::vector<Limit> limits_of(scenario::Campaign const& campaign) {
  std::vector<Limit> limits;
  if (campaign.max_nodes > 0) limits.push_back({campaign.max_nodes});
  for (scenario::NodeCategory const& each : campaign.categories) {
    limits.push_back({each.max_jobs, each.name});
  }
  return limits;
}

/// The submissions whose end released a submission: its parents, and the earlier submissions under
/// a limit that was full until then. A delay runs in the queue.
std::vector<std::size_t> that_let_go(scenario::Campaign const& campaign,
                                     std::vector<std::size_t> const& parents,
                                     std::vector<NodeTimes> const& times, std::size_t node) {
  constexpr Seconds same(1e-3);  // times that differ by the rounding of a delay
  auto const went = [&](std::size_t i) { return *times[i].submitted - campaign.submit[i].delay; };
  std::vector<std::size_t> all = parents;
  for (Limit const& limit : limits_of(campaign)) {
    if (limit.category && *limit.category != campaign.submit[node].category) continue;
    std::vector<std::size_t> ended;
    int in_queue = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      bool const under = !limit.category || *limit.category == campaign.submit[i].category;
      if (!under || !times[i].ended || went(i) >= went(node) - same) continue;
      in_queue += *times[i].ended >= went(node) - same;
      if (*times[i].ended <= went(node) + same) ended.push_back(i);
    }
    if (in_queue >= limit.most) all.insert(all.end(), ended.begin(), ended.end());
  }
  return all;
}

/// Adds the time of the steps' jobs by phase.
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
  bool const waits =
      std::ranges::any_of(order.parents, [](auto const& parents) { return !parents.empty(); });
  if (!waits && limits_of(campaign).empty()) return {};
  auto const times = times_of(campaign, history);
  std::vector<std::size_t> all(times.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<CriticalStep> path;
  std::map<std::size_t, std::size_t> step_of;  // by job: from the end
  for (auto node = latest(times, all); node;
       node = latest(times, that_let_go(campaign, order.parents[*node], times, *node))) {
    CriticalStep step;
    step.name = campaign.submit[*node].name;
    step.submitted = *times[*node].submitted;
    step.ended = *times[*node].ended;
    step_of[times[*node].last_job.index()] = path.size();
    path.push_back(std::move(step));
  }
  add_phases(path, step_of, history::phases_of(history));
  std::ranges::reverse(path);
  return path;
}

}  // namespace gridcast::study
