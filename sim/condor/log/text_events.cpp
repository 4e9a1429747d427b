// The text form of the job event log:
//   NNN (CLUSTER.PROC.SUBPROC) DATE TIME First line
//   <indented lines>
//   ...
// Numbers and wording: condor_event.cpp of HTCondor 9 to 25; HTCondor manual, "Job Event Log
// Codes".
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "sim/condor/log/event_reader.hpp"
#include "sim/condor/log/log_clock.hpp"
#include "sim/condor/log/resource_rows.hpp"
#include "sim/condor/log/scan.hpp"

namespace gridcast::condor {
namespace {

using scan::eat;

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
  if (text.find("  -  ") == std::string_view::npos) return false;
  int const before = event.amounts_not_understood;
  read_usage_figure(event, text);
  bool const can_be = event.amounts_not_understood == before;
  return can_be && (is_digit(text[0]) || text.starts_with("Usr "));
}

// False if they are no number of bytes: more digits than 64 bits have.
bool read_bytes(RawEvent& event, std::string_view text) {
  if (!text.ends_with(" By Job")) return true;
  auto const number = scan::integer(text);
  if (!number) return false;
  if (text == "  -  Run Bytes Sent By Job") event.sent = number;
  if (text == "  -  Run Bytes Received By Job") event.received = number;
  return true;
}

// "TimeSlotBusy (s)     :      398": the usage column.
bool read_resource(RawEvent& event, std::string_view text) {
  auto const colon = text.find(" :");
  if (colon == std::string_view::npos) return false;
  std::string_view value = text.substr(colon + 2);
  scan::skip_blanks(value);
  if (text.starts_with("TimeSlotBusy")) event.slot_busy = scan::integer(value);
  std::string_view name = text;
  if (scan::eat_name(name, "Cpus ")) event.lists_resources = true;
  if (text.starts_with("TimeExecute")) event.executed = scan::integer(value);
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

std::size_t indent(std::string_view line) { return line.find_first_not_of(" \t"); }

// 004, 005 and 015: `text` is without its indentation. Copies of logs have blanks instead of tabs.
bool read_ending(RawEvent& event, std::string_view line, std::string_view text) {
  if (!event.resource_header.empty() && indent(line) > indent(event.resource_header)) {
    bool const possible = read_resource_row(event, line, event.resource_header);
    return read_resource(event, text) && possible;
  }
  if (text[0] == '(' && read_bracket(event, text)) return true;
  if ((is_digit(text[0]) || text.starts_with("Usr ")) && read_figure(event, text)) {
    return read_bytes(event, text);
  }
  if (text.starts_with("Partitionable Resources :") || text.starts_with("Resources :")) {
    event.resource_header = line;
    return true;
  }
  if (read_end_of_job(event, text)) return true;
  return event.number == 4 && indent(line) > 0 && !line.starts_with("\t\t") &&
         read_reason(event, text);
}

bool read_attribute(RawEvent& event, std::string_view text) {
  auto const equals = text.find(" = ");
  if (equals == std::string_view::npos) return false;
  std::string_view const name = text.substr(0, equals);
  std::string_view value = text.substr(equals + 3);
  if (value.size() > 2 && value.starts_with('"') && value.ends_with('"')) {
    std::string_view const text_of_value = value.substr(1, value.size() - 2);
    read_site(event, name, text_of_value);
    if (event.number == 28 && same_ignoring_case(name, "Cmd")) event.program = text_of_value;
    if (event.number == 28 && same_ignoring_case(name, "Owner")) event.user = text_of_value;
  }
  if (event.number != 1) return true;
  read_gpu_attribute(event, name, value);
  read_resource_attribute(event, name, value);
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

// First lines whose words add nothing to the number.
constexpr std::array<std::pair<int, std::string_view>, 10> fixed_first_lines = {
    {{3, "Job was checkpointed."},
     {5, "Job terminated."},
     {7, "Shadow exception!"},
     {9, "Job was aborted"},
     {10, "Job was suspended."},
     {11, "Job was unsuspended."},
     {12, "Job was held."},
     {13, "Job was released."},
     {22, "Job disconnected"},
     {24, "Job reconnection failed"}}};

// The text behind the date. False if this event begins in another way.
bool read_first_line(RawEvent& event, std::string_view text) {
  for (auto const& [number, beginning] : fixed_first_lines) {
    if (number == event.number) return text.starts_with(beginning);
  }
  switch (event.number) {
    case 0:
      return eat(text, "Job submitted from host:") && (event.host = text, true);
    case 1:
      return eat(text, "Job executing on host: ") && (event.host = text, true);
    case 4:
      return read_eviction_line(event, text);
    case 21:
      return read_starter_line(event, text);
    case 23:
      return eat(text, "Job reconnected to ") && (event.slot_name = text, true);
    case 40:
      return read_transfer(event, text);
    default:
      return true;  // nothing hangs on their words
  }
}

// A line below. False if no rule fits.
bool read_body_line(RawEvent& event, std::string_view line) {
  std::string_view text = line;
  scan::skip_blanks(text);
  if (text.empty()) return true;
  bool const names_node = event.number == 0 || event.number == 16;
  if (names_node && event.node.empty()) event.node = dag_node(text);
  switch (event.number) {
    case 1:
    case 14:
    case 28:
      return read_execution(event, text);
    case 3:
    case 6:
      return (event.number == 3 || is_digit(text[0])) && read_figure(event, text);
    case 4:
    case 5:
    case 15:
      return read_ending(event, line, text);
    case 16:
      return (text[0] == '(' && read_bracket(event, text)) || read_reason(event, text);
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

// Position in `text` where a line "..." begins, at or behind `from`; `after` is where the next line
// begins. At the end of the log the line may lack its end.
std::size_t find_end_mark(std::string_view text, std::size_t from, bool last, std::size_t& after) {
  while (true) {
    std::size_t dots = from;
    if (from > 0 || !text.starts_with("...")) {
      std::size_t const start = from > 0 ? from - 1 : 0;
      auto const* found =
          static_cast<char const*>(memmem(text.data() + start, text.size() - start, "\n...", 4));
      if (found == nullptr) return npos;
      dots = static_cast<std::size_t>(found - text.data()) + 1;
    }
    std::size_t end = dots + 3;
    while (end < text.size() && (text[end] == '\r' || text[end] == ' ' || text[end] == '\t')) ++end;
    if (end == text.size()) {
      after = end;
      return last ? dots : npos;
    }
    if (text[end] == '\n') {
      after = end + 1;
      return dots;
    }
    from = dots + 1;
  }
}

// True if one begins behind the first line.
bool holds_another_event(std::string_view text) {
  scan::line(text);
  while (!text.empty() && !begins_event(text)) scan::line(text);
  return !text.empty();
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == npos; }

// The text between two lines "..." is a chunk: an event, or more if an end is missing.
class TextEvents final : public EventReader {
 public:
  using EventReader::EventReader;

  bool next(RawEvent& event) override {
    while (true) {
      skip_stray_lines();
      if (chunk_.empty()) {
        in_chunk_ += mark_lines_;
        mark_lines_ = 0;
        if (!load()) return false;
        continue;
      }
      if (parse(event)) return true;
    }
  }

 private:
  // Loads the text up to the next "..." into chunk_.
  bool load() {
    line_ += in_chunk_;
    in_chunk_ = 0;
    window_.take(loaded_);
    loaded_ = 0;
    std::size_t from = 0, after = 0;
    while (true) {
      std::string_view const text = window_.text();
      std::size_t const mark = find_end_mark(text, from, window_.at_end(), after);
      if (mark != npos) {
        chunk_ = text.substr(0, mark);
        loaded_ = after;
        complete_ = true;
        mark_lines_ = 1;
        return true;
      }
      from = text.size() > 4 ? text.size() - 4 : 0;
      if (window_.more()) continue;
      if (!window_.at_end()) return load_overlong();
      // The only change at the end: a last line may lack its line end.
      if (find_end_mark(window_.text(), from, true, after) != npos) continue;
      chunk_ = window_.text();
      loaded_ = chunk_.size();
      complete_ = false;
      return !chunk_.empty();
    }
  }

  // An event that does not fit into the window: the fitting part is read up to its last whole line,
  // and the rest is stepped over.
  bool load_overlong() {
    std::string_view const text = window_.text();
    auto const end = text.rfind('\n');
    chunk_ = text.substr(0, end == npos ? 0 : end + 1);
    if (!chunk_.empty()) {
      loaded_ = chunk_.size();
      complete_ = true;
      return true;
    }
    warnings_.not_understood("a line is longer than 8 MB and was skipped", line_ + 1);
    while (window_.text().find('\n') == npos) {
      window_.take(window_.text().size());
      if (!window_.more()) return false;
    }
    take(window_.text().find('\n') + 1);
    return load();
  }

  // A crash leaves zero bytes where text was. A line ends at them; an event may begin behind them.
  // Blanks at the end are of editors and mail programs.
  std::string_view line() {
    ++in_chunk_;
    std::string_view text = scan::line(chunk_);
    while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
    auto const zero = text.find('\0');
    if (zero == npos) return text;
    cut_ = true;
    std::string_view const rest =
        text.substr(std::min(text.find_first_not_of('\0', zero), text.size()));
    if (begins_event(rest)) {
      chunk_ = {rest.data(), static_cast<std::size_t>(chunk_.data() + chunk_.size() - rest.data())};
      --in_chunk_;
    }
    return text.substr(0, zero);
  }

  // Lines before an event, which belong to none.
  void skip_stray_lines() {
    while (!chunk_.empty() && !begins_event(chunk_)) {
      std::string_view const text = line();
      if (!is_blank(text)) {
        warnings_.not_understood("a line outside of any event", line_ + in_chunk_);
      }
    }
  }

  bool parse(RawEvent& event) {
    event = RawEvent{};
    cut_ = false;
    event.line = line_ + in_chunk_ + 1;
    if (!complete_ && !holds_another_event(chunk_)) {
      warnings_.add("the log ends within an event, which is left out (still being written?)",
                    event.line);
      while (!chunk_.empty()) line();
      return false;
    }
    if (!parse_head(event)) return false;
    parse_body(event);
    bool const without_result = event.number == 5 && !event.return_value && !event.signal;
    if (cut_ && !without_result) warnings_.add("zero bytes cut an event", event.line);
    return true;
  }

  bool parse_head(RawEvent& event) {
    std::string_view rest = line();
    event.number = (rest[0] - '0') * 100 + (rest[1] - '0') * 10 + (rest[2] - '0');
    rest.remove_prefix(5);
    auto const cluster = scan::integer(rest);
    bool good = cluster && scan::eat(rest, ".");
    auto const proc = good ? scan::integer(rest) : std::nullopt;
    good = proc && scan::eat(rest, ".") && scan::integer(rest) && scan::eat(rest, ") ");
    constexpr std::int64_t most = 0xffffffff;
    if (!good || *cluster < 0 || *cluster > most || *proc > most) {
      skip_event("the first line of an event has no job id");
      return false;
    }
    auto const date = eat_log_date(rest);
    if (!date || !(rest.empty() || scan::eat(rest, " "))) {
      skip_event("an event has no date that a calendar knows");
      return false;
    }
    event.of_cluster = *proc < 0;  // -1000 and below: a shadow that transfers for all jobs
    event.job = {static_cast<std::uint32_t>(*cluster), static_cast<std::uint32_t>(*proc)};
    event.at_ms = date->ms;
    event.utc = date->utc;
    event.year_known = date->year_known;
    if (!known_event(event.number)) {
      skip_event("events of a number that HTCondor's 000 to 047 do not have");
      return true;
    }
    if (!read_first_line(event, rest) && !cut_) {
      warnings_.not_understood("the first line of an event is not in HTCondor's words", event.line);
    }
    return true;
  }

  void parse_body(RawEvent& event) {
    while (!chunk_.empty()) {
      if (begins_event(chunk_)) {
        if (!cut_) warnings_.add("an event without \"...\" at its end", event.line);
        return;
      }
      std::string_view const text = line();
      if (read_body_line(event, text) || cut_) continue;
      warnings_.not_understood("a line that does not belong to its event", line_ + in_chunk_);
    }
  }

  // Its first line is taken already.
  void skip_event(std::string_view why) {
    std::size_t const first = line_ + in_chunk_;
    std::size_t lines = 1;
    while (!chunk_.empty() && !begins_event(chunk_)) {
      line();
      ++lines;
    }
    warnings_.not_understood(why, first, lines);
  }

  std::string_view chunk_;      // the rest of the text up to the next "..."
  std::size_t loaded_ = 0;      // bytes of the window that chunk_ came from, to be taken
  std::size_t in_chunk_ = 0;    // lines taken off the chunk
  std::size_t mark_lines_ = 0;  // 1 if the chunk was followed by a line "..."
  bool complete_ = false;       // nothing of the chunk is missing
  bool cut_ = false;            // by zero bytes in the event that is read
};

}  // namespace

std::unique_ptr<EventReader> text_events(LogWindow& window, LogWarnings& warnings) {
  return std::make_unique<TextEvents>(window, warnings);
}

}  // namespace gridcast::condor
