#include "calibration/fits/slot_fit.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "calibration/inference/partial_pooling.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::calibration {

// P(f <= x) = (1 - 1 / x) / (1 - 1 / 20).
double times_seen(double probability) { return 1 / (1 - probability * (1 - 1 / most_times_seen)); }

namespace {

/// Slots beyond those seen come in whole pilots; no more than a pool can have.
double slots_there(SlotCount const& seen, double times) {
  double const pilots_more = (times - 1) * seen.slots / seen.slots_per_pilot;
  return std::min(seen.slots + std::round(pilots_more) * seen.slots_per_pilot,
                  scenario::most_slots);
}

}  // namespace

Fit slot_fit(std::vector<SlotCount> const& slots, SlotsThere there, std::size_t draws,
             RandomStreams const& streams) {
  Fit fit;
  auto const times =
      stratified_draws(bootstrap_stream(streams, "times the slots seen"), draws, times_seen);
  for (SlotCount const& site : slots) {
    Estimate line = site_line("slots", site.site, "1", "most jobs at one time", site.attempts);
    line.estimate = site.slots;
    line.fit = site.saturated ? "jobs waited meanwhile: there were no more"
                              : "jobs did not wait for more: a lower bound";
    std::vector<double> values(draws, site.slots);
    bool const more = !site.saturated && there == SlotsThere::at_least_seen;
    for (std::size_t i = 0; i < draws && more; ++i) values[i] = slots_there(site, times[i]);
    add_parameter(fit, line, values);
    if (site.saturated) continue;
    fit.not_identified.push_back(
        {line.name, "jobs never waited for more slots than these",
         more ? fmt::format("1 to {} times the most in use", most_times_seen)
              : "the most that were in use"});
  }
  return fit;
}

}  // namespace gridcast::calibration
