// gridcast forecast SCENARIO: a prediction here or in shards (--on), or one campaign (--once).
#include <utility>

#include "sim/base/error.hpp"
#include "sim/cli/forecast.hpp"
#include "sim/report/data/scores_data.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {
namespace {

void refuse_records(ForecastArguments const& arguments) {
  if (arguments.records.empty()) return;
  refuse({arguments.records.front().string()}, "a scenario takes no record",
         "it names its calibration",
         "Give the submit file in its place; or --against RECORD, to compare the "
         "forecast with a campaign that took place.");
}

int begin_in_shards(ForecastArguments const& arguments, scenario::Scenario const& scenario) {
  observed_campaign(arguments.against, arguments.record);
  auto const& strategy = chosen_strategy(scenario, arguments.strategy);
  require_slots(scenario, {strategy});
  return begin_study(
      arguments.on, arguments.study,
      {study::StudyKind::prediction, scenario, strategy.name, arguments.against, arguments.record});
}

void prepare_once(ForecastArguments const& arguments, scenario::Scenario const& scenario) {
  VerbFiles files(if_there(arguments.study.force));
  files.reads(files_of(scenario)).writes(arguments.out, campaign_file_names());
  prepare_report(arguments.study.report, files);
  files.prepare();
}

}  // namespace

int answer_forecast(ForecastArguments const& arguments, scenario::Scenario const& scenario,
                    std::optional<history::JobHistory> const& observed, MadeFrom made_from) {
  scenario::Strategy const& strategy = chosen_strategy(scenario, arguments.strategy);
  require_slots(scenario, {strategy});
  if (arguments.once.asked) return simulate_once(arguments, scenario, strategy);
  auto prediction =
      with_progress(arguments.study, study_options(arguments.study, scenario.study),
                    [&](auto const& study) { return study::predict(scenario, strategy, study); });
  // Nobody can open a scenario that is gone.
  if (!made_from.kept) prediction.scenario = arguments.work.string();
  return answer(arguments.study, scenario, strategy, prediction, observed, std::move(made_from));
}

int forecast_scenario(ForecastArguments const& arguments) {
  refuse_records(arguments);
  scenario::Scenario const scenario = read_runnable_scenario(
      arguments.work, with_processes_off(arguments.overrides, arguments.without));
  if (!arguments.on.system.empty()) return begin_in_shards(arguments, scenario);
  chosen_strategy(scenario, arguments.strategy);
  auto const observed = observed_campaign(arguments.against, arguments.record);
  if (arguments.once.asked) {
    prepare_once(arguments, scenario);
    return answer_forecast(arguments, scenario, observed);
  }
  std::vector<std::filesystem::path> inputs = files_of(scenario);
  inputs.insert(inputs.end(), arguments.against.begin(), arguments.against.end());
  inputs.push_back(arguments.record.columns);
  prepare_prediction(arguments.study, inputs);
  return answer_forecast(arguments, scenario, observed);
}

}  // namespace gridcast::cli
