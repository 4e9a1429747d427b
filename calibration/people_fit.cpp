#include "calibration/people_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "calibration/delay_fit.hpp"

namespace gridcast::calibration {

namespace {

// What people do beyond the longest delay that was seen, a log cannot tell; a heavy tail would put
// hours into the forecast of a campaign of minutes on the strength of a few dozen releases.
std::vector<Family> const light_tails = {Family::gamma, Family::weibull};

constexpr double no_limit = 1000000;

struct Decisions {
  std::size_t released = 0, removed = 0;
  int most_released = 0;         // the highest count of a hold that was released
  int fewest_removed = 1000000;  // the lowest of one that ended in removal
};

Decisions decisions(AttemptRecords const& records) {
  Decisions seen;
  for (HoldRecord const& hold : records.holds) {
    if (hold.released)
      ++seen.released, seen.most_released = std::max(seen.most_released, hold.count);
    if (hold.removed)
      ++seen.removed, seen.fewest_removed = std::min(seen.fewest_removed, hold.count);
  }
  return seen;
}

std::vector<Delay> release_delays(AttemptRecords const& records) {
  std::vector<Delay> delays;
  for (HoldRecord const& hold : records.holds) {
    Seconds const until = hold.released.value_or(hold.removed.value_or(records.end));
    delays.push_back({(until - hold.at).value(), 0, !hold.released});
  }
  return delays;
}

double guess_of(std::vector<Delay> const& delays) {
  std::vector<double> seen;
  for (Delay const& delay : delays) {
    if (!delay.censored) seen.push_back(delay.seconds);
  }
  return seen.empty() ? 3600 : std::max(median(seen), 0.1);
}

// A limit shows where every removal was at a later hold than any release. With none removed, people
// may have one that no job met: half of the draws have it, anywhere up to four times what was seen.
void add_limit(Fit& fit, Decisions const& seen, std::size_t draws, RandomStream stream) {
  bool const limit = seen.removed > 0 && seen.fewest_removed > seen.most_released;
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

Fit people_fit(AttemptRecords const& records, double between_campaigns, std::size_t draws,
               RandomStreams const& streams) {
  auto const delays = release_delays(records);
  DelayModel model{"release_delay",  "held -> released", true,
                   guess_of(delays), between_campaigns,  light_tails};
  Fit fit = fit_delay(model, delays, records.tick, draws,
                      bootstrap_stream(streams, DrawsOf::release_delay_dated));
  Decisions const seen = decisions(records);
  bool const limit = seen.removed > 0 && seen.fewest_removed > seen.most_released;
  double const removed = limit ? 0 : static_cast<double>(seen.removed);
  double const released = static_cast<double>(seen.released);
  Estimate line;
  line.name = "release";
  line.unit = "1";
  line.method = fmt::format("releases {} of {} decisions; Beta(1/2, 1/2)", seen.released,
                            seen.released + seen.removed);
  line.events = seen.released + seen.removed;
  add_posterior(fit, line,
                stratified_draws(bootstrap_stream(streams, DrawsOf::release), draws, [&](double u) {
                  return beta_quantile(u, released + 0.5, removed + 0.5);
                }));
  // One-sided where only one of the two was ever seen.
  if (removed == 0 && released > 0) {
    fit.estimates.back().interval90 = {beta_quantile(0.1, released + 0.5, 0.5), 1};
  }
  add_limit(fit, seen, draws, bootstrap_stream(streams, DrawsOf::most_holds));
  return fit;
}

}  // namespace gridcast::calibration
