// gridcast compare SCENARIO: which of the scenario's strategies does better, and how sure that is.
#include "sim/cli/pages.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
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
  prepare_study(options.study, files_of(scenario),
                {"metrics.csv", "differences.csv", "probability_best.csv", "explanations.csv",
                 "regrets.csv", "observations.csv", "replicas.csv"});
  auto const comparison =
      with_progress(options.study, study_options(options.study, scenario.study),
                    [&](auto const& study) { return study::compare(scenario, study); });
  auto const result = report::result_of(comparison);
  tell_study(options.study, result, report::comparison_text);
  write_study_report(options.study, scenario, result, scenario.strategy(scenario.baseline));
  return end_of_study({comparison.interrupted, comparison.failed, comparison.trouble},
                      comparison.scenario, comparison.seed);
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
