// gridcast compare SCENARIO: which of the scenario's strategies does better, and how sure that is.
#include <iostream>

#include "sim/cli/pages.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/data/result_csv.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::cli {
namespace {

struct CompareOptions {
  std::filesystem::path scenario;
  StudyArguments study;
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
};

int run_compare(CompareOptions const& options) {
  scenario::Scenario const scenario = read_runnable_scenario(options.scenario, options.overrides);
  auto const& csv = options.study.csv;
  if (!csv.empty()) {
    prepare_output(csv, {"metrics.csv", "differences.csv", "probability_best.csv", "replicas.csv"},
                   options.study.force);
  }

  prepare_report(options.study.report, options.study.force);

  auto study = study_options(options.study, scenario.study);
  study::Comparison const comparison = [&] {
    ProgressReport report(options.study.verbose, options.study.quiet);
    study.progress = report.callback();
    return study::compare(scenario, study);
  }();

  auto const result = report::result_of(comparison);
  if (!csv.empty()) write_output(csv, report::result_csv(result));
  write_study_report(options.study, scenario, result, scenario.strategy(scenario.baseline));
  std::cout << (options.study.json
                    ? report::json_text(report::result_json(result))
                    : report::comparison_text(result, screen(colour_choice(options.study.colour))));
  return end_of_study(comparison.interrupted, comparison.failed, comparison.scenario,
                      comparison.seed);
}

}  // namespace

void add_compare(Verb& program) {
  auto options = std::make_shared<CompareOptions>();
  Verb verb = program.verb("compare", "Which strategy does better, and how sure that is");
  verb.positional("SCENARIO", &options->scenario, "Scenario file (YAML)").required();
  add_set_option(verb, options->overrides);
  add_study_options(verb, options->study);
  verb.footer(
      "Examples:\n"
      "  gridcast compare scenarios/osg-imagenet.yaml\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100 --seed 7 --csv tables");
  verb.runs([options] { return run_compare(*options); });
}

}  // namespace gridcast::cli
