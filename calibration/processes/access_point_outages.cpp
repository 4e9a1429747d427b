// The access point is down, and all running jobs lose contact at once.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "calibration/processes/processes.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/draw_setters.hpp"

namespace gridcast::calibration {

namespace {

// Time with at least one job claimed: an outage shows only then.
double time_with_jobs(LogEvidence const& evidence) {
  std::vector<std::pair<double, double>> spans;
  for (AttemptRecord const& attempt : evidence.records.attempts) {
    spans.emplace_back(attempt.start.value(), attempt.slot_end().value());
  }
  std::sort(spans.begin(), spans.end());
  double time = 0, until = -HUGE_VAL;
  for (auto const& [start, end] : spans) {
    time += std::max(0.0, end - std::max(start, until));
    until = std::max(until, end);
  }
  return std::max(time, evidence.shortest());
}

// Rate ~ Gamma(events + 1/2, time), mean length: 1/mean ~ Gamma(events + 1/2, seconds). If none was
// seen, the rate is that of other things never seen, and the length is around the longest that a
// job's lease leaves unnoticed.
void fit_access_point_outages(LogEvidence const& evidence, Fit& fit) {
  auto const& outages = evidence.pilots.access_point_outages;
  std::size_t const draws = evidence.draws;
  double const events = static_cast<double>(outages.size());
  double const exposure = time_with_jobs(evidence);
  RandomStream rate_stream = bootstrap_stream(evidence.streams, DrawsOf::access_point, 0);
  Unseen const unseen{static_cast<double>(evidence.records.attempts.size())};
  double const none = events > 0 ? 0 : 1 - unseen.exists();
  Estimate rate{.name = "access_point_down_per_s",
                .unit = "1/s",
                .events = outages.size(),
                .method = fmt::format("all running jobs of several sites lost contact at once: {} "
                                      "times in {:.4g} s with jobs; Gamma",
                                      outages.size(), exposure)};
  if (outages.empty()) rate.origin = Origin::by_default;
  add_posterior(fit, rate, stratified_draws(rate_stream, draws, [&](double u) {
                  if (u <= none) return 0.;
                  return gamma_quantile((u - none) / (1 - none), events + 0.5, 1 / exposure);
                }));
  constexpr double usual_length = 600;  // s
  double seconds = 0, seen = 0;
  for (AccessPointOutage const& outage : outages) {
    if (!outage.back) continue;
    seconds += std::max((*outage.back - outage.at).value(), evidence.shortest());
    ++seen;
  }
  Estimate length{.name = "access_point_down_s",
                  .unit = "s",
                  .events = static_cast<std::size_t>(seen),
                  .method = "until the last job was found again; exponential, 1/mean ~ Gamma"};
  if (seen == 0) {
    length.origin = Origin::by_default;
    length.fit = "none in the log: within a factor of four of 600 s";
    seconds = usual_length;
    seen = 1;
  }
  add_posterior(fit, length,
                stratified_draws(bootstrap_stream(evidence.streams, DrawsOf::access_point, 1),
                                 draws, [&](double u) {
                                   double const by = gamma_quantile(1 - u, seen + 0.5, 1 / seconds);
                                   return std::min(1 / by, 100 * seconds);
                                 }));
}

}  // namespace

Process access_point_outages() {
  using namespace scenario;
  using enum Allowed;
  using Draw = ParameterDraw;
  return {.described =
              {.name = "access-point-outages",
               .meaning = "the access point is down",
               .columns =
                   {{"access_point_down_per_s", not_negative,
                     in_draw<&Draw::access_point_down_per_second>,
                     "Hazard that the access point goes down, and all running jobs lose contact at "
                     "once, 1/s"},
                    {"access_point_down_s", not_negative, in_draw<&Draw::access_point_down>,
                     "How long it is down on average, s"}},
               .zero_is_off = {"access_point_down_per_s"}},
          .fit_log = fit_access_point_outages};
}

}  // namespace gridcast::calibration
