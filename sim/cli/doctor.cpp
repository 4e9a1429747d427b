#include "sim/cli/doctor.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/self_test.hpp"
#include "sim/cli/shipped.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/version.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/text/paragraph.hpp"

namespace gridcast::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DoctorOptions {
  bool json = false;
  std::string colour;
};

unsigned cores() { return std::max(1U, std::thread::hardware_concurrency()); }

/// Of the machine, or what the control group allows if that is less.
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
          {"width", shown.width},
          {"colour", shown.colour}};
}

Json self_test_json(SelfTest const& test) {
  Json checks = Json::array();
  for (auto const& each : test.checks) {
    Json check = {{"what", each.what}, {"passed", each.passed}};
    if (!each.passed) check["found"] = each.found;
    checks.push_back(std::move(check));
  }
  return {{"passed", test.passed()},
          {"seconds", test.elapsed.value()},
          {"replicas", test.replicas},
          {"checks", std::move(checks)}};
}

Json doctor_json(report::Screen const& shown, SelfTest const& test) {
  Json built = Json::object();
  for (auto const& [name, version] : built_with()) built[name] = version;
  return {{"schema", "gridcast.doctor/1"},
          {"version", version_text()},
          {"built_with", std::move(built)},
          {"machine", machine_json(shown)},
          {"files",
           {{"scenario", shipped_files_text()},
            {"report_page", report::report_template().has_value()}}},
          {"self_test", self_test_json(test)}};
}

std::string line(std::string const& name, std::string const& words, report::Screen const& shown) {
  return fmt::format("  {:<14} ", name) + report::paragraph(words, {shown.width, 17, 17});
}

std::string facts_text(report::Screen const& shown) {
  std::string text = version_text() + "\n";
  for (auto const& [name, version] : built_with()) text += line(name, version, shown);
  text += "\nThis machine\n" + line("cores", std::to_string(cores()), shown) +
          line("memory", to_text(memory()), shown) +
          line("locale",
               fmt::format("{}: {}", locale_text(),
                           shown.charset == report::Charset::utf8 ? "UTF-8" : "ASCII only"),
               shown);
  char const* const kind = std::getenv("TERM");
  return text +
         line(
             "terminal",
             fmt::format("{}, {} columns, {}",
                         isatty(STDOUT_FILENO) == 1 ? (kind == nullptr ? "unknown" : kind) : "none",
                         shown.width, shown.colour ? "in colour" : "no colour"),
             shown) +
         line("scenario", shipped_files_text(), shown) +
         line("report page",
              report::report_template() ? "there"
                                        : "not made: gridcast was built without Node.js and npm",
              shown);
}

std::string self_test_text(SelfTest const& test, report::Screen const& shown) {
  std::string text = fmt::format("\nSelf-test: {} replicas of the published campaign in {:.1f} s\n",
                                 test.replicas, test.elapsed.value());
  for (auto const& each : test.checks) {
    text += each.passed ? "  ok      " : "  FAILED  ";
    text += report::paragraph(each.passed ? each.what : each.what + ": " + each.found,
                              {shown.width, 10, 10});
  }
  return text + (test.passed() ? "All is well.\n" : "Something is wrong with this gridcast.\n");
}

int run_doctor(DoctorOptions const& options) {
  report::Screen const shown = screen(colour_choice(options.colour));
  SelfTest const test = self_test(cores());
  if (options.json) {
    std::cout << doctor_json(shown, test).dump(2) << "\n";
  } else {
    std::cout << facts_text(shown) << self_test_text(test, shown);
  }
  return test.passed() ? exit_code::done : exit_code::failed;
}

}  // namespace

void add_doctor(CLI::App& app, Select select) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* verb =
      app.add_subcommand("doctor", "Versions, machine, and a self-test of about a second");
  verb->add_flag("--json", options->json, "One JSON object on standard output, nothing else");
  add_colour_option(*verb, options->colour);
  verb->footer(
      "Examples:\n"
      "  gridcast doctor\n"
      "  gridcast doctor --json\n"
      "Exit status 1 if the self-test fails.");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_doctor(*options); });
  });
}

}  // namespace gridcast::cli
