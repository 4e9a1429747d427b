// Times between the steps of a job. fits/delay_fit.hpp and fits/people_fit.hpp have the fits to
// event logs. A job table shows two of them as remainders:
//
// Release delay, in seconds: of the retried time of a job that was held and released, the remainder
// beyond 3,750 s a stall, shared over its holds; exponential: with n holds and their sum w
//   1 / mean ~ Gamma(n, w)
// An upper bound: the failed attempt before the hold, and waiting for the next match, are in it.
// Overhead, in seconds: slot busy - execution - last transfer, gamma by maximum likelihood
// (inference/censored_families.hpp); whole seconds, none counting as half a second.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "calibration/inference/censored_families.hpp"
#include "calibration/processes/processes.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

void set_overhead_scale(scenario::ParameterDraw& draw, double scale) {
  draw.teardown.family = Family::gamma;
  draw.teardown.scale = scale;
}

void set_release_delay(scenario::ParameterDraw& draw, double mean) {
  draw.release_delay = {Family::exponential, 1, mean, 0};
}

constexpr std::size_t resamples_of_table = 199;
constexpr FamilyForm gamma_form{Family::gamma, false};

/// The time of releases, at most, in all.
struct Waited {
  int holds = 0;
  double seconds = 0;
};

Waited waited(TableRecords const& records) {
  Waited all;
  for (JobRecord const& job : records.jobs) {
    if (job.holds_released == 0 || job.evictions > 0 || !job.retried_seconds) continue;
    all.holds += job.holds_released;
    all.seconds += std::max(0.0, *job.retried_seconds - mean_stall_cost * job.stalls);
  }
  return all;
}

void add_release_delay(Fit& fit, TableEvidence const& evidence) {
  std::size_t const n_draws = evidence.draws;
  Waited const all = waited(evidence.records);
  Estimate line;
  line.name = "release_delay_mean_s";
  line.unit = "s";
  line.events = static_cast<std::size_t>(all.holds);
  RandomStream const stream = bootstrap_stream(evidence.streams, DrawsOf::release_delay);
  if (all.holds == 0 || all.seconds <= 0) {
    std::string const source = "2 h (published campaign) with a factor of four either way";
    line.method = "no released hold; lognormal around " + source;
    line.origin = Origin::by_default;
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
      all.seconds / 3600, mean_stall_cost, all.holds, all.holds, all.seconds / 3600);
  add_parameter(fit, line, stratified_draws(stream, n_draws, [&](double u) {
                  return 1 / gamma_quantile(u, all.holds, 1 / all.seconds);
                }));
}

/// Whole seconds; none counts as half a second.
Sample overheads(TableRecords const& records) {
  Sample sample;
  for (JobRecord const& job : records.jobs) {
    if (job.overhead) sample.push_back({std::max(0.5, *job.overhead), false});
  }
  return sample;
}

/// Gamma, in seconds.
struct Overhead {
  Distribution estimate{Family::gamma, 1, 5};
  std::string method = "assumed";
  std::string fit = {};
  std::vector<Distribution> draws = {};
};

Overhead fitted_overhead(Sample const& sample, std::size_t n_draws, RandomStreams const& streams) {
  FittedFamily best = fit_family(sample, gamma_form);
  best.weight = 1;
  GoodnessOfFit const goodness = goodness_of_fit(sample, best, resamples_of_table,
                                                 bootstrap_stream(streams, DrawsOf::overhead, 1));
  Overhead overhead{best.distribution,
                    "slot busy - execution - last transfer; gamma, maximum likelihood, weighted "
                    "likelihood bootstrap",
                    fmt::format("Anderson-Darling {:.3f}, p = {:.3f} ({} resamples)",
                                goodness.statistic, goodness.p_value, resamples_of_table)};
  for (std::size_t draw = 0; draw < n_draws; ++draw) {
    RandomStream stream = bootstrap_stream(streams, DrawsOf::overhead, 0, draw);
    overhead.draws.push_back(draw_distribution(sample, {best}, stream).distribution);
  }
  return overhead;
}

void add_overhead(Fit& fit, TableEvidence const& evidence) {
  std::size_t const n_draws = evidence.draws;
  Sample const sample = with_rounding(overheads(evidence.records), 1, 3,
                                      bootstrap_stream(evidence.streams, "overhead_rounding"));
  bool const enough = sample.size() >= 5;
  Overhead overhead;
  if (enough) {
    overhead = fitted_overhead(sample, n_draws, evidence.streams);
  } else {
    overhead.draws.assign(n_draws, overhead.estimate);
  }
  auto const add = [&](std::string name, std::string unit, double Distribution::*parameter) {
    std::vector<double> values;
    for (Distribution const& draw : overhead.draws) values.push_back(draw.*parameter);
    add_parameter(fit,
                  {.name = std::move(name),
                   .unit = std::move(unit),
                   .estimate = overhead.estimate.*parameter,
                   .events = sample.size(),
                   .method = overhead.method,
                   .fit = overhead.fit,
                   .origin = enough ? Origin::fitted : Origin::by_default},
                  values);
  };
  add("overhead_shape", "1", &Distribution::shape);
  add("overhead_scale_s", "s", &Distribution::scale);
  if (enough) return;
  fit.not_identified.push_back({"overhead_shape, overhead_scale_s",
                                "fewer than five rows give slot, execution and last transfer",
                                "an assumption: exponential, 5 s"});
}

void fit_delays_of_table(TableEvidence const& evidence, Fit& fit) {
  add_release_delay(fit, evidence);
  add_overhead(fit, evidence);
}

/// Machines and their load make the means differ.
std::vector<CampaignKind> delays_that_differ() {
  std::vector<CampaignKind> kinds;
  for (char const* const scale :
       {"match_delay_scale_s", "plugin_start_scale_s", "setup_scale_s", "teardown_scale_s",
        "checkpoint_scale_s", "release_delay_scale_s"}) {
    kinds.push_back({.parameter = scale, .law = engine::usual_variation().transfers});
  }
  return kinds;
}

}  // namespace

Process delays() {
  using namespace words_of_columns;
  std::vector<DrawColumn> columns = {
      {"unlisted_wait_s", not_negative, in_draw<&Draw::unlisted_wait>,
       "Further wait of jobs without transfer_output_files, s"},
      {"overhead_shape", positive, in_draw<&Draw::teardown, &Distribution::shape>,
       "Shape of the gamma time from the exit until the slot is free"},
      {"overhead_scale_s", positive, set_overhead_scale, "Scale of that gamma time, s"},
      {"release_delay_mean_s", positive, set_release_delay,
       "Mean time from hold to release, exponential, s"}};
  add_times<&Draw::match_delay>(columns, "match_delay",
                                "from a free slot and an idle job to the shadow's start, "
                                "instead of negotiation cycles");
  add_times<&Draw::plugin_start>(
      columns, "plugin_start", "from the start of an input transfer by a plugin to its first URL");
  add_times<&Draw::setup>(columns, "setup",
                          "from the shadow's start to the execution, less the input");
  add_times<&Draw::teardown>(columns, "teardown", "from the exit until the slot is free");
  add_times<&Draw::checkpoint>(columns, "checkpoint", "to store a checkpoint");
  add_times<&Draw::requeue_delay>(columns, "requeue_delay",
                                  "from a lost attempt until the job is idle");
  add_times<&Draw::release_delay>(columns, "release_delay", "from hold to release, or to removal");
  return {.described = {.name = "delays",
                        .meaning = "times between the steps of a job",
                        .columns = std::move(columns)},
          .fit_table = fit_delays_of_table,
          .varies = delays_that_differ()};
}

}  // namespace gridcast::calibration
