#include "sim/history/job_event.hpp"

namespace gridcast::history {

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
    case Reason::transfer_timeout:
      return "transfer_timeout";
    case Reason::output_missing:
      return "output_missing";
    case Reason::output_failed:
      return "output_failed";
    case Reason::checkpoint_failed:
      return "checkpoint_failed";
    case Reason::exit_code:
      return "exit_code";
    case Reason::killed_by_signal:
      return "killed_by_signal";
    case Reason::vacated:
      return "vacated";
    case Reason::lost_contact:
      return "lost_contact";
    case Reason::out_of_resources:
      return "out_of_resources";
    case Reason::job_too_long:
      return "job_too_long";
    case Reason::system:
      return "system";
    case Reason::unknown:
      return "unknown";
  }
  return "none";
}

bool ends_attempt(EventKind kind) {
  switch (kind) {
    case EventKind::terminated:
    case EventKind::evicted:
    case EventKind::shadow_exception:
    case EventKind::held:
    case EventKind::aborted:
    case EventKind::requeued:
    case EventKind::reconnect_failed:
      return true;
    default:
      return false;
  }
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
    case Reason::transfer_timeout:
      return {13, 62};
    case Reason::output_missing:
      return {12, 2};  // ENOENT
    case Reason::output_failed:
      return {12, 256};
    case Reason::checkpoint_failed:
      return {36, 0};
    case Reason::out_of_resources:
      return {34, 0};
    case Reason::job_too_long:
      return {46, 0};
    case Reason::none:
    case Reason::pilot_ended:
    case Reason::site_network_down:
    case Reason::corrupt_input:
    case Reason::exit_code:
    case Reason::killed_by_signal:
    case Reason::vacated:
    case Reason::lost_contact:
    case Reason::system:
    case Reason::unknown:
      return {};
  }
  return {};
}

}  // namespace gridcast::history
