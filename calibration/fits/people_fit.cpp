#include "calibration/fits/people_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "calibration/fits/delay_fit.hpp"
#include "calibration/fits/removal_fit.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

std::vector<Family> const light_tails = {Family::gamma, Family::weibull};

constexpr double no_limit = 1000000;

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

double guess_of(std::vector<Delay> const& delays) {
  std::vector<double> seen;
  for (Delay const& delay : delays) {
    if (!delay.censored) seen.push_back(delay.seconds);
  }
  return seen.empty() ? 3600 : std::max(median(seen), 0.1);
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

}  // namespace

Fit people_fit(AttemptRecords const& records, std::size_t draws, RandomStreams const& streams) {
  auto const delays = release_delays(records);
  DelayModel model{"release_delay", "held -> released or removed", true, guess_of(delays),
                   light_tails};
  Fit fit = fit_delay(model, delays, records.tick, draws,
                      bootstrap_stream(streams, DrawsOf::release_delay_in_log));
  Decisions const seen = decisions(records);
  double const removed = seen.show_limit() ? 0 : static_cast<double>(seen.removed);
  double const released = static_cast<double>(seen.released);
  Estimate line{.name = "release",
                .unit = "1",
                .events = seen.released + seen.removed,
                .method = fmt::format("releases {} of {} decisions; Beta(1/2, 1/2)", seen.released,
                                      seen.released + seen.removed)};
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
