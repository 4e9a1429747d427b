// Shocks: a site's network fails, and all executions that start there then lose their output.
#include <algorithm>

#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

void fit_site_outages(TableEvidence const& evidence, Fit& fit) {
  add_shock(fit, evidence,
            {"network_down", evidence.counts.network_down,
             std::max(1, evidence.counts.executed_jobs), "jobs that executed",
             DrawsOf::network_down_rate, DrawsOf::network_down_hits, DrawsOf::network_down_lasts});
}

}  // namespace

Process site_outages() {
  using namespace words_of_columns;
  using Shock = ShockParameters;
  return {
      .described =
          {.name = "site-outages",
           .meaning = "a site's network fails",
           .columns =
               {{"network_down_per_start", probability,
                 in_draw<&Draw::network_down, &Shock::per_start>,
                 "Probability that a job's first execution at a site sets off a time without "
                 "outbound network there"},
                {"network_down_mean_hits", at_least_one,
                 in_draw<&Draw::network_down, &Shock::mean_hits>,
                 "Mean number of consecutive executions that it hits, if network_down_lasts_s is "
                 "0"},
                {"network_down_lasts_s", not_negative, in_draw<&Draw::network_down, &Shock::lasts>,
                 "Its mean length, in which it hits all executions, s; 0: the length is "
                 "counted in executions"}},
           .zero_is_off = {"network_down_per_start"}},
      .fit_table = fit_site_outages};
}

}  // namespace gridcast::calibration
