// gridcast replay FILE...: a recorded campaign once more, as it was or under another strategy.
#include <iostream>

#include "sim/cli/pages.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/data/result_csv.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {
namespace {

struct ReplayOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path scenario;  // empty: the shipped one
  std::string strategy;            // empty: the scenario's baseline
  StudyArguments study;
};

constexpr std::uint32_t default_replicas = 200;

int run_replay(ReplayOptions const& options) {
  auto const record = import::open_campaign({.tables = options.files});
  scenario::Scenario const scenario =
      scenario::read_scenario(options.scenario.empty() ? shipped_scenario() : options.scenario);
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  auto const& csv = options.study.csv;
  if (!csv.empty()) {
    prepare_output(csv, {"metrics.csv", "replicas.csv", "against.csv", "executions.csv"},
                   options.study.force);
  }

  prepare_report(options.study.report, options.study.force);

  auto study = study_options(options.study, scenario.study);
  study.replicas = options.study.replicas.value_or(default_replicas);
  study::Prediction const replay = [&] {
    ProgressReport report(options.study.verbose, options.study.quiet);
    study.progress = report.callback();
    return study::replay_study(record.table, scenario, strategy, study);
  }();

  auto result =
      report::replay_result(replay, study::compare_with_record(replay.sample, record.history));
  result.source = "replay";
  if (!csv.empty()) write_output(csv, report::result_csv(result));
  if (!options.study.report.file.empty()) {
    report::ReportRequest request = report_request(options.study.report);
    request.inputs = inputs_of(scenario);
    request.calibration = calibration_page(scenario.calibration);
    for (auto& input : inputs_of("record", options.files)) request.inputs.push_back(input);
    request.campaign =
        report::one_campaign("the record", record.history, ledger::account(record.history));
    request.results.push_back(result);
    write_report(options.study.report, request);
  }
  std::cout << (options.study.json
                    ? report::json_text(report::result_json(result))
                    : report::replay_text(result, screen(colour_choice(options.study.colour))));
  return end_of_study(replay.interrupted, failed_runs(replay), "", replay.seed);
}

}  // namespace

void add_replay(Verb& program) {
  auto options = std::make_shared<ReplayOptions>();
  Verb verb =
      program.verb("replay", "A recorded campaign once more, as it was or under another strategy");
  verb.positional("FILE", &options->files, "Job tables (CSV), taken as one campaign").required();
  add_strategy_option(verb, options->strategy);
  verb.option("--scenario", &options->scenario,
              "Scenario whose strategies and calibration to use (default: the shipped one)",
              "FILE");
  add_study_options(verb, options->study);
  verb.footer(
      "Examples:\n"
      "  gridcast replay calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "  gridcast replay calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --strategy five-minute-stall-timeout");
  verb.runs([options] { return run_replay(*options); });
}

}  // namespace gridcast::cli
