#include "sim/history/job_event.hpp"

#include <array>

namespace gridcast::history {
namespace {

// In the order of Reason.
constexpr std::array<std::string_view, reason_count> reason_names = {"none",
                                                                     "transfer_stalled",
                                                                     "transfer_failed",
                                                                     "not_found",
                                                                     "no_progress",
                                                                     "input_too_large",
                                                                     "execution_too_long",
                                                                     "pilot_ended",
                                                                     "site_network_down",
                                                                     "corrupt_input",
                                                                     "manual",
                                                                     "policy",
                                                                     "transfer_timeout",
                                                                     "output_missing",
                                                                     "output_failed",
                                                                     "checkpoint_failed",
                                                                     "exit_code",
                                                                     "killed_by_signal",
                                                                     "vacated",
                                                                     "lost_contact",
                                                                     "out_of_resources",
                                                                     "job_too_long",
                                                                     "system",
                                                                     "unknown"};

}  // namespace

std::string_view name(Reason reason) { return reason_names[static_cast<std::size_t>(reason)]; }

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
    case Reason::transfer_timeout:
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
    default:
      return {};
  }
}

Ending ending_of(JobEvent const& event) {
  Ending ending{.kind = event.kind, .reason = event.reason};
  if (event.kind == EventKind::requeued || event.kind == EventKind::terminated) {
    ending.exit_code = event.exit_code;
  } else {
    ending.code = event.code;
    ending.subcode = event.subcode;
  }
  return ending;
}

}  // namespace gridcast::history
