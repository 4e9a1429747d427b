// Decisions of people on held jobs: they release a job, remove it, or leave it. fits/people_fit.hpp
// has the fit to event logs.
#include <algorithm>

#include <fmt/format.h>

#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

namespace {

void set_release(scenario::ParameterDraw& draw, double probability) {
  draw.release_transfer_hold = draw.release_other_hold = probability;
  draw.release_limit_hold = draw.release_resource_hold = {};
}

/// The jobs that the record's owner left on hold are a lower limit of what people accept.
void add_most_left_held(Fit& fit, TableEvidence const& evidence) {
  EventCounts const& counts = evidence.counts;
  int const left = counts.not_found.hits + counts.single_404;
  double const least = static_cast<double>(left) / std::max(1, counts.jobs);
  std::string const name = "most_left_held";
  add_table_posterior(
      fit, evidence, {name, DrawsOf::most_left_held, 0, 0, ""},
      fmt::format("{} of {} jobs were left on hold after a 404; uniform from that share to one",
                  left, counts.jobs),
      [&](double u) { return least + (1 - least) * u; });
  fit.not_identified.push_back({name, "the record shows only that people accepted its own holds",
                                "a uniform law of any share above"});
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
  add_most_left_held(fit, evidence);
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
                       {"most_left_held", probability, in_draw<&Draw::most_left_held>,
                        "People leave at most this share of the jobs on hold after a 404, and "
                        "release those beyond it"},
                       {"most_holds", count, in_draw<&Draw::most_holds>,
                        "A job's hold of this number removes it"}}},
      .fit_table = fit_releases};
}

}  // namespace gridcast::calibration
