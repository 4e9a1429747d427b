// Slots that pilots of a site offer at a time (fits/slot_fit.hpp), and the time until a pilot that
// ended is replaced (fits/delay_fit.hpp).
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

Process slots() {
  using namespace words_of_columns;
  return {
      .described = {
          .name = "slots",
          .meaning = "slots that pilots offer, and their replacement",
          .columns = {{"pilot_replacement_s", not_negative, in_draw<&Draw::pilot_replacement>,
                       "Mean time from a pilot's end to the next one, s"}},
          .site_columns = {
              {"gpus", count, at_site<&Site::gpus>, "GPUs that pilots hold at a time"},
              {"slots", count, at_site<&Site::slots>,
               "Slots that pilots offer at a time, where GPUs are not counted and the pool has no "
               "number of its own"}}}};
}

}  // namespace gridcast::calibration
