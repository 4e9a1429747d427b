#include "calibration/delays_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "calibration/censored_fit.hpp"
#include "calibration/goodness_of_fit.hpp"
#include "calibration/posterior.hpp"
#include "sim/base/distribution.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

/// 3,600 s without progress and, on average, half of the 300 s to the starter's next look.
constexpr double stall_seconds = 3750;
constexpr std::size_t goodness_resamples = 199;
constexpr FamilyForm gamma_form{Family::gamma, false};

/// What releases took, at most, in all.
struct Waited {
  int holds = 0;
  double seconds = 0;
};

Waited waited(Records const& records) {
  Waited all;
  for (JobRecord const& job : records.jobs) {
    if (job.holds_released == 0 || job.evictions > 0 || !job.retried_seconds) continue;
    all.holds += job.holds_released;
    all.seconds += std::max(0.0, *job.retried_seconds - stall_seconds * job.stalls);
  }
  return all;
}

void add_release_delay(Fit& fit, Records const& records, std::size_t n_draws,
                       RandomStreams const& streams) {
  Waited const all = waited(records);
  Estimate line;
  line.name = "release_delay_mean_s";
  line.unit = "s";
  line.events = static_cast<std::size_t>(all.holds);
  RandomStream const stream = bootstrap_stream(streams, DrawsOf::release_delay);
  if (all.holds == 0 || all.seconds <= 0) {
    std::string const source = "2 h (published campaign) with a factor of four either way";
    line.method = "no released hold; lognormal around " + source;
    line.estimate = 7200;
    double const log_sd = std::log(4.0) / normal_quantile(0.95);
    add_parameter(fit, line, stratified_draws(stream, n_draws, [&](double u) {
                    return 7200 * std::exp(log_sd * normal_quantile(u));
                  }));
    fit.not_identified.push_back({line.name, "no released hold in the tables", source});
    return;
  }
  line.estimate = all.seconds / all.holds;
  line.method = fmt::format(
      "exponential; {:.1f} h left of retried time after {:.0f} s a stall, over {} holds; 1/mean ~ "
      "Gamma({}, {:.1f} h); an upper bound, the failed attempt and waiting for a match are in it",
      all.seconds / 3600, stall_seconds, all.holds, all.holds, all.seconds / 3600);
  add_parameter(fit, line, stratified_draws(stream, n_draws, [&](double u) {
                  return 1 / gamma_quantile(u, all.holds, 1 / all.seconds);
                }));
}

/// Whole seconds; none counts as half a second.
Sample overheads(Records const& records) {
  Sample sample;
  for (JobRecord const& job : records.jobs) {
    if (job.overhead) sample.push_back({std::max(0.5, *job.overhead), false});
  }
  return sample;
}

struct Overhead {
  double shape = 0;
  double scale = 0;
  std::string method;
  std::string fit;
  std::vector<double> shapes;
  std::vector<double> scales;
};

/// Too few to fit: an exponential-like delay of a few seconds.
Overhead assumed_overhead(std::size_t n_draws) {
  return {
      1.0, 5.0, "assumed", "", std::vector<double>(n_draws, 1), std::vector<double>(n_draws, 5)};
}

Overhead fitted_overhead(Sample const& sample, std::size_t n_draws, RandomStreams const& streams) {
  FittedFamily best = fit_family(sample, gamma_form);
  best.weight = 1;
  GoodnessOfFit const goodness = goodness_of_fit(sample, best, goodness_resamples,
                                                 bootstrap_stream(streams, DrawsOf::overhead, 1));
  Overhead overhead;
  overhead.shape = best.distribution.shape;
  overhead.scale = best.distribution.scale;
  overhead.method =
      "slot busy - execution - last transfer; gamma, maximum likelihood, weighted likelihood "
      "bootstrap";
  overhead.fit = fmt::format("Anderson-Darling {:.3f}, p = {:.3f} ({} resamples)",
                             goodness.statistic, goodness.p_value, goodness_resamples);
  for (std::size_t draw = 0; draw < n_draws; ++draw) {
    RandomStream stream = bootstrap_stream(streams, DrawsOf::overhead, 0, draw);
    Distribution const drawn = draw_distribution(sample, {best}, stream).distribution;
    overhead.shapes.push_back(drawn.shape);
    overhead.scales.push_back(drawn.scale);
  }
  return overhead;
}

void add_overhead(Fit& fit, Records const& records, std::size_t n_draws,
                  RandomStreams const& streams) {
  Sample const sample = overheads(records);
  bool const enough = sample.size() >= 5;
  Overhead const overhead =
      enough ? fitted_overhead(sample, n_draws, streams) : assumed_overhead(n_draws);
  Estimate line{"overhead_shape", "1", overhead.shape,  0,           {},
                sample.size(),    0,   overhead.method, overhead.fit};
  add_parameter(fit, line, overhead.shapes);
  line.name = "overhead_scale_s";
  line.unit = "s";
  line.estimate = overhead.scale;
  add_parameter(fit, line, overhead.scales);
  if (enough) return;
  fit.not_identified.push_back({"overhead_shape, overhead_scale_s",
                                "fewer than five rows give slot, execution and last transfer",
                                "an assumption: exponential, 5 s"});
}

}  // namespace

Fit delays_fit(Records const& records, std::size_t n_draws, RandomStreams const& streams) {
  Fit fit;
  add_release_delay(fit, records, n_draws, streams);
  add_overhead(fit, records, n_draws, streams);
  return fit;
}

}  // namespace gridcast::calibration
