#include "calibration/fits/people_fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "calibration/fits/delay_fit.hpp"
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
  std::vector<double> queues = each_of(all, [&](Intervention const& each) {
    return each.submitted_later > 0 ? each.in_queue : no_limit;
  });
  std::ranges::sort(queues);
  auto const limited = std::ranges::lower_bound(queues, no_limit) - queues.begin();
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

constexpr double usual_delay = 3600;  // s, of a release, where none was seen
constexpr double hardly_any = 0.5;    // decisions against releases
constexpr int fewest_in_a_limit = 2;  // holds: a removal at the first one is not for their number

struct Decisions {
  std::size_t released = 0, removed = 0;
  int most_released = 0;          // the highest count of a hold that was released
  int fewest_removed = no_count;  // the lowest of one that ended in removal

  static constexpr int no_count = 1000000;
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

/// The holds for one kind of reason, and people's decisions on them.
struct KindOfHold {
  history::HeldFor held_for = history::HeldFor::other;
  AttemptRecords records = {};  // these holds, without attempts
  Decisions seen = {};
  double removed = 0;  // and not for the number of its holds
  std::vector<double> left_in =
      {};  // each draw: decisions to leave a job held, by its time without one

  double released() const { return static_cast<double>(seen.released); }
  double left() const { return left_in.empty() ? 0 : mean(left_in); }
  double against() const { return removed + left(); }
  double decided() const { return released() + against(); }
};

/// "transfer": of the columns.
std::string_view word(history::HeldFor held_for) {
  constexpr std::string_view words[] = {"transfer", "limit", "resource", "other"};
  return words[static_cast<std::size_t>(held_for)];
}

/// Those that there are; without a hold, one without any.
std::vector<KindOfHold> split_by_reason(AttemptRecords const& records) {
  using enum history::HeldFor;
  std::vector<KindOfHold> kinds;
  for (history::HeldFor const held_for : {failed_transfer, time_limit, resources, other}) {
    KindOfHold kind{held_for};
    for (HoldRecord const& hold : records.holds) {
      if (history::held_for(hold.reason) == held_for) kind.records.holds.push_back(hold);
    }
    kind.seen = decisions(kind.records);
    if (!kind.records.holds.empty()) kinds.push_back(std::move(kind));
  }
  if (kinds.empty()) kinds.emplace_back();
  for (KindOfHold& kind : kinds) {
    kind.records.end = records.end;
    kind.records.ends = records.ends;
  }
  return kinds;
}

/// True if removals of a kind may be for a limit to the number of holds: if only other kinds were
/// released, they are for the reason of the hold.
bool may_show_limit(KindOfHold const& kind, std::size_t kinds) {
  return kinds == 1 || kind.seen.released > 0;
}

/// Counts of all kinds. The fewest holds of a removal are from kinds that may show a limit.
Decisions all_decisions(std::vector<KindOfHold> const& kinds) {
  Decisions all;
  for (KindOfHold const& kind : kinds) {
    all.released += kind.seen.released;
    all.removed += kind.seen.removed;
    all.most_released = std::max(all.most_released, kind.seen.most_released);
    if (may_show_limit(kind, kinds.size())) {
      all.fewest_removed = std::min(all.fewest_removed, kind.seen.fewest_removed);
    }
  }
  return all;
}

/// People have a limit, and this is it.
bool show_limit(Decisions const& all) {
  return all.fewest_removed < Decisions::no_count &&
         all.fewest_removed >= std::max(all.most_released + 1, fewest_in_a_limit);
}

/// Decisions within ten minutes of each other: of how many jobs, and how many of these were
/// released.
std::vector<ShareOfGroup> decided_together(AttemptRecords const& records) {
  std::vector<std::pair<Seconds, bool>> all;
  for (HoldRecord const& hold : records.holds) {
    if (hold.released) all.emplace_back(*hold.released, true);
    if (hold.removed) all.emplace_back(*hold.removed, false);
  }
  std::ranges::sort(all);
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

/// If people decide on several jobs at a time, a campaign has few decisions, each of which goes
/// either way for all: its share is that of one of them, p ~ Beta(a, b).
bool decide_at_times(KindOfHold const& kind, std::vector<ShareOfGroup> const& groups) {
  bool const together =
      std::ranges::any_of(groups, [](ShareOfGroup const& group) { return group.of > 1; });
  return together && groups.size() > 1 && kind.released() > 0 && kind.removed > 0;
}

/// Draws of Beta(a + hits, b + misses). Each draw has its own a, b and additional misses.
std::vector<double> shares(BetaDraws const& prior, double hits, double misses,
                           std::vector<double> const& more_misses, RandomStream stream) {
  auto const at = stratified_draws(stream, prior.a.size(), [](double u) { return u; });
  std::vector<double> drawn;
  for (std::size_t i = 0; i < at.size(); ++i) {
    double const missed = misses + (more_misses.empty() ? 0 : more_misses[i]);
    drawn.push_back(
        std::clamp(beta_quantile(at[i], prior.a[i] + hits, prior.b[i] + missed), 0.0, 1.0));
  }
  return drawn;
}

BetaDraws jeffreys(std::size_t draws) {
  std::vector<double> const half(draws, 0.5);
  return {half, half};
}

/// Jeffreys' prior for a single kind; for several kinds their common distribution.
BetaDraws share_of_a_kind(std::vector<ShareOfGroup> const& kinds, std::size_t draws,
                          RandomStream stream) {
  return kinds.size() > 1 ? draw_shares(kinds, draws, stream) : jeffreys(draws);
}

/// If no decision is on record, people are taken to look at held jobs once an hour, or ten times in
/// a record of less than ten hours (docs/model.md, A-PEOPLE).
double guess_of(std::vector<Delay> const& delays, Seconds record) {
  constexpr double looks = 10;
  std::vector<double> seen;
  for (Delay const& delay : delays) {
    if (!delay.censored) seen.push_back(delay.seconds);
  }
  return std::max(seen.empty() ? std::min(usual_delay, record.value() / looks) : median(seen), 0.1);
}

/// Delays until a release or a removal, each with its kind of hold.
std::vector<Delay> decision_delays(std::vector<KindOfHold> const& kinds) {
  std::vector<Delay> delays;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    for (Delay delay : release_delays(kinds[k].records)) {
      delay.kind = k;
      // If none of its kind was released it is a decision against it.
      bool const passed = delay.censored && kinds[k].seen.released == 0;
      if (!passed) delays.push_back(delay);
    }
  }
  return delays;
}

/// And of the kinds with releases, how many of their holds are left.
void add_delays(Fit& fit, std::vector<KindOfHold>& kinds, AttemptRecords const& records,
                std::size_t draws, RandomStreams const& streams) {
  auto const delays = decision_delays(kinds);
  DelayModel const model{"release_delay", "held -> released or removed",
                         guess_of(delays, records.end)};
  EndingDelays delay = fit_ending_delays(model, delays, records.tick, draws,
                                         bootstrap_stream(streams, DrawsOf::release_delay_in_log));
  append(fit, delay.fit);
  for (auto& [k, left] : delay.never) kinds[k].left_in = std::move(left);
}

void add_limit(Fit& fit, Decisions const& seen, std::size_t draws, RandomStream stream) {
  bool const limit = show_limit(seen);
  std::vector<double> most;
  for (std::size_t i = 0; i < draws; ++i) {
    double const u = stream.uniform();
    if (limit) {
      most.push_back(seen.fewest_removed);
    } else if (seen.removed > 0 || u < 0.5) {
      most.push_back(Decisions::no_count);
    } else {
      double const low = std::max(seen.most_released + 1, fewest_in_a_limit);
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

/// If people released none of a kind, a hold without a decision after t is one that they would have
/// decided on by then with 1 - exp(-t / mean), with the mean of the releases of other kinds, or an
/// hour.
double passed_by(std::vector<Delay> const& delays, double mean) {
  double holds = 0;
  for (Delay const& delay : delays) {
    if (delay.censored) holds += -std::expm1(-delay.seconds / mean);
  }
  return holds;
}

double mean_release(std::vector<KindOfHold> const& kinds) {
  std::vector<double> seen;
  for (KindOfHold const& kind : kinds) {
    for (HoldRecord const& hold : kind.records.holds) {
      if (hold.released) seen.push_back((*hold.released - hold.at).value());
    }
  }
  return seen.empty() ? usual_delay : std::max(mean(seen), 1.0);
}

void count_decisions(std::vector<KindOfHold>& kinds, bool limit, std::size_t draws) {
  double const usual = mean_release(kinds);
  for (KindOfHold& kind : kinds) {
    bool const of_limit = limit && may_show_limit(kind, kinds.size());
    kind.removed = of_limit ? 0 : static_cast<double>(kind.seen.removed);
    if (kind.seen.released > 0) continue;
    kind.left_in.assign(draws, passed_by(release_delays(kind.records), usual));
  }
}

/// One column of all holds where there is one kind, else one of each kind in the record or that the
/// engine may simulate.
struct ColumnOfKind {
  std::string name;
  KindOfHold const* kind = nullptr;  // null: the record has none of it
};
std::vector<ColumnOfKind> columns_of(std::vector<KindOfHold> const& kinds, std::string const& verb,
                                     std::string const& of_all) {
  using enum history::HeldFor;
  if (kinds.size() == 1) return {{of_all, &kinds.front()}};
  std::vector<ColumnOfKind> columns;
  for (history::HeldFor const held_for : {failed_transfer, other, time_limit, resources}) {
    auto const* const kind = find_by(kinds, held_for, &KindOfHold::held_for);
    if (kind == nullptr && history::is_one_of(held_for, {time_limit, resources})) continue;
    columns.push_back({fmt::format("{}_{}_hold", verb, word(held_for)), kind});
  }
  return columns;
}

std::string_view prior_text(std::vector<KindOfHold> const& kinds) {
  return kinds.size() == 1 ? "Beta(1/2, 1/2)" : "partially pooled with holds for other reasons";
}

/// The direction of people's decisions at one more time, for the holds on which they decide at all.
/// A decision at a time is for all kinds: the same random numbers.
std::vector<double> releases_at_a_time(KindOfHold const& kind,
                                       std::vector<ShareOfGroup> const& groups, std::size_t draws,
                                       RandomStreams const& streams) {
  BetaDraws const at_a_time =
      draw_shares(groups, draws, bootstrap_stream(streams, "release_share"));
  auto released = shares(at_a_time, 0, 0, {}, bootstrap_stream(streams, DrawsOf::release));
  if (kind.left() <= 0) return released;
  auto const decided = shares(jeffreys(draws), kind.released() + kind.removed, 0, kind.left_in,
                              bootstrap_stream(streams, "decided_hold"));
  for (std::size_t i = 0; i < draws; ++i) released[i] *= decided[i];
  return released;
}

void add_release(Fit& fit, ColumnOfKind const& column, std::vector<KindOfHold> const& kinds,
                 BetaDraws const& prior, RandomStreams const& streams) {
  KindOfHold const none;
  KindOfHold const& kind = column.kind ? *column.kind : none;
  std::size_t const decided = kind.seen.released + kind.seen.removed;
  Estimate line{.name = column.name, .unit = "1", .events = decided};
  line.method = fmt::format("releases {} of {} decisions; {}", kind.seen.released, decided,
                            prior_text(kinds));
  if (kind.left() > 0) {
    line.method += fmt::format(", and {:.2g} holds {}left held", kind.left(),
                               kind.seen.released > 0 ? "taken to be " : "");
  }
  bool const alone = kinds.size() == 1;
  RandomStream const own =
      alone ? bootstrap_stream(streams, DrawsOf::release) : bootstrap_stream(streams, column.name);
  auto const groups = decided_together(kind.records);
  if (decide_at_times(kind, groups)) {
    line.method = fmt::format(
        "releases {} of {} holds that people decided on, at {} times; "
        "beta-binomial, of the next time",
        kind.seen.released, decided, groups.size());
    add_posterior(fit, line, releases_at_a_time(kind, groups, prior.a.size(), streams));
  } else {
    add_posterior(fit, line, shares(prior, kind.released(), kind.removed, kind.left_in, own));
  }
  // One-sided where only one of the two was ever seen.
  if (kind.against() >= hardly_any || kind.released() <= 0) return;
  double const low = alone && kind.left() <= 0 ? beta_quantile(0.1, kind.released() + 0.5, 0.5)
                                               : quantile(fit.draws.column(column.name), 0.1);
  fit.estimates.back().interval90 = {low, 1};
}

void add_releases(Fit& fit, std::vector<KindOfHold> const& kinds, std::size_t draws,
                  RandomStreams const& streams) {
  std::vector<ShareOfGroup> groups;
  for (KindOfHold const& kind : kinds) groups.push_back({kind.released(), kind.decided()});
  BetaDraws const prior =
      share_of_a_kind(groups, draws, bootstrap_stream(streams, "release_of_kinds"));
  for (ColumnOfKind const& column : columns_of(kinds, "release", "release")) {
    add_release(fit, column, kinds, prior, streams);
  }
}

/// The share of removals among holds that people do not release; zero if they removed none.
void add_removed_holds(Fit& fit, std::vector<KindOfHold> const& kinds, std::size_t draws,
                       RandomStreams const& streams) {
  std::vector<ShareOfGroup> groups;
  double removed = 0;
  for (KindOfHold const& kind : kinds) {
    groups.push_back({kind.removed, kind.against()});
    removed += kind.removed;
  }
  if (removed <= 0) return;
  BetaDraws const prior =
      share_of_a_kind(groups, draws, bootstrap_stream(streams, "remove_of_kinds"));
  for (ColumnOfKind const& column : columns_of(kinds, "remove", "remove_hold")) {
    double const of_kind = column.kind ? column.kind->removed : 0;
    auto const left_in = column.kind ? column.kind->left_in : std::vector<double>();
    double const left = column.kind ? column.kind->left() : 0;
    Estimate const line{
        .name = column.name,
        .unit = "1",
        .events = static_cast<std::size_t>(of_kind),
        .method = fmt::format("removed {:.0f} of {:.3g} held jobs that were not released; {}",
                              of_kind, of_kind + left, prior_text(kinds))};
    auto const drawn = shares(prior, of_kind, 0, left_in, bootstrap_stream(streams, column.name));
    add_posterior(fit, line, drawn);
    if (of_kind > 0 && left <= 0) fit.estimates.back().interval90 = {quantile(drawn, 0.1), 1};
  }
}

}  // namespace

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
  std::ranges::sort(removals);
  Seconds last;
  for (Seconds const at : removals) {
    if (found.all.empty() || at - last > same_intervention) found.all.push_back({at, 0, 0});
    ++found.all.back().removed;
    last = at;
  }
  for (Intervention& each : found.all) {
    for (JobInQueue const& job : jobs) {
      each.in_queue += std::ranges::any_of(job.spans, [&](TimeSpan const& span) {
        return span.from <= each.at && each.at <= span.to;
      });
    }
    each.in_queue = std::max(each.in_queue, each.removed);
    each.submitted_later = static_cast<std::size_t>(std::ranges::count_if(
        jobs, [&](JobInQueue const& job) { return job.submitted_after(each.at); }));
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

Fit people_fit(AttemptRecords const& records, std::size_t draws, RandomStreams const& streams) {
  auto kinds = split_by_reason(records);
  Decisions const all = all_decisions(kinds);
  count_decisions(kinds, show_limit(all), draws);
  Fit fit;
  add_delays(fit, kinds, records, draws, streams);
  add_releases(fit, kinds, draws, streams);
  add_removed_holds(fit, kinds, draws, streams);
  add_limit(fit, all, draws, bootstrap_stream(streams, DrawsOf::most_holds));
  return fit;
}

}  // namespace gridcast::calibration
