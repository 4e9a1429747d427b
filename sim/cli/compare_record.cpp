#include "sim/cli/compare_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cli/report.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/scenario/strategy.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {
namespace {

constexpr std::uint32_t default_replicas = 200;

/// Prints the differences from the record's strategy, and those that a replay cannot show.
void tell_differences(scenario::Strategy const& strategy, scenario::Strategy const& recorded) {
  auto const differences = scenario::strategy_table().differences(recorded, strategy);
  if (differences.empty()) return;
  std::vector<std::string> keys;
  for (scenario::Difference const& each : differences) keys.push_back(each.path);
  tell(fmt::format("{} differs from {}, the strategy of the record, in {}\n", strategy.name,
                   recorded.name, fmt::join(keys, ", ")));
  for (scenario::Difference const& each : differences) {
    if (each.key->not_replayed.empty()) continue;
    tell(
        fmt::format("{}: what {} changes is not in its figures, but in those of gridcast compare\n",
                    each.key->not_replayed, each.path));
  }
}

}  // namespace

int compare_record(StudyArguments const& arguments, RecordComparison const& options) {
  auto const record =
      import::open_campaign(import::sort_by_kind(options.files, options.record.options()));
  tell(record.log_report + record.table_report);
  scenario::Scenario const scenario = scenario::read_scenario(
      options.scenario.empty() ? shipped_scenario() : options.scenario, options.overrides);
  tell_notes(scenario);
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  tell_differences(strategy, scenario.strategy(scenario.baseline));
  std::vector<std::filesystem::path> inputs = files_of(scenario);
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  inputs.emplace_back(options.record.columns);
  prepare_study(arguments, inputs,
                {"metrics.csv", "replicas.csv", "against.csv", "executions.csv"});
  auto study = study_options(arguments, scenario.study);
  study.replicas = arguments.replicas.value_or(default_replicas);
  auto const replay = with_progress(arguments, study, [&](auto const& played) {
    return study::replay_study(record.history, scenario, strategy, played);
  });
  auto result =
      report::replay_result(replay, study::compare_with_replayed(replay.sample, record.history));
  result.source = "replay";
  tell_study(arguments, result, report::replay_text, report::replay_text);
  if (!arguments.report.file.empty()) {
    report::ReportRequest request = report_request(arguments.report);
    request.inputs = inputs_of(scenario);
    request.calibration = calibration_page(scenario.calibration);
    for (auto& input : inputs_of("record", options.files)) request.inputs.push_back(input);
    request.campaign =
        report::one_campaign("the record", record.history, ledger::account(record.history));
    request.campaign->words = record.words;
    request.results.push_back(result);
    write_report(arguments.report, request);
  }
  return end_of_study({replay.interrupted, failed_runs(replay), replay.trouble}, "", replay.seed);
}

}  // namespace gridcast::cli
