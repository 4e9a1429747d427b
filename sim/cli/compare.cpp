// gridcast compare SCENARIO: all its strategies side by side, with the same random numbers.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/cli/distributed_study.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/study/comparison.hpp"

namespace gridcast::cli {
namespace {

struct CompareOptions {
  std::filesystem::path scenario;
  StudyArguments study;
  OnArguments on = {};
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
};

int run_compare(CompareOptions const& options) {
  scenario::Scenario const scenario = read_runnable_scenario(options.scenario, options.overrides);
  if (!options.on.system.empty()) {
    return begin_study(options.on, options.study, {study::StudyKind::comparison, scenario});
  }
  prepare_comparison(options.study, files_of(scenario));
  auto const comparison =
      with_progress(options.study, study_options(options.study, scenario.study),
                    [&](auto const& study) { return study::compare(scenario, study); });
  return answer(options.study, scenario, comparison);
}

}  // namespace

void add_compare(Verb& program) {
  auto options = std::make_shared<CompareOptions>();
  Verb verb = program.verb("compare", "Which strategy does better, and how sure that is");
  verb.positional("SCENARIO", &options->scenario, "Scenario file (YAML)").required();
  add_set_option(verb, options->overrides);
  add_study_options(verb, options->study);
  add_on_options(verb, options->on);
  verb.footer(
      "Examples:\n"
      "  gridcast compare scenarios/osg-imagenet.yaml\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100 --seed 7 --csv tables\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100000 --on slurm");
  verb.runs([options] { return run_compare(*options); });
}

}  // namespace gridcast::cli
