#include "sim/history/job_event.hpp"

#include <array>

namespace gridcast::history {
namespace {

struct ReasonRow {
  std::string_view name;
  HoldCode hold;
};

constexpr int time_expired = 62;  // ETIME: a plugin that ran out of time
constexpr int failed = 256;       // a plugin's exit status 1, shifted by a byte
constexpr int no_such_file = 2;   // ENOENT

// In the order of Reason.
constexpr std::array<ReasonRow, reason_count> reason_rows = {{
    {"none", {}},
    {"transfer_stalled", {13, time_expired}},
    {"transfer_failed", {13, failed}},
    {"not_found", {13, failed}},
    {"no_progress", {13, failed}},
    {"input_too_large", {32, 0}},
    {"execution_too_long", {47, 0}},
    {"pilot_ended", {}},
    {"site_network_down", {}},
    {"corrupt_input", {}},
    {"manual", {1, 0}},
    {"policy", {3, 0}},
    {"transfer_timeout", {13, time_expired}},
    {"output_missing", {12, no_such_file}},
    {"output_failed", {12, failed}},
    {"checkpoint_failed", {36, 0}},
    {"exit_code", {}},
    {"killed_by_signal", {}},
    {"vacated", {}},
    {"lost_contact", {}},
    {"out_of_resources", {34, 0}},
    {"job_too_long", {46, 0}},
    {"system", {}},
    {"unknown", {}},
}};

ReasonRow const& row_of(Reason reason) { return reason_rows[static_cast<std::size_t>(reason)]; }

}  // namespace

std::string_view name(Reason reason) { return row_of(reason).name; }

HoldCode hold_code(Reason reason) { return row_of(reason).hold; }

bool ends_attempt(EventKind kind) {
  using enum EventKind;
  return is_one_of(
      kind, {terminated, evicted, shadow_exception, held, aborted, requeued, reconnect_failed});
}

bool ended_by_stall_timer(JobEvent const& event) {
  return event.reason == Reason::transfer_stalled &&
         is_one_of(event.kind, {EventKind::evicted, EventKind::shadow_exception});
}

Ending ending_of(JobEvent const& event) {
  Ending ending{.kind = event.kind, .reason = event.reason};
  if (is_one_of(event.kind, {EventKind::requeued, EventKind::terminated})) {
    ending.exit_code = event.exit_code;
  } else {
    ending.code = event.code;
    ending.subcode = event.subcode;
  }
  return ending;
}

}  // namespace gridcast::history
