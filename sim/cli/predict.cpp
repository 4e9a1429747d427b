// gridcast predict SCENARIO: the cost of a campaign, as a distribution; and gridcast compare
// SCENARIO: all its strategies side by side, with the same random numbers. Both run here or in
// shards (--on).
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/cli/distributed_study.hpp"
#include "sim/cli/strategy_argument.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/report/data/scores_data.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {
namespace {

struct PredictOptions {
  std::filesystem::path scenario;
  std::string strategy;                        // empty: the baseline
  std::vector<std::filesystem::path> against;  // a campaign that took place
  RecordArguments record = {};
  StudyArguments study;
  OnArguments on = {};
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  std::string without = {};
  std::filesystem::path conformal = {};  // corrections of the intervals; empty: none
};

int begin_prediction(PredictOptions const& options) {
  scenario::Scenario const scenario = read_runnable_scenario(
      options.scenario, with_processes_off(options.overrides, options.without));
  observed_campaign(options.against, options.record);
  return begin_study(
      options.on, options.study,
      {study::StudyKind::prediction, scenario, chosen_strategy(scenario, options.strategy).name,
       options.against, options.record});
}

void refuse_conformal_elsewhere(PredictOptions const& options) {
  if (options.conformal.empty() || options.on.system.empty()) return;
  throw InputError(Problem{{},
                           "--conformal cannot be asked with --on",
                           "it corrects the figures of a prediction that is made here",
                           "Leave one of them out."});
}

int run_predict(PredictOptions const& options) {
  refuse_conformal_elsewhere(options);
  if (!options.on.system.empty()) return begin_prediction(options);
  scenario::Scenario const scenario = read_runnable_scenario(
      options.scenario, with_processes_off(options.overrides, options.without));
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  auto const observed = observed_campaign(options.against, options.record);
  std::vector<std::filesystem::path> inputs = files_of(scenario);
  inputs.insert(inputs.end(), options.against.begin(), options.against.end());
  inputs.emplace_back(options.record.columns);
  std::vector<study::ConformalFactor> correction;
  if (!options.conformal.empty()) {
    correction = report::read_conformal(options.conformal);
    inputs.push_back(options.conformal);
  }
  prepare_prediction(options.study, inputs);
  auto const prediction =
      with_progress(options.study, study_options(options.study, scenario.study),
                    [&](auto const& study) { return study::predict(scenario, strategy, study); });
  return answer(options.study, scenario, strategy, prediction, observed, correction);
}

struct CompareOptions {
  std::filesystem::path scenario;
  StudyArguments study;
  OnArguments on = {};
  std::string goal;                         // empty: the scenario's
  std::vector<std::string> with = {};       // "NAME:KEY=VALUE,..."
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  std::string without = {};
  bool all = false;  // stop no strategy
};

/// The overrides that --set, --with and --goal stand for.
std::vector<std::string> overrides_of(CompareOptions const& options) {
  auto overrides = options.overrides;
  for (auto const& with : options.with) {
    auto const more = strategy_overrides(with);
    overrides.insert(overrides.end(), more.begin(), more.end());
  }
  if (!options.goal.empty()) overrides.push_back("study.goal=\"" + options.goal + "\"");
  return overrides;
}

int run_compare(CompareOptions const& options) {
  scenario::Scenario const scenario = read_runnable_scenario(
      options.scenario, with_processes_off(overrides_of(options), options.without));
  if (!options.on.system.empty()) {
    return begin_study(options.on, options.study, {study::StudyKind::comparison, scenario});
  }
  prepare_comparison(options.study, files_of(scenario));
  auto settings = study_options(options.study, scenario.study);
  settings.all = options.all;
  auto const comparison = with_progress(
      options.study, settings, [&](auto const& study) { return study::compare(scenario, study); });
  return answer(options.study, scenario, comparison);
}

}  // namespace

void add_predict(Verb& program) {
  auto options = std::make_shared<PredictOptions>();
  Verb verb = program.verb("predict", "What a campaign will cost, with its uncertainty");
  verb.positional("SCENARIO", &options->scenario, "Scenario file (YAML)").required();
  add_strategy_option(verb, options->strategy);
  verb.option("--against", &options->against,
              "A campaign that took place, to hold the prediction against: job event logs\n"
              "and ads, tables of attempts, or job tables",
              "FILE");
  add_record_options(verb, options->record);
  verb.option("--conformal", &options->conformal,
              "conformal.csv of gridcast validate --leave-one campaign --csv: corrects 90 % "
              "intervals by campaigns that took place",
              "FILE");
  add_set_option(verb, options->overrides);
  add_without_option(verb, options->without);
  add_study_options(verb, options->study);
  add_on_options(verb, options->on);
  verb.footer(
      "Examples:\n"
      "  gridcast predict scenarios/osg-imagenet.yaml\n"
      "  gridcast predict scenarios/osg-imagenet.yaml -n 200 --json \\\n"
      "    --against calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "  gridcast predict c4.yaml --against c4-retry.log");
  verb.runs([options] { return run_predict(*options); });
}

void add_compare(Verb& program) {
  auto options = std::make_shared<CompareOptions>();
  Verb verb = program.verb("compare", "Which strategy does better, and how sure that is");
  verb.positional("SCENARIO", &options->scenario, "Scenario file (YAML)").required();
  verb.option("--goal", &options->goal, std::string("The first criterion: ") + scenario::goal_forms,
              "GOAL")
      .check(wrong_goal);
  verb.option("--with", &options->with,
              "Another strategy, by its keys: patient:transfer.stall_timeout=2 h,retry.times=4",
              "NAME:KEY=VALUE,...")
      .check(wrong_strategy)
      .repeatable();
  verb.flag("--all", options->all,
            "Simulate all replicas of every strategy, also of those that cannot win");
  add_set_option(verb, options->overrides);
  add_without_option(verb, options->without);
  add_study_options(verb, options->study);
  add_on_options(verb, options->on);
  verb.footer(
      "Examples:\n"
      "  gridcast compare scenarios/osg-imagenet.yaml\n"
      "  gridcast compare scenarios/osg-imagenet.yaml --goal \"deadline:3 d\" \\\n"
      "    --with \"patient:transfer.stall_timeout=2 h\"\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100 --seed 7 --csv tables\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100000 --on slurm");
  verb.runs([options] { return run_compare(*options); });
}

}  // namespace gridcast::cli
