#include "sim/cli/compare.hpp"

#include <iostream>
#include <memory>
#include <utility>

#include "sim/cli/output_folder.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/scenario_input.hpp"
#include "sim/cli/study_report.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/report/data/comparison_json.hpp"
#include "sim/report/text/comparison_text.hpp"

namespace gridcast::cli {

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

  if (!csv.empty()) write_output(csv, report::comparison_csv(comparison));
  bool const paged = !options.study.report.file.empty();
  auto const json = options.study.json || paged
                        ? report::json_text(report::comparison_json(comparison))
                        : std::string();
  write_study_report(options.study, scenario, json, scenario.strategy(scenario.baseline),
                     comparison.samples[comparison.baseline]);
  std::cout << (options.study.json ? json
                                   : report::comparison_text(
                                         comparison, screen(colour_choice(options.study.colour))));
  return end_of_study(comparison.interrupted, comparison.failed, comparison.scenario,
                      comparison.seed);
}

void add_compare(CLI::App& app, Select select) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* verb =
      app.add_subcommand("compare", "Which strategy does better, and how sure that is");
  verb->add_option("SCENARIO", options->scenario, "Scenario file (YAML)")
      ->required()
      ->type_name("");
  add_set_option(*verb, options->overrides);
  add_study_options(*verb, options->study);
  verb->footer(
      "Examples:\n"
      "  gridcast compare scenarios/osg-imagenet.yaml\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100 --seed 7 --csv tables");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_compare(*options); });
  });
}

}  // namespace gridcast::cli
