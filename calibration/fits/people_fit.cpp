#include "calibration/fits/people_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "calibration/fits/delay_fit.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr double no_limit = 1000000;
constexpr double usual_delay = 3600;  // s, of a release, where none was seen

struct Span {
  Seconds from, to;
};

/// When a job was in the queue and not held, and when it was removed by hand out of it.
struct JobInQueue {
  std::vector<Span> spans;
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

std::vector<std::pair<Seconds, Seconds>> joined(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](Span a, Span b) { return a.from < b.from; });
  std::vector<std::pair<Seconds, Seconds>> all;
  for (Span const& span : spans) {
    if (!all.empty() && span.from <= all.back().second) {
      all.back().second = std::max(all.back().second, span.to);
    } else {
      all.emplace_back(span.from, span.to);
    }
  }
  return all;
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
      auto const log_beta = [](double a, double b) {
        return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
      };
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

double Interventions::exposure(Seconds from, Seconds to) const {
  Seconds sum;
  for (auto const& [begin, end] : exposed) {
    sum += std::max(Seconds(), std::min(end, to) - std::max(begin, from));
  }
  return sum.value();
}

Interventions find_interventions(history::JobHistory const& history) {
  std::vector<JobInQueue> jobs;
  std::vector<Span> spans;
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
      each.in_queue += std::any_of(job.spans.begin(), job.spans.end(), [&](Span const& span) {
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

namespace {

std::vector<Family> const light_tails = {Family::gamma, Family::weibull};

struct Decisions {
  std::size_t released = 0, removed = 0;
  int most_released = 0;         // the highest count of a hold that was released
  int fewest_removed = 1000000;  // the lowest of one that ended in removal

  /// People have a limit, and this is it.
  bool show_limit() const { return removed > 0 && fewest_removed > most_released; }
};

Decisions decisions(AttemptRecords const& records) {
  Decisions seen;
  for (HoldRecord const& hold : records.holds) {
    if (hold.released) {
      ++seen.released;
      seen.most_released = std::max(seen.most_released, hold.count);
    }
    if (hold.removed) {
      ++seen.removed;
      seen.fewest_removed = std::min(seen.fewest_removed, hold.count);
    }
  }
  return seen;
}

/// Decisions within ten minutes of each other: of how many jobs, and how many of these were released.
std::vector<ShareOfGroup> decided_together(AttemptRecords const& records) {
  std::vector<std::pair<Seconds, bool>> all;
  for (HoldRecord const& hold : records.holds) {
    if (hold.released) all.emplace_back(*hold.released, true);
    if (hold.removed) all.emplace_back(*hold.removed, false);
  }
  std::sort(all.begin(), all.end());
  std::vector<ShareOfGroup> groups;
  Seconds last;
  for (auto const& [at, released] : all) {
    if (groups.empty() || at - last > same_intervention) groups.push_back({});
    groups.back().part += released ? 1 : 0;
    ++groups.back().of;
    last = at;
  }
  return groups;
}

/// Where people decide on several jobs at a time, a campaign has few decisions, each of which goes either
/// way for all: its share is that of one of them, p ~ Beta(a, b).
std::vector<double> releases_at_a_time(std::vector<ShareOfGroup> const& groups, std::size_t draws,
                                       RandomStreams const& streams) {
  BetaDraws const shares = draw_shares(groups, draws, bootstrap_stream(streams, "release_share"));
  auto const at = stratified_draws(bootstrap_stream(streams, DrawsOf::release), draws,
                                   [](double u) { return u; });
  std::vector<double> drawn;
  for (std::size_t i = 0; i < draws; ++i) {
    drawn.push_back(std::clamp(beta_quantile(at[i], shares.a[i], shares.b[i]), 0.0, 1.0));
  }
  return drawn;
}

/// Where no decision is on record, people are taken to look at what is held once an hour, or ten times in a
/// record of less than ten hours (docs/model.md, A-PEOPLE).
double guess_of(std::vector<Delay> const& delays, Seconds record) {
  constexpr double looks = 10;
  std::vector<double> seen;
  for (Delay const& delay : delays) {
    if (!delay.censored) seen.push_back(delay.seconds);
  }
  return std::max(seen.empty() ? std::min(usual_delay, record.value() / looks) : median(seen), 0.1);
}

void add_limit(Fit& fit, Decisions const& seen, std::size_t draws, RandomStream stream) {
  bool const limit = seen.show_limit();
  std::vector<double> most;
  for (std::size_t i = 0; i < draws; ++i) {
    double const u = stream.uniform();
    if (limit) {
      most.push_back(seen.fewest_removed);
    } else if (seen.removed > 0 || u < 0.5) {
      most.push_back(no_limit);
    } else {
      double const low = seen.most_released + 1;
      most.push_back(std::floor(low * std::pow(4.0, 2 * u - 1)));
    }
  }
  fit.draws.add("most_holds", most);
  if (limit) return;
  fit.not_identified.push_back(
      {"most_holds",
       fmt::format("no job was removed for its number of holds; up to {} were released",
                   seen.most_released),
       "half of the draws have a limit, from there to four times as many"});
}

/// Where people released nothing, no delay is known by which they would have: of a hold on which they had
/// not decided after t they would have by then with 1 - exp(-t / 1 h), the prior's delay.
double passed_by(std::vector<Delay> const& delays) {
  double holds = 0;
  for (Delay const& delay : delays) {
    if (delay.censored) holds += -std::expm1(-delay.seconds / usual_delay);
  }
  return holds;
}

}  // namespace

Fit people_fit(AttemptRecords const& records, std::size_t draws, RandomStreams const& streams) {
  auto delays = release_delays(records);
  Decisions const seen = decisions(records);
  double removed = seen.show_limit() ? 0 : static_cast<double>(seen.removed);
  double const released = static_cast<double>(seen.released);
  double const undecided = released > 0 ? 0 : passed_by(delays);
  if (released <= 0) std::erase_if(delays, [](Delay const& delay) { return delay.censored; });
  DelayModel model{"release_delay", "held -> released or removed", true,
                   guess_of(delays, records.end), light_tails};
  Fit fit = fit_delay(model, delays, records.tick, draws,
                      bootstrap_stream(streams, DrawsOf::release_delay_in_log));
  Estimate line{.name = "release",
                .unit = "1",
                .events = seen.released + seen.removed,
                .method = fmt::format("releases {} of {} decisions; Beta(1/2, 1/2)", seen.released,
                                      seen.released + seen.removed)};
  if (undecided > 0) {
    line.method += fmt::format(", and none of {:.2g} holds passed by", undecided);
    removed += undecided;
  }
  auto const groups = decided_together(records);
  bool const together = std::any_of(groups.begin(), groups.end(),
                                    [](ShareOfGroup const& group) { return group.of > 1; });
  if (together && groups.size() > 1 && released > 0 && removed > 0) {
    line.method = fmt::format(
        "releases {} of {} holds that people decided on, at {} times; "
        "beta-binomial, of the next time",
        seen.released, seen.released + seen.removed, groups.size());
    add_posterior(fit, line, releases_at_a_time(groups, draws, streams));
  } else {
    add_posterior(
        fit, line,
        stratified_draws(bootstrap_stream(streams, DrawsOf::release), draws, [&](double u) {
          return beta_quantile(u, released + 0.5, removed + 0.5);
        }));
  }
  // One-sided where only one of the two was ever seen.
  if (removed == 0 && released > 0) {
    fit.estimates.back().interval90 = {beta_quantile(0.1, released + 0.5, 0.5), 1};
  }
  add_limit(fit, seen, draws, bootstrap_stream(streams, DrawsOf::most_holds));
  return fit;
}

}  // namespace gridcast::calibration
