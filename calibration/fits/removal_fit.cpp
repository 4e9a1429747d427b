#include "calibration/fits/removal_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double no_limit = 1000000;

/// When a job was in the queue and not held, and when it was removed by hand out of it.
struct JobInQueue {
  std::vector<TimeSpan> spans;
  std::optional<Seconds> removed;

  bool submitted_after(Seconds at) const { return !spans.empty() && spans.front().from > at; }
};

JobInQueue follow(history::JobHistory const& history, std::vector<std::uint32_t> const& events,
                  Seconds end) {
  JobInQueue job;
  std::optional<Seconds> since;
  auto const leave = [&](Seconds at) {
    if (since) job.spans.push_back({*since, at});
    since.reset();
  };
  for (std::uint32_t const index : events) {
    history::JobEvent const& event = history.events[index];
    switch (event.kind) {
      case history::EventKind::submitted:
      case history::EventKind::released:
        if (!since) since = event.at;
        break;
      case history::EventKind::aborted:
        if (since && event.reason == history::Reason::manual) job.removed = event.at;
        leave(event.at);
        break;
      case history::EventKind::held:
      case history::EventKind::terminated:
        leave(event.at);
        break;
      default:
        break;
    }
  }
  leave(end);
  return job;
}

/// a, b of the share that goes each time.
struct ShareNode {
  double a = 1, b = 1, probability = 0;
};

std::vector<ShareNode> share_posterior(std::vector<ShareOfGroup> const& all) {
  constexpr int means = 19, sizes = 12;
  std::vector<ShareNode> nodes;
  for (int i = 1; i <= means; ++i) {
    for (int j = 0; j < sizes; ++j) {
      double const mean = static_cast<double>(i) / (means + 1);
      double const size = 0.3 * std::pow(100 / 0.3, j / (sizes - 1.0));
      ShareNode node{mean * size, (1 - mean) * size, 0};
      for (ShareOfGroup const& each : all) {
        node.probability +=
            log_beta(node.a + each.part, node.b + each.of - each.part) - log_beta(node.a, node.b);
      }
      nodes.push_back(node);
    }
  }
  to_probabilities(nodes, &ShareNode::probability);
  return nodes;
}

void add_shares(Fit& fit, std::vector<Intervention> const& all, std::size_t draws,
                RandomStreams const& streams) {
  std::vector<ShareOfGroup> shares;
  for (Intervention const& each : all) shares.push_back({each.removed, each.in_queue});
  auto const [a, b] = draw_shares(shares, draws, bootstrap_stream(streams, DrawsOf::removals, 1));
  double removed = 0, in_queue = 0;
  for (Intervention const& each : all) {
    removed += each.removed;
    in_queue += each.in_queue;
  }
  Estimate line{.name = "removal_share_a",
                .unit = "1",
                .events = all.size(),
                .method = "share of the jobs in the queue that the owner then removed: Beta"};
  line.fit = fmt::format("{:.0f} of {:.0f} jobs in all", removed, in_queue);
  add_posterior(fit, line, a);
  line.name = "removal_share_b";
  line.fit.clear();
  add_posterior(fit, line, b);
}

void add_queue(Fit& fit, std::vector<Intervention> const& all, std::size_t draws,
               RandomStreams const& streams) {
  std::vector<double> queues;
  for (Intervention const& each : all) {
    queues.push_back(each.submitted_later > 0 ? each.in_queue : no_limit);
  }
  std::sort(queues.begin(), queues.end());
  auto const limited = std::lower_bound(queues.begin(), queues.end(), no_limit) - queues.begin();
  Estimate const line{
      .name = "removal_queue",
      .unit = "1",
      .events = all.size(),
      .method = "jobs in the queue at one of these times, no limit where none came later",
      .fit = fmt::format("other jobs came after {} of {}", limited, all.size())};
  auto const number = static_cast<double>(queues.size());
  add_posterior(
      fit, line,
      stratified_draws(bootstrap_stream(streams, DrawsOf::removals, 3), draws,
                       [&](double u) { return queues[static_cast<std::size_t>(u * number)]; }));
}

}  // namespace

BetaDraws draw_shares(std::vector<ShareOfGroup> const& groups, std::size_t draws,
                      RandomStream stream) {
  auto const nodes = share_posterior(groups);
  BetaDraws drawn;
  // One uniform a draw: a and b belong together.
  for (double const u : stratified_draws(stream, draws, [](double x) { return x; })) {
    ShareNode const& node = nodes[pick(nodes, &ShareNode::probability, u)];
    drawn.a.push_back(node.a);
    drawn.b.push_back(node.b);
  }
  return drawn;
}

Interventions find_interventions(history::JobHistory const& history) {
  std::vector<JobInQueue> jobs;
  std::vector<TimeSpan> spans;
  std::vector<Seconds> removals;
  history::RecordEnds const ends(history);
  for (auto const& events : history::events_by_job(history)) {
    Id<history::Job> const job(jobs.size());
    jobs.push_back(follow(history, events, ends.of(job)));
    spans.insert(spans.end(), jobs.back().spans.begin(), jobs.back().spans.end());
    if (jobs.back().removed) removals.push_back(*jobs.back().removed);
  }
  Interventions found;
  found.exposed = joined(std::move(spans));
  std::sort(removals.begin(), removals.end());
  Seconds last;
  for (Seconds const at : removals) {
    if (found.all.empty() || at - last > same_intervention) found.all.push_back({at, 0, 0});
    ++found.all.back().removed;
    last = at;
  }
  for (Intervention& each : found.all) {
    for (JobInQueue const& job : jobs) {
      each.in_queue += std::any_of(job.spans.begin(), job.spans.end(), [&](TimeSpan const& span) {
        return span.from <= each.at && each.at <= span.to;
      });
    }
    each.in_queue = std::max(each.in_queue, each.removed);
    each.submitted_later = static_cast<std::size_t>(
        std::count_if(jobs.begin(), jobs.end(),
                      [&](JobInQueue const& job) { return job.submitted_after(each.at); }));
  }
  return found;
}

Fit removal_fit(Interventions const& interventions, std::size_t draws,
                RandomStreams const& streams) {
  Fit fit;
  if (interventions.all.empty()) return fit;
  auto const number = static_cast<double>(interventions.all.size());
  double exposure = 0;
  for (auto const& [begin, end] : interventions.exposed) exposure += (end - begin).value();
  exposure = std::max(exposure, 1.0);
  Estimate const line{.name = "removal_per_s",
                      .unit = "1/s",
                      .events = interventions.all.size(),
                      .method = fmt::format("the owner removed jobs that waited or ran: {} times "
                                            "in {:.4g} s with any; Gamma",
                                            interventions.all.size(), exposure)};
  add_posterior(
      fit, line,
      stratified_draws(bootstrap_stream(streams, DrawsOf::removals, 0), draws,
                       [&](double u) { return gamma_quantile(u, number + 0.5, 1 / exposure); }));
  add_shares(fit, interventions.all, draws, streams);
  add_queue(fit, interventions.all, draws, streams);
  return fit;
}

}  // namespace gridcast::calibration
