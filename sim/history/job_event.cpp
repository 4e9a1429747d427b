#include "sim/history/job_event.hpp"

namespace gridcast {

std::string_view name(Reason reason) {
  switch (reason) {
    case Reason::none:
      return "none";
    case Reason::transfer_stalled:
      return "transfer_stalled";
    case Reason::transfer_failed:
      return "transfer_failed";
    case Reason::not_found:
      return "not_found";
    case Reason::no_progress:
      return "no_progress";
    case Reason::input_too_large:
      return "input_too_large";
    case Reason::execution_too_long:
      return "execution_too_long";
    case Reason::pilot_ended:
      return "pilot_ended";
    case Reason::site_network_down:
      return "site_network_down";
    case Reason::corrupt_input:
      return "corrupt_input";
    case Reason::manual:
      return "manual";
    case Reason::policy:
      return "policy";
  }
  return "none";
}

HoldCode hold_code(Reason reason) {
  switch (reason) {
    case Reason::transfer_stalled:
      return {13, 62};  // ETIME: a plugin that ran out of time
    case Reason::transfer_failed:
    case Reason::not_found:
    case Reason::no_progress:
      return {13, 256};  // the plugin's exit status 1, shifted by a byte
    case Reason::input_too_large:
      return {32, 0};
    case Reason::execution_too_long:
      return {47, 0};
    case Reason::manual:
      return {1, 0};
    case Reason::policy:
      return {3, 0};
    case Reason::none:
    case Reason::pilot_ended:
    case Reason::site_network_down:
    case Reason::corrupt_input:
      return {};
  }
  return {};
}

}  // namespace gridcast
