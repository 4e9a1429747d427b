// Results of studies with made-up numbers, for tests of the page.
#pragma once

#include <string>

#include "sim/report/data/result_json.hpp"
#include "tests/report/fake_study.hpp"

namespace gridcast::test {

/// Badput, makespan and successes of a replica.
inline Figures figures(double badput, double makespan, double succeeded) {
  double const wallclock = badput + 3600 * succeeded;
  Figures all = {{"jobs", 2},
                 {"succeeded", succeeded},
                 {"badput_s", badput},
                 {"transfer_retried_s", badput},
                 {"compute_success_s", 3600 * succeeded},
                 {"transfer_success_s", 0},
                 {"wallclock_s", wallclock},
                 {"goodput_fraction", 3600 * succeeded / wallclock},
                 {"makespan_s", makespan},
                 {"site:badput_s:PDX", badput}};
  if (succeeded > 0) all["gpu_hours_per_success"] = wallclock / 3600 / succeeded;
  for (std::size_t step = 1; step <= study::finish_steps; ++step) {
    if (study::finish_rank(step, 2) > succeeded) continue;
    all["finish_s:" + std::to_string(step)] =
        makespan * static_cast<double>(study::finish_rank(step, 2)) / 2;
  }
  return all;
}

inline study::Comparison fake_comparison(std::vector<std::string> const& names) {
  study::Comparison comparison;
  comparison.scenario = "s.yaml";
  comparison.scenario_sha256 = "abc";
  comparison.title = "Two trainings";
  comparison.question = "Which is best?";
  comparison.strategies = names;
  comparison.seed = 7;
  comparison.requested = 2;
  for (std::size_t s = 0; s < names.size(); ++s) {
    double const factor = 1 / (1.0 + static_cast<double>(s));
    comparison.samples.push_back(fake_sample(
        {figures(7200 * factor, 10000 * factor, 2), figures(10800 * factor, 20000 * factor, 2)}));
  }
  return comparison;
}

inline report::Result comparison_result(std::vector<std::string> const& names = {"published",
                                                                                 "better"}) {
  report::Result result = report::result_of(fake_comparison(names));
  result.source = "c.json";
  return result;
}

inline study::Prediction prediction_of_two() {
  study::Prediction prediction =
      fake_prediction({figures(7200, 10000, 2), figures(10800, 20000, 2)});
  prediction.scenario_sha256 = "abc";
  return prediction;
}

inline report::Result prediction_result() {
  report::Result result = report::result_of(prediction_of_two());
  result.source = "p.json";
  return result;
}

/// The result as it comes back from what it is printed as.
inline report::Result read_back(report::Result const& result) {
  return report::read_result(json_text(report::result_json(result)), result.source);
}

}  // namespace gridcast::test
