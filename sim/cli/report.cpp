// gridcast report RESULT.json... -o FILE.html: the page of results that verbs printed with --json.
#include <iostream>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/cli/report_file.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/data/result_json.hpp"

namespace gridcast::cli {
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
