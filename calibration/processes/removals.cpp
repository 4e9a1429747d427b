// Owners remove jobs: jobs that wait or run (fits/people_fit.hpp), and held jobs
// (fits/people_fit.hpp).

#include <fmt/format.h>

#include "calibration/fits/people_fit.hpp"
#include "calibration/processes/processes.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

namespace {

void set_remove(scenario::ParameterDraw& draw, double probability) {
  draw.remove_transfer_hold = draw.remove_other_hold = probability;
  draw.remove_limit_hold = draw.remove_resource_hold = {};
}

/// The share of draws in which an owner's interventions in the first days continue. A few days only
/// show the start of a campaign; the owner may have corrected the cause.
constexpr double interventions_go_on = 0.25;

void fit_removals(LogEvidence const& evidence, Fit& fit) {
  Interventions const interventions = find_interventions(evidence.history);
  Fit removals = removal_fit(interventions, evidence.draws, evidence.streams);
  if (!shows_weeks(evidence.records) && !interventions.all.empty()) {
    only_in(removals, "removal_per_s", interventions_go_on,
            bootstrap_stream(evidence.streams, DrawsOf::removals, 2));
    fit.not_identified.push_back(
        {"removal_per_s",
         fmt::format("the owner removed jobs that waited or ran {} times, in less than three weeks",
                     interventions.all.size()),
         fmt::format("the same rate in {:.0f} % of the draws, none in the others: the start of a "
                     "campaign shows little of how often owners step in later",
                     100 * interventions_go_on)});
  }
  append(fit, removals);
}

std::vector<SiteCount> count_part_of_removals(LogEvidence const& whole, LogEvidence const& part) {
  Interventions const interventions = find_interventions(whole.history);
  Seconds const from = part.span ? part.span->first : Seconds(-HUGE_VAL);
  Seconds const to = part.span ? part.span->second : Seconds(HUGE_VAL);
  SiteCount count{0, time_within(interventions.exposed, from, to).value()};
  for (Intervention const& each : interventions.all) {
    count.events += each.at >= from && each.at < to ? 1 : 0;
  }
  return {count};
}

}  // namespace

Process removals() {
  using namespace words_of_columns;
  return {
      .described =
          {.name = "removals",
           .meaning = "owners remove jobs",
           .columns =
               {{"removal_per_s", not_negative, in_draw<&Draw::removal_per_second>,
                 "Hazard that the owner intervenes while jobs are queued, and removes some, "
                 "1/s"},
                {"removal_share_a", positive, in_draw<&Draw::removal_share_a>,
                 "Each job in the queue is then removed with a probability that is "
                 "Beta(removal_share_a, removal_share_b), drawn each time"},
                {"removal_share_b", positive, in_draw<&Draw::removal_share_b>,
                 "See removal_share_a"},
                {"removal_queue", count, in_draw<&Draw::removal_queue>,
                 "If there are more jobs in the queue than that, no more are removed"},
                {"remove_hold", probability, set_remove,
                 "remove_transfer_hold and remove_other_hold at once"},
                {"remove_transfer_hold", probability, in_draw<&Draw::remove_transfer_hold>,
                 "Probability that people remove a job held for a failed transfer, if they do not "
                 "release it; otherwise it stays held"},
                {"remove_other_hold", probability, in_draw<&Draw::remove_other_hold>,
                 "The same for any other reason"},
                {"remove_limit_hold", probability, in_draw<&Draw::remove_limit_hold>,
                 "The same for a limit of time, where it is not remove_other_hold"},
                {"remove_resource_hold", probability, in_draw<&Draw::remove_resource_hold>,
                 "The same for memory or disk, where it is not remove_other_hold"}},
           .zero_is_off = {"removal_per_s", "remove_transfer_hold", "remove_other_hold",
                           "remove_limit_hold", "remove_resource_hold"}},
      .fit_log = fit_removals,
      // Removals in quicker succession count as one intervention.
      .varies = {{.parameter = "removal_per_s",
                  .law = engine::usual_variation().holds,
                  .most = 1 / same_intervention.value()}},
      .count_part = count_part_of_removals};
}

}  // namespace gridcast::calibration
