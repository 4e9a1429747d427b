// gridcast help doctor: the program's libraries, the machine, and a self-test.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/text/json_tables.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/record.hpp"

namespace gridcast::cli {
namespace {

struct SelfCheck {
  std::string what;  // "the record has 100 jobs, 79 of them successful"
  bool passed = false;
  std::string found;  // the wrong result; empty if it passed
};

struct SelfTest {
  std::vector<SelfCheck> checks;
  std::size_t replicas = 0;
  Seconds elapsed;  // on the clock on the wall

  bool passed() const;
};

// Enough for the middle 90 % to be one, few enough for a second on two cores.
constexpr std::size_t replicas = 200;

/// Observed figures that must lie in the central 90 % of the simulated ones.
constexpr std::string_view foreseen[] = {"succeeded", "stalls", "badput_s", "goodput_fraction"};

struct Published {
  std::size_t jobs = 100, succeeded = 79, wrong_output = 3, held = 18, stalls = 232;
};  // the report "IMAGENET ON OSG" (2024), its tables counted; calibration/data/osg-imagenet

void add(SelfTest& test, std::string what, bool passed, std::string found) {
  test.checks.push_back({std::move(what), passed, passed ? "" : std::move(found)});
}

void check_record(SelfTest& test, history::JobHistory const& record) {
  ledger::LedgerLines const total = ledger::account(record).total;
  Published const known;
  bool const same = total.jobs == known.jobs && total.succeeded == known.succeeded &&
                    total.wrong_output == known.wrong_output && total.held == known.held &&
                    total.stalls == known.stalls;
  add(test,
      fmt::format("the record: {} jobs, {} succeeded, {} with a wrong output, {} held, {} stalls",
                  known.jobs, known.succeeded, known.wrong_output, known.held, known.stalls),
      same,
      fmt::format("{} jobs, {} succeeded, {} with a wrong output, {} held, {} stalls", total.jobs,
                  total.succeeded, total.wrong_output, total.held, total.stalls));
}

/// In each replica all jobs have one outcome, and every second is counted once.
void check_accounts(SelfTest& test, study::StudySample const& sample) {
  std::size_t jobs_wrong = 0, seconds_wrong = 0;
  auto const at = [&](std::string_view name, std::size_t row) {
    return sample.records[row][study::column_index(sample, name)];
  };
  for (std::size_t row = 0; row < sample.size(); ++row) {
    double const ended = at("succeeded", row) + at("wrong_output", row) + at("held", row) +
                         at("removed", row) + at("unfinished", row);
    if (at("jobs", row) != Published().jobs || ended != at("jobs", row)) ++jobs_wrong;
    double const parts =
        at("compute_success_s", row) + at("transfer_success_s", row) + at("badput_s", row);
    double const whole = at("wallclock_s", row);
    if (std::abs(parts - whole) > 1e-9 * whole) ++seconds_wrong;
  }
  add(test, fmt::format("simulated: {} jobs, each with one outcome", Published().jobs),
      jobs_wrong == 0, fmt::format("not so in {} of {} replicas", jobs_wrong, sample.size()));
  add(test, "simulated: every second of slot time counted once", seconds_wrong == 0,
      fmt::format("not so in {} of {} replicas", seconds_wrong, sample.size()));
}

bool same(study::StudySample const& a, study::StudySample const& b) {
  auto const alike = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return std::equal(a.records.begin(), a.records.end(), b.records.begin(), b.records.end(),
                    [&](study::SharedRecord const& x, study::SharedRecord const& y) {
                      return std::equal(x.begin(), x.end(), y.begin(), y.end(), alike);
                    });
}

void check_forecast(SelfTest& test, study::StudySample const& sample,
                    history::JobHistory const& record) {
  study::RecordComparison const against = study::compare_with_record(sample, record);
  for (auto const name : foreseen) {
    auto const placed =
        std::find_if(against.figures.begin(), against.figures.end(),
                     [&](study::PlacedFigure const& each) { return each.name == name; });
    bool const there = placed != against.figures.end();
    add(test, fmt::format("simulated: the record's {} lies in the middle 90 %", name),
        there && placed->inside,
        there ? fmt::format("{:.4g}, and not between {:.4g} and {:.4g}", placed->observed,
                            placed->predicted.p05, placed->predicted.p95)
              : "the figure is missing");
  }
}

void check_simulation(SelfTest& test, unsigned processes, history::JobHistory const& record) {
  scenario::Scenario const scenario = scenario::read_scenario(shipped_scenario());
  scenario::Strategy const& strategy = scenario.strategy(scenario.baseline);
  study::StudyOptions options;
  options.replicas = replicas;
  options.processes = processes;
  study::Prediction const first = study::predict(scenario, strategy, options);
  test.replicas = first.sample.size();
  std::string const why = first.failed.empty() ? "interrupted" : first.failed.front().why;
  add(test, fmt::format("simulated: all {} replicas come to their end", replicas),
      first.sample.size() == replicas, why);
  if (first.sample.size() != replicas) return;

  options.replicas = replicas / 20;
  options.processes = 1;
  study::StudySample const again = study::predict(scenario, strategy, options).sample;
  study::StudySample start = first.sample;
  start.records.resize(options.replicas);
  add(test, "simulated: the same seed gives the same figures, whatever the number of processes",
      same(start, again), "they differ");
  check_accounts(test, first.sample);
  check_forecast(test, first.sample, record);
}

bool SelfTest::passed() const {
  return std::all_of(checks.begin(), checks.end(), [](auto const& each) { return each.passed; });
}

/// The self-test of the shipped files, in `processes` processes. An error that prevents it counts
/// as a failed check.
SelfTest self_test(unsigned processes) {
  SelfTest test;
  auto const started = std::chrono::steady_clock::now();
  try {
    auto const folder = shipped_scenario().parent_path().parent_path();
    import::CampaignFiles const files{.tables = {
      folder / "calibration" / "data" / "osg-imagenet" / "imagenet-5epoch-100jobs.csv"
    }};
    auto const record = import::open_campaign(files).history;
    check_record(test, record);
    check_simulation(test, processes, record);
  } catch (std::exception const& error) {
    add(test, "the self-test runs", false, error.what());
  }
  std::chrono::duration<double> const elapsed = std::chrono::steady_clock::now() - started;
  test.elapsed = Seconds(elapsed.count());
  return test;
}

using Json = nlohmann::ordered_json;

struct DoctorOptions {
  bool json = false;
  std::string colour;
};

unsigned cores() { return std::max(1U, std::thread::hardware_concurrency()); }

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

Json facts_json(report::Screen const& shown) {
  Json built = Json::object();
  for (auto const& [name, version] : built_with()) built[name] = version;
  return {{"schema", "gridcast.doctor/1"},
          {"version", version_text()},
          {"built_with", std::move(built)},
          {"machine", machine_json(shown)},
          {"files",
           {{"scenario", shipped_files_text()},
            {"report_page", report::report_template().has_value()}}}};
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
  Json facts = facts_json(shown);
  if (options.json) {
    facts["self_test"] = self_test_json(test);
    std::cout << facts.dump(2) << "\n";
  } else {
    std::cout << report::json_tables(facts, shown) << self_test_text(test, shown);
  }
  return test.passed() ? exit_code::done : exit_code::failed;
}

}  // namespace

void add_doctor(Verb& help) {
  auto options = std::make_shared<DoctorOptions>();
  Verb verb = help.verb("doctor", "Versions, machine, and a self-test of about a second");
  verb.flag("--json", options->json, "One JSON object on standard output, nothing else");
  add_colour_option(verb, options->colour);
  verb.footer(
      "Examples:\n"
      "  gridcast help doctor\n"
      "  gridcast help doctor --json\n"
      "Exit status 1 if the self-test fails.");
  verb.runs([options] { return run_doctor(*options); });
}

}  // namespace gridcast::cli
