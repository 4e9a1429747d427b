// --report FILE.html of the verbs that have a result; and gridcast report RESULT.json... -o FILE.html,
// the page of results that verbs printed with --json.
#include "sim/cli/report.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "gridcast_version.hpp"
#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::cli {
namespace {

std::string page_template() {
  if (auto page = report::report_template()) return *page;
  throw InputError(Problem{
      {},
      "--report needs the report page, which is not beside this gridcast",
      "it is page/report.html of the build, or share/gridcast/report.html of an "
      "installation; a program that was copied alone has none, nor has one that was built "
      "without Node.js and npm",
      "Copy the folder too, or install (cmake --install), or apt-get install nodejs npm and "
      "build again. All else works without."});
}

}  // namespace

std::optional<Seconds> deadline_of(ReportArguments const& arguments) {
  if (arguments.deadline.empty()) return std::nullopt;
  auto const time = parse_seconds(arguments.deadline);
  if (time && *time > Seconds()) return time;
  throw InputError(Problem{{},
                           fmt::format("--deadline: '{}' is no time", arguments.deadline),
                           "a deadline counts from the first submission",
                           "Write it as '3 d' or '36 h'."});
}

void add_report_option(Verb& verb, ReportArguments& arguments) {
  verb.option("--report", &arguments.file, "Write a report page: one HTML file, opens offline",
              "FILE");
}

void add_deadline_option(Verb& verb, ReportArguments& arguments) {
  verb.option("--deadline", &arguments.deadline,
              "How likely it is that as many jobs as are wanted have succeeded by then, as '3 d'",
              "TIME");
}

void prepare_report(ReportArguments const& arguments, VerbFiles& files) {
  deadline_of(arguments);
  if (arguments.file.empty()) return;
  page_template();
  files.writes(arguments.file);
}

report::ReportRequest report_request(ReportArguments const& arguments) {
  report::ReportRequest request;
  request.kind = arguments.kind;
  std::string const revision = version_revision;
  request.created_by =
      "gridcast " + std::string(version_number) + (revision.empty() ? "" : " (" + revision + ")");
  request.command = own_command_line();
  request.deadline = deadline_of(arguments);
  return request;
}

namespace {

/// A page of a lesson's run is a student's, and the group `lesson` of its file has the answer.
std::string without_lesson(std::string const& yaml) {
  std::string kept;
  bool within = false;
  std::istringstream lines(yaml);
  for (std::string line; std::getline(lines, line);) {
    bool const begins_group = !line.empty() && line.front() != ' ' && line.front() != '#';
    if (begins_group) within = line.starts_with("lesson:");
    if (!within) kept += line + "\n";
  }
  return kept;
}

}  // namespace

std::vector<report::InputFileFact> inputs_of(scenario::Scenario const& scenario) {
  std::string const text = read_text_file(scenario.file);
  std::vector<report::InputFileFact> inputs = {
      {"scenario", scenario.file.string(), sha256(text), without_lesson(text)}};
  std::string const of_pool = read_text_file(scenario.pool_path);
  inputs.push_back({"pool", scenario.pool_path.string(), sha256(of_pool), of_pool});
  inputs.push_back({"calibration", scenario.calibration.file, scenario.calibration.sha256, ""});
  return inputs;
}

std::vector<report::InputFileFact> inputs_of(std::string const& what,
                                             std::vector<std::filesystem::path> const& files) {
  std::vector<report::InputFileFact> inputs;
  for (auto const& file : files) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) continue;
    std::ifstream in(file, std::ios::binary);
    std::string const bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    inputs.push_back({what, file.string(), sha256(bytes), ""});
  }
  return inputs;
}

void write_report(ReportArguments const& arguments, report::ReportDocument const& document) {
  write_file(arguments.file, report::html_report(document, page_template()));
}

void write_report(ReportArguments const& arguments, report::ReportRequest const& request) {
  write_report(arguments, report::report_page(request));
}

namespace {

struct ReportOptions {
  std::vector<std::filesystem::path> results;
  ReportArguments report;
  bool force = false;
};

/// All of them, or what is wrong with each.
std::vector<report::Result> read_all(std::vector<std::filesystem::path> const& files) {
  std::vector<report::Result> results;
  std::vector<Problem> problems;
  for (auto const& file : files) {
    try {
      results.push_back(report::read_result(file));
    } catch (InputError const& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  report::check_alike(results);
  return results;
}

int run_report(ReportOptions const& options) {
  ReportArguments to = options.report;
  if (to.file.empty()) to.file = options.results.front().filename().replace_extension(".html");
  VerbFiles files(if_there(options.force));
  files.reads(options.results);
  prepare_report(to, files);
  files.prepare();
  report::ReportRequest request = report_request(to);
  request.results = read_all(options.results);
  request.inputs = inputs_of("result", options.results);
  write_report(to, request);
  std::cout << to.file.string() << "\n";
  return exit_code::done;
}

}  // namespace

void add_report(Verb& program) {
  auto options = std::make_shared<ReportOptions>();
  Verb verb = program.verb("report", "A page of results: one HTML file that opens offline");
  verb.positional("RESULT", &options->results,
                  "What run, predict, compare, replay or ledger printed with --json; several of\n"
                  "one scenario are shown side by side")
      .required();
  verb.option("-o,--out", &options->report.file,
              "The page (default: the first result's name, with .html)", "FILE");
  verb.option("--deadline", &options->report.deadline,
              "How likely it is that as many jobs as are wanted have succeeded by then, as '3 d'",
              "TIME");
  verb.flag("--force", options->force, "Replace a page that is already there");
  verb.footer(
      "Examples:\n"
      "  gridcast compare scenarios/osg-imagenet.yaml --json > result.json\n"
      "  gridcast report result.json -o report.html");
  verb.runs([options] { return run_report(*options); });
}

}  // namespace gridcast::cli
