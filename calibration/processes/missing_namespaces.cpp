// Shocks: a namespace answers 404 for a while, and all transfers that start then fail.
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

void fit_missing_namespaces(TableEvidence const& evidence, Fit& fit) {
  add_shock(fit, evidence,
            {"not_found", evidence.counts.not_found, evidence.counts.jobs,
             "jobs that started a first transfer", DrawsOf::not_found_rate, DrawsOf::not_found_hits,
             DrawsOf::not_found_lasts, evidence.failing_starts_per_second});
}

}  // namespace

Process missing_namespaces() {
  using namespace words_of_columns;
  using Shock = ShockParameters;
  return {
      .described =
          {.name = "missing-namespaces",
           .meaning = "a namespace returns 404 for a while",
           .columns =
               {{"not_found_per_start", probability, in_draw<&Draw::not_found, &Shock::per_start>,
                 "Probability that a job's first start sets off a time in which the namespace "
                 "answers 404"},
                {"not_found_mean_hits", at_least_one, in_draw<&Draw::not_found, &Shock::mean_hits>,
                 "Mean number of consecutive starts that it hits, if not_found_lasts_s is 0"},
                {"not_found_lasts_s", not_negative, in_draw<&Draw::not_found, &Shock::lasts>,
                 "Its mean length, in which it hits all starts, s; 0: the length is counted "
                 "in starts"}},
           .zero_is_off = {"not_found_per_start"}},
      .fit_table = fit_missing_namespaces};
}

}  // namespace gridcast::calibration
