// gridcast predict SCENARIO: what a campaign will cost, as a distribution.
#include <utility>

#include "sim/base/tell.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/predict_gpus.hpp"
#include "sim/cli/record_arguments.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::cli {
namespace {

struct PredictOptions {
  std::filesystem::path scenario;
  std::string strategy;                        // empty: the baseline
  std::vector<std::filesystem::path> against;  // a campaign that took place
  RecordArguments record = {};
  StudyArguments study;
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  std::string gpus = {};                    // "1,2,4": of a job, one campaign each
};

std::optional<history::JobHistory> observed_campaign(
    std::vector<std::filesystem::path> const& files, RecordArguments const& record) {
  if (files.empty()) return std::nullopt;
  auto const sorted = import::sort_by_kind(files, record.options());
  auto campaign = import::open_campaign(sorted);
  tell(sorted.logs.empty() ? campaign.ads_report : campaign.log_report);
  tell(campaign.table_report);
  return std::move(campaign.history);
}

int run_predict(PredictOptions const& options) {
  if (!options.gpus.empty()) {
    return answer_gpu_question(
        {options.scenario, options.strategy, options.overrides, options.gpus, options.study});
  }
  scenario::Scenario const scenario = read_runnable_scenario(options.scenario, options.overrides);
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  auto const observed = observed_campaign(options.against, options.record);
  std::vector<std::filesystem::path> inputs = files_of(scenario);
  inputs.insert(inputs.end(), options.against.begin(), options.against.end());
  prepare_study(options.study, inputs,
                {"metrics.csv", "replicas.csv", "against.csv", "executions.csv"});
  auto const prediction =
      with_progress(options.study, study_options(options.study, scenario.study),
                    [&](auto const& study) { return study::predict(scenario, strategy, study); });
  auto const result = report::result_of(
      prediction, observed ? std::optional(study::compare_with_record(prediction.sample, *observed))
                           : std::nullopt);
  tell_study(options.study, result, report::prediction_text);
  tell_horizon(prediction.sample, horizon_of(options.study.horizon));
  write_study_report(options.study, scenario, result, strategy);
  return end_of_study({prediction.interrupted, failed_runs(prediction), prediction.trouble},
                      prediction.scenario, prediction.seed);
}

}  // namespace

void add_predict(Verb& program) {
  auto options = std::make_shared<PredictOptions>();
  Verb verb = program.verb("predict", "What a campaign will cost, with its uncertainty");
  verb.positional("SCENARIO", &options->scenario, "Scenario file (YAML)").required();
  add_strategy_option(verb, options->strategy);
  verb.option("--gpus", &options->gpus,
              "More GPUs a job, or more jobs at a time? Makespan and GPU hours with each of\n"
              "these numbers (1,2,4), of a campaign whose work is a profile",
              "LIST");
  verb.option("--against", &options->against,
              "A campaign that took place, to hold the prediction against: job event logs\n"
              "and ads, tables of attempts, or job tables",
              "FILE");
  add_record_options(verb, options->record);
  add_set_option(verb, options->overrides);
  add_study_options(verb, options->study);
  verb.footer(
      "Examples:\n"
      "  gridcast predict scenarios/osg-imagenet.yaml\n"
      "  gridcast predict scenarios/osg-imagenet.yaml -n 200 --json \\\n"
      "    --against calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "  gridcast predict c4.yaml --against c4-retry.log");
  verb.runs([options] { return run_predict(*options); });
}

}  // namespace gridcast::cli
