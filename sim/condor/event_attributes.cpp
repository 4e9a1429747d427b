#include "sim/condor/event_attributes.hpp"

#include <array>
#include <limits>

#include "sim/condor/event_body.hpp"
#include "sim/condor/log_date.hpp"
#include "sim/condor/scan.hpp"

namespace gridcast::condor {
namespace {

constexpr std::int64_t no_date = std::numeric_limits<std::int64_t>::min();
constexpr std::uint32_t no_cluster = 0xffffffff;

bool is_true(std::string_view value) { return value == "true" || value == "t"; }

// Byte counts are written as reals: "52.0".
std::optional<std::int64_t> whole(std::string_view value) { return scan::integer(value); }
std::optional<int> small(std::string_view value) { return scan::small_integer(value); }

void read_id(RawEvent& event, std::string_view name, std::string_view value) {
  auto const number = whole(value);
  if (!number || *number > 0xffffffff) return;
  if (name == "Proc") {
    event.of_cluster = *number < 0;
    event.job.proc = static_cast<std::uint32_t>(*number);
  } else if (*number >= 0) {
    event.job.cluster = static_cast<std::uint32_t>(*number);
  }
}

void read_date(RawEvent& event, std::string_view value) {
  auto const date = eat_log_date(value);
  if (!date) return;
  event.at_ms = date->ms;
  event.utc = date->utc;
  event.year_known = date->year_known;
}

void read_number(RawEvent& event, std::string_view value) {
  auto const number = small(value);
  if (number && *number >= 0 && *number <= 999) event.number = *number;
}

void read_transfer_type(RawEvent& event, std::string_view value) {
  auto const type = small(value);
  if (type && *type >= 1 && *type <= 6) event.transfer = static_cast<TransferStep>(*type);
}

using Setter = void (*)(RawEvent&, std::string_view);
struct Rule {
  std::string_view name;
  Setter set;
};

void set_reason(RawEvent& event, std::string_view value) {
  if (event.reason.empty()) event.reason = value.substr(0, value.find_first_of("\r\n"));
}
void set_host(RawEvent& event, std::string_view value) { event.host = value; }
void set_slot(RawEvent& event, std::string_view value) { event.slot_name = value; }
void set_code(RawEvent& event, std::string_view value) { event.code = small(value); }
void set_subcode(RawEvent& event, std::string_view value) { event.subcode = small(value); }

// 021 has a slot where the others have an address.
void set_execute_host(RawEvent& event, std::string_view value) {
  (value.starts_with('<') ? event.host : event.slot_name) = value;
}

constexpr std::array rules = {
    Rule{"EventTypeNumber", read_number},
    Rule{"EventTime", read_date},
    Rule{"Type", read_transfer_type},
    Rule{"QueueingDelay",
         [](RawEvent& event, std::string_view v) { event.seconds_in_queue = small(v); }},
    Rule{"Host", set_host},
    Rule{"SubmitHost", set_host},
    Rule{"ExecuteHost", set_execute_host},
    Rule{"StartdAddr", set_host},
    Rule{"StartdName", set_slot},
    Rule{"SlotName", set_slot},
    Rule{"Reason", set_reason},
    Rule{"HoldReason", set_reason},
    Rule{"ErrorMsg", set_reason},
    Rule{"Message", set_reason},
    Rule{"DisconnectReason", set_reason},
    Rule{"HoldReasonCode", set_code},
    Rule{"HoldReasonSubCode", set_subcode},
    Rule{"VacateReasonCode", set_code},
    Rule{"VacateReasonSubCode", set_subcode},
    Rule{"ReasonCode", set_code},
    Rule{"ReasonSubCode", set_subcode},
    Rule{"TerminatedAndRequeued",
         [](RawEvent& event, std::string_view v) { event.requeued = is_true(v); }},
    Rule{"Checkpointed",
         [](RawEvent& event, std::string_view v) { event.checkpointed = is_true(v); }},
    Rule{"ReturnValue", [](RawEvent& event, std::string_view v) { event.return_value = small(v); }},
    Rule{"TerminatedBySignal",
         [](RawEvent& event, std::string_view v) { event.signal = small(v); }},
    Rule{"TimeExecuteUsage",
         [](RawEvent& event, std::string_view v) { event.time_execute_s = whole(v); }},
    Rule{"TimeSlotBusyUsage",
         [](RawEvent& event, std::string_view v) { event.time_slot_busy_s = whole(v); }},
    Rule{"SentBytes", [](RawEvent& event, std::string_view v) { event.sent_bytes = whole(v); }},
    Rule{"ReceivedBytes",
         [](RawEvent& event, std::string_view v) { event.received_bytes = whole(v); }},
    Rule{"ToE.When", [](RawEvent& event, std::string_view v) { event.ended_unix = whole(v); }},
};

}  // namespace

RawEvent event_without_attributes(std::size_t line) {
  RawEvent event;
  event.number = -1;
  event.job.cluster = no_cluster;
  event.at_ms = no_date;
  event.line = line;
  return event;
}

void read_attribute(RawEvent& event, std::string_view name, std::string_view value) {
  if (name == "Cluster" || name == "Proc") return read_id(event, name, value);
  for (Rule const& rule : rules) {
    if (rule.name == name) return rule.set(event, value);
  }
  constexpr std::string_view nested = "ExecuteProps.";
  if (name.starts_with(nested)) name.remove_prefix(nested.size());
  if (is_site_attribute(name)) event.site = value;
}

std::string_view missing_attribute(RawEvent const& event) {
  if (event.number < 0) return "EventTypeNumber";
  if (event.at_ms == no_date) return "EventTime";
  if (event.job.cluster == no_cluster) return "Cluster";
  return {};
}

}  // namespace gridcast::condor
