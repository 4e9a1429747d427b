// Decisions of people on held jobs: they release a job, remove it, or leave it. fits/people_fit.hpp
// has the fit to event logs.
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

void set_release(scenario::ParameterDraw& draw, double probability) {
  draw.release_transfer_hold = draw.release_other_hold = probability;
  draw.release_limit_hold = draw.release_resource_hold = {};
}

void fit_releases(TableEvidence const& evidence, Fit& fit) {
  EventCounts const& counts = evidence.counts;
  add_probability(fit, evidence,
                  {"release_transfer_hold", DrawsOf::release_transfer, counts.holds_released,
                   static_cast<double>(counts.holds_released + counts.held_transfer),
                   "holds for a failed transfer were released"});
  add_probability(fit, evidence,
                  {"release_other_hold", DrawsOf::release_other, 0,
                   static_cast<double>(counts.held_other_decisions),
                   "decisions on other holds were a release (a shock is one decision)"});
}

}  // namespace

Process releases() {
  using namespace words_of_columns;
  return {
      .described =
          {.name = "releases",
           .meaning = "owners release held jobs",
           .columns = {{"release", probability, set_release,
                        "release_transfer_hold and release_other_hold at once"},
                       {"release_transfer_hold", probability, in_draw<&Draw::release_transfer_hold>,
                        "Probability that people release a job held for a failed transfer"},
                       {"release_other_hold", probability, in_draw<&Draw::release_other_hold>,
                        "The same for any other reason"},
                       {"release_limit_hold", probability, in_draw<&Draw::release_limit_hold>,
                        "The same for a limit of time, where it is not release_other_hold"},
                       {"release_resource_hold", probability, in_draw<&Draw::release_resource_hold>,
                        "The same for memory or disk, where it is not release_other_hold"},
                       {"most_holds", count, in_draw<&Draw::most_holds>,
                        "A job held so often is removed instead"}}},
      .fit_table = fit_releases};
}

}  // namespace gridcast::calibration
