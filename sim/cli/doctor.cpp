// gridcast help doctor: the program's libraries and files, and the machine.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/text/json_tables.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

using Json = nlohmann::ordered_json;

/// The memory of the machine, or the control group's limit if that is less.
Bytes memory() {
  double most =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  std::ifstream limit("/sys/fs/cgroup/memory.max");
  double allowed = 0;
  if (limit >> allowed) most = std::min(most, allowed);
  return Bytes(most);
}

/// The variable of the locale that counts, and its value; "none set" otherwise.
std::string locale_text() {
  for (char const* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    char const* const value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return fmt::format("{}={}", variable, value);
  }
  return "none set";
}

std::string shipped_files_text() {
  try {
    return shipped_scenario().string();
  } catch (InputError const& error) {
    return error.what();
  }
}

Json machine_json(report::Screen const& shown) {
  return {{"cores", cores()},
          {"memory_bytes", static_cast<std::uint64_t>(memory().value())},
          {"locale", locale_text()},
          {"characters", shown.charset == report::Charset::utf8 ? "UTF-8" : "ASCII"},
          {"stdout_is_terminal", isatty(STDOUT_FILENO) == 1},
          {"stderr_is_terminal", stderr_is_terminal()},
          {"width", shown.width}};
}

Json facts_json(report::Screen const& shown) {
  Json built = Json::object();
  for (auto const& [name, version] : built_with()) built[name] = version;
  return {{"schema", "gridcast.doctor/1"},
          {"version", version_text()},
          {"built_with", std::move(built)},
          {"machine", machine_json(shown)},
          {"files",
           {{"scenario", shipped_files_text()},
            {"report_page", report::page_file("report.html").has_value()}}}};
}

int run_doctor(bool json) {
  report::Screen const shown = screen();
  Json const facts = facts_json(shown);
  print_results(json ? json_text(facts) : report::json_tables(facts, shown));
  return exit_code::done;
}

}  // namespace

void add_doctor(Verb& help) {
  auto json = std::make_shared<bool>(false);
  Verb verb = help.verb("doctor", "Versions of libraries, shipped files and the machine");
  add_json_option(verb, *json);
  verb.footer(
      "Examples:\n"
      "  gridcast help doctor\n"
      "  gridcast help doctor --json");
  verb.runs([json] { return run_doctor(*json); });
}

}  // namespace gridcast::cli
