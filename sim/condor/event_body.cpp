#include "sim/condor/event_body.hpp"

#include <array>

#include "sim/condor/log_date.hpp"
#include "sim/condor/scan.hpp"

namespace gridcast::condor {
namespace {

using scan::eat;
using scan::is_digit;

constexpr std::array<std::string_view, 7> transfer_lines = {
    "",
    "Entered queue to transfer input files",
    "Started transferring input files",
    "Finished transferring input files",
    "Entered queue to transfer output files",
    "Started transferring output files",
    "Finished transferring output files"};

bool read_transfer(RawEvent& event, std::string_view text) {
  for (std::size_t i = 1; i < transfer_lines.size(); ++i) {
    if (text == transfer_lines[i]) {
      event.transfer = static_cast<TransferStep>(i);
      return true;
    }
  }
  return false;
}

// " Code C Subcode S", with or without the tab or blank in front.
bool read_codes(RawEvent& event, std::string_view text) {
  scan::skip_blanks(text);
  if (!eat(text, "Code ")) return false;
  auto const code = scan::small_integer(text);
  if (!code || !eat(text, " Subcode ")) return false;
  auto const subcode = scan::small_integer(text);
  if (!subcode) return false;
  event.code = code;
  event.subcode = subcode;
  return true;
}

bool read_starter_line(RawEvent& event, std::string_view text) {
  if (!eat(text, "Error from starter on ") && !eat(text, "Message from starter on ") &&
      !eat(text, "Warning from starter on ")) {
    return false;
  }
  if (text.ends_with(':')) text.remove_suffix(1);
  event.slot_name = text;
  return true;
}

bool read_eviction_line(RawEvent& event, std::string_view text) {
  if (!eat(text, "Job was evicted.")) return false;
  return text.empty() || read_codes(event, text);
}

bool read_number_behind(std::string_view text, std::string_view what, std::optional<int>& to) {
  auto const at = text.find(what);
  if (at == std::string_view::npos) return false;
  text.remove_prefix(at + what.size());
  to = scan::small_integer(text);
  return to.has_value() && text == ")";
}

// "(1) Normal termination (return value N)" and the other lines that begin with a bracket.
bool read_bracket(RawEvent& event, std::string_view text) {
  if (text.size() < 4 || (text[1] != '0' && text[1] != '1') || text[2] != ')') return false;
  bool const yes = text[1] == '1';
  text.remove_prefix(3);
  if (!eat(text, " ")) return false;
  if (text.starts_with("Normal termination")) {
    return read_number_behind(text, "(return value ", event.return_value);
  }
  if (text.starts_with("Abnormal termination")) {
    return read_number_behind(text, "(signal ", event.signal);
  }
  if (text == "Job terminated and was requeued") return event.requeued = true;
  if (text == "Job was checkpointed.") return event.checkpointed = yes, true;
  return text == "CPU times" || text == "Job was not checkpointed." || text == "No core file" ||
         text.starts_with("Corefile in");
}

// "3  -  Run Bytes Sent By Job", "Usr 0 00:00:00, Sys 0 00:00:00  -  Run Remote Usage".
bool read_figure(RawEvent& event, std::string_view text) {
  std::string_view number = text;
  auto const dash = text.find("  -  ");
  if (dash == std::string_view::npos) return false;
  std::string_view const what = text.substr(dash + 5);
  if (!is_digit(text[0])) return text.starts_with("Usr ");
  if (what == "Run Bytes Sent By Job") {
    event.sent_bytes = scan::integer(number);
  } else if (what == "Run Bytes Received By Job") {
    event.received_bytes = scan::integer(number);
  }
  return true;
}

// A row of the table of resources, of which only the times are of interest.
bool read_resource(RawEvent& event, std::string_view row) {
  scan::skip_blanks(row);
  auto const colon = row.find(" :");
  if (colon == std::string_view::npos) return false;
  std::string_view value = row.substr(colon + 2);
  scan::skip_blanks(value);
  if (row.starts_with("TimeExecute (s)")) event.time_execute_s = scan::integer(value);
  if (row.starts_with("TimeSlotBusy (s)")) event.time_slot_busy_s = scan::integer(value);
  return true;
}

bool read_end_of_job(RawEvent& event, std::string_view text) {
  if (!eat(text, "Job terminated ")) return false;
  if (!eat(text, "of its own accord at ")) return text.starts_with("by ");
  auto const date = eat_log_date(text);
  if (date && date->utc) event.ended_unix = date->ms / 1000;
  return date.has_value();
}

bool read_reason(RawEvent& event, std::string_view text) {
  eat(text, "Reason: ");
  if (event.reason.empty()) event.reason = text;
  return true;
}

// 004, 005 and 015: `text` is without its indentation.
bool read_ending(RawEvent& event, std::string_view line, std::string_view text) {
  if (line.starts_with("\t   ")) return read_resource(event, line);
  if (text[0] == '(' && read_bracket(event, text)) return true;
  if ((is_digit(text[0]) || text.starts_with("Usr ")) && read_figure(event, text)) return true;
  if (text.starts_with("Partitionable Resources :") || text.starts_with("Resources :")) return true;
  if (read_end_of_job(event, text)) return true;
  return event.number == 4 && line[0] == '\t' && line.size() > 1 && line[1] != '\t' &&
         read_reason(event, text);
}

bool read_attribute(RawEvent& event, std::string_view text) {
  auto const equals = text.find(" = ");
  if (equals == std::string_view::npos) return false;
  std::string_view const name = text.substr(0, equals);
  std::string_view value = text.substr(equals + 3);
  if (is_site_attribute(name) && value.size() > 2 && value.starts_with('"') &&
      value.ends_with('"')) {
    event.site = value.substr(1, value.size() - 2);
  }
  return true;
}

bool read_execution(RawEvent& event, std::string_view text) {
  if (eat(text, "SlotName: ")) {
    event.slot_name = text;
    return true;
  }
  return read_attribute(event, text);
}

bool read_contact(RawEvent& event, std::string_view text) {
  if (eat(text, "Trying to reconnect to ")) {
    event.slot_name = text.substr(0, text.find(' '));
    auto const address = text.find('<');
    if (address != std::string_view::npos) event.host = text.substr(address);
    return true;
  }
  if (eat(text, "startd address: ")) {
    event.host = text;
    return true;
  }
  if (text.starts_with("starter address: ")) return true;
  if (eat(text, "Can not reconnect to ")) {
    event.slot_name = text.substr(0, text.find(','));
    return true;
  }
  return read_reason(event, text);
}

bool read_transfer_detail(RawEvent& event, std::string_view text) {
  if (eat(text, "Seconds spent in queue: ")) {
    event.seconds_in_queue = scan::small_integer(text);
    return event.seconds_in_queue.has_value();
  }
  if (!eat(text, "Transferring to host: ")) return false;
  event.host = text;
  return true;
}

}  // namespace

bool is_site_attribute(std::string_view name) {
  return name == "GLIDEIN_ResourceName" || name == "MachineAttrGLIDEIN_ResourceName0" ||
         name == "MATCH_EXP_JOBGLIDEIN_ResourceName" || name == "JOBGLIDEIN_ResourceName";
}

bool known_event(int number) { return number >= 0 && number <= 47; }

bool read_first_line(RawEvent& event, std::string_view text) {
  switch (event.number) {
    case 0:
      return eat(text, "Job submitted from host:") && (event.host = text, true);
    case 1:
      return eat(text, "Job executing on host: ") && (event.host = text, true);
    case 3:
      return text.starts_with("Job was checkpointed.");
    case 4:
      return read_eviction_line(event, text);
    case 5:
      return text.starts_with("Job terminated.");
    case 7:
      return text.starts_with("Shadow exception!");
    case 9:
      return text.starts_with("Job was aborted");
    case 10:
      return text.starts_with("Job was suspended.");
    case 11:
      return text.starts_with("Job was unsuspended.");
    case 12:
      return text.starts_with("Job was held.");
    case 13:
      return text.starts_with("Job was released.");
    case 21:
      return read_starter_line(event, text);
    case 22:
      return text.starts_with("Job disconnected");
    case 23:
      return eat(text, "Job reconnected to ") && (event.slot_name = text, true);
    case 24:
      return text.starts_with("Job reconnection failed");
    case 40:
      return read_transfer(event, text);
    default:
      return true;  // nothing hangs on their words
  }
}

bool read_body_line(RawEvent& event, std::string_view line) {
  std::string_view text = line;
  scan::skip_blanks(text);
  if (text.empty()) return true;
  switch (event.number) {
    case 1:
    case 14:
      return read_execution(event, text);
    case 28:
      return read_attribute(event, text);
    case 3:
      return read_figure(event, text);
    case 6:
      return is_digit(text[0]) && read_figure(event, text);
    case 4:
    case 5:
    case 15:
      return read_ending(event, line, text);
    case 7:
      return (is_digit(text[0]) && read_figure(event, text)) || read_reason(event, text);
    case 9:
    case 12:
    case 21:
      return read_codes(event, text) || read_end_of_job(event, text) || read_reason(event, text);
    case 22:
    case 23:
    case 24:
      return read_contact(event, text);
    case 10:
    case 11:
      return text.starts_with("Number of processes");
    case 40:
      return read_transfer_detail(event, text);
    default:
      return read_reason(event, text);
  }
}

}  // namespace gridcast::condor
