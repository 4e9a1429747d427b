// Input transfers that stop for a while and continue. The fit is in fits/outage_fit.hpp.
#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

Process pauses() {
  using namespace words_of_columns;
  using Outages = OutageParameters;
  return {.described = {
              .name = "pauses",
              .meaning = "an input transfer stops and continues",
              .columns = {{"pause", probability, in_draw<&Draw::outages, &Outages::pause>,
                           "Share of the other tries that stop for a while and then continue"},
                          {"pause_duration_s", not_negative,
                           in_draw<&Draw::outages, &Outages::pause_duration>,
                           "How long they stop on average, s"}},
              .zero_is_off = {"pause"}}};
}

}  // namespace gridcast::calibration
