#include "sim/condor/log/event_reader.hpp"

#include <algorithm>
#include <charconv>

#include "sim/condor/log/scan.hpp"

namespace gridcast::condor {
namespace {

std::string_view without_blanks(std::string_view text) {
  auto const begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view{} : text.substr(begin);
}

// A log may begin within an event, as after `tail`.
bool holds_event(std::string_view text) {
  while (!text.empty()) {
    if (begins_event(text)) return true;
    scan::line(text);
  }
  return false;
}

bool is_binary(std::string_view text) {
  auto const odd = std::ranges::count_if(text, [](char c) {
    auto const byte = static_cast<unsigned char>(c);
    return byte < 32 && c != '\t' && c != '\n' && c != '\r';
  });
  return static_cast<std::size_t>(odd) > text.size() / 50 + 1;
}

double number_in(std::string_view value) {
  double number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

std::string_view unquoted(std::string_view value) {
  if (value.size() > 1 && value.starts_with('"') && value.ends_with('"')) {
    value = value.substr(1, value.size() - 2);
  }
  return value;
}

void read_gpu_property(RawEvent& event, std::string_view name, std::string_view value) {
  auto const is = [name](char const* known) { return same_ignoring_case(name, known); };
  if (is("DeviceName") && event.gpu_model.empty()) event.gpu_model = unquoted(value);
  if (is("Capability") && event.gpu_capability <= 0) event.gpu_capability = number_in(value);
  if (is("GlobalMemoryMb") && event.gpu_memory_mb <= 0) event.gpu_memory_mb = number_in(value);
}

}  // namespace

void EventReader::take(std::size_t size) {
  auto const text = window_.text().substr(0, size);
  line_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
  window_.take(size);
}

LogForm recognise_form(std::string_view beginning) {
  std::string_view const text = without_blanks(beginning);
  if (text.empty()) return LogForm::empty;
  if (text.front() == '{' || (text.front() == '[' && scan::has(text, "{"))) {
    return scan::has(text, "\"EventTypeNumber\"") ? LogForm::json : LogForm::none;
  }
  if (text.front() == '<')
    return scan::has(text, "\"EventTypeNumber\"") ? LogForm::xml : LogForm::none;
  return holds_event(text) ? LogForm::text : LogForm::none;
}

std::string looks_like(std::string_view beginning) {
  std::string_view const text = without_blanks(beginning);
  std::string_view const first = text.substr(0, text.find('\n'));
  if (is_binary(text.substr(0, 4096))) return "a binary file";
  if (scan::has(text, "*** EPOCH ")) return "an epoch history file";
  if (text.front() == '{' || text.front() == '[') {
    return scan::has(text, "\"ClusterId\"") ? "job ads (condor_history -json)" : "other JSON";
  }
  if (text.front() == '<')
    return scan::has(text, "<c>") ? "job ads in XML" : "a page of HTML or XML";
  if (first.starts_with("cluster,") || scan::has(first, ",outcome")) return "a job table (CSV)";
  if (scan::has(text, "\nClusterId = ") || scan::has(text, "\nProcId = ")) {
    return "job ads (condor_history -long)";
  }
  if (scan::has(text, "\nqueue") || scan::has(text, "\nexecutable")) return "a submit file";
  if (scan::has(first, "gridcast.") || scan::has(first, "schema:"))
    return "a file of gridcast's own";
  return "another kind of text";
}

std::unique_ptr<EventReader> open_events(LogForm form, LogWindow& window, LogWarnings& warnings) {
  if (form == LogForm::json) return json_events(window, warnings);
  return form == LogForm::xml ? xml_events(window, warnings) : text_events(window, warnings);
}

int site_rank(std::string_view attribute) {
  // A pilot advertises the last part; schedds and submit files put the rest before it.
  for (std::string_view const before : {"MachineAttr", "MATCH_EXP_", "MATCH_"}) {
    if (scan::eat_name(attribute, before)) break;
  }
  if (attribute.ends_with('0')) attribute.remove_suffix(1);
  bool const of_job = scan::eat_name(attribute, "JOB");
  if (of_job) scan::eat(attribute, "_");
  if (same_ignoring_case(attribute, "GLIDEIN_ResourceName")) return 3;
  if (same_ignoring_case(attribute, "GLIDEIN_CMSSite")) return 2;
  bool const of_site = of_job && same_ignoring_case(attribute, "Site");
  return of_site || same_ignoring_case(attribute, "GLIDEIN_Site") ? 1 : 0;
}

bool is_site_name(std::string_view value) {
  return !value.empty() && !value.starts_with('$') && !same_ignoring_case(value, "Unknown") &&
         !same_ignoring_case(value, "undefined");
}

void read_site(RawEvent& event, std::string_view name, std::string_view value) {
  int const rank = site_rank(name);
  if (rank <= event.site_rank || !is_site_name(value)) return;
  event.site = value;
  event.site_rank = rank;
}

void read_gpu_attribute(RawEvent& event, std::string_view name, std::string_view value) {
  if (same_ignoring_case(name, "Cpus")) event.lists_resources = true;
  if (same_ignoring_case(name, "GPUs")) {
    std::string_view rest = value;
    event.gpus = std::max(0, scan::small_integer(rest).value_or(0));
    return;
  }
  if (scan::eat_name(name, "CUDA") || !scan::eat_name(name, "GPUs_")) {
    return read_gpu_property(event, name, value);
  }
  if (auto const dot = name.find('.'); dot != std::string_view::npos) {
    return read_gpu_property(event, name.substr(dot + 1), value);
  }
  if (!value.starts_with('[')) return read_gpu_property(event, name, value);
  read_gpu_property(event, "DeviceName", scan::between(value, " DeviceName = \"", "\""));
  read_gpu_property(event, "Capability", scan::between(value, " Capability = ", "; ]"));
  read_gpu_property(event, "GlobalMemoryMb", scan::between(value, " GlobalMemoryMb = ", "; ]"));
}

std::string_view dag_node(std::string_view line) {
  scan::skip_blanks(line);
  if (scan::eat(line, "DAG Node: ")) return line;
  return scan::between(line, "DAGNodeName = \"", "\"");
}

bool begins_event(std::string_view line) {
  return line.size() >= 5 && is_digit(line[0]) && is_digit(line[1]) && is_digit(line[2]) &&
         line[3] == ' ' && line[4] == '(';
}

}  // namespace gridcast::condor
