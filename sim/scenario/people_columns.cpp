#include "sim/scenario/draw_setters.hpp"

namespace gridcast::scenario {
namespace {

using People = ParameterDraw;

void set_release_delay(People& draw, double mean) {
  draw.release_delay = {Family::exponential, 1, mean, 0};
}

void set_release(People& draw, double probability) {
  draw.release_transfer_hold = draw.release_other_hold = probability;
  draw.release_limit_hold = draw.release_resource_hold = {};
}

void set_remove(People& draw, double probability) {
  draw.remove_transfer_hold = draw.remove_other_hold = probability;
  draw.remove_limit_hold = draw.remove_resource_hold = {};
}

}  // namespace

std::vector<DrawColumn> people_columns() {
  using enum Allowed;
  return {
      {"release", probability, set_release, "release_transfer_hold and release_other_hold at once"},
      {"removal_per_s", not_negative, in_draw<&People::removal_per_second>,
       "Hazard that the owner steps in while jobs are in the queue, and removes some, 1/s"},
      {"removal_share_a", positive, in_draw<&People::removal_share_a>,
       "Each job in the queue is then removed with a probability that is "
       "Beta(removal_share_a, removal_share_b), drawn each time"},
      {"removal_share_b", positive, in_draw<&People::removal_share_b>, "See removal_share_a"},
      {"removal_queue", count, in_draw<&People::removal_queue>,
       "Of more jobs in the queue than that, no more are removed"},
      {"release_transfer_hold", probability, in_draw<&People::release_transfer_hold>,
       "Probability that people release a job held for a failed transfer"},
      {"release_other_hold", probability, in_draw<&People::release_other_hold>,
       "The same for any other reason"},
      {"release_limit_hold", probability, in_draw<&People::release_limit_hold>,
       "The same for a limit of time, where it is not release_other_hold"},
      {"release_resource_hold", probability, in_draw<&People::release_resource_hold>,
       "The same for memory or disk, where it is not release_other_hold"},
      {"remove_hold", probability, set_remove,
       "remove_transfer_hold and remove_other_hold at once"},
      {"remove_transfer_hold", probability, in_draw<&People::remove_transfer_hold>,
       "Probability that people remove a job held for a failed transfer, if they do not release "
       "it; "
       "otherwise it stays held"},
      {"remove_other_hold", probability, in_draw<&People::remove_other_hold>,
       "The same for any other reason"},
      {"remove_limit_hold", probability, in_draw<&People::remove_limit_hold>,
       "The same for a limit of time, where it is not remove_other_hold"},
      {"remove_resource_hold", probability, in_draw<&People::remove_resource_hold>,
       "The same for memory or disk, where it is not remove_other_hold"},
      {"release_delay_mean_s", positive, set_release_delay,
       "Mean time from hold to release, exponential, s"},
      {"most_holds", count, in_draw<&People::most_holds>, "A job held so often is removed instead"},
  };
}

void add_people_times(std::vector<DrawColumn>& columns) {
  add_times<&People::release_delay>(columns, "release_delay",
                                    "from hold to release, or to removal");
  add_some_times<&People::release_other_delay>(
      columns, "release_other_delay",
      "from hold to release where not for a failed transfer, if it differs");
  add_some_times<&People::remove_delay>(columns, "remove_delay",
                                        "from hold to removal, if it differs");
}

}  // namespace gridcast::scenario
