#include "sim/cli/replay.hpp"

#include <iostream>
#include <memory>
#include <utility>

#include "sim/cli/calibration_page.hpp"
#include "sim/cli/output_folder.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/shipped.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/history/job_table.hpp"
#include "sim/report/data/prediction_json.hpp"
#include "sim/report/data/result_reader.hpp"
#include "sim/report/text/replay_text.hpp"
#include "sim/study/replay_study.hpp"

namespace gridcast::cli {
namespace {

constexpr std::uint32_t default_replicas = 200;

}  // namespace

int run_replay(ReplayOptions const& options) {
  history::JobTable const table = history::read_job_tables(options.files);
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
    return study::replay_study(table, scenario, strategy, study);
  }();

  study::Against const rows = study::hold_against(replay.sample, history::to_history(table));
  if (!csv.empty()) write_output(csv, report::prediction_csv(replay, rows));
  auto const json = report::json_text(report::replay_json(replay, rows));
  if (!options.study.report.file.empty()) {
    report::ReportRequest request = report_request(options.study.report);
    request.results.push_back(report::read_result(json, "replay"));
    request.inputs = inputs_of(scenario);
    request.calibration = calibration_page(scenario.calibration);
    for (auto& input : inputs_of("record", options.files)) request.inputs.push_back(input);
    request.campaign = one_campaign("the record", history::to_history(table));
    write_report(options.study.report, request);
  }
  std::cout << (options.study.json
                    ? json
                    : report::replay_text(replay, rows,
                                          screen(colour_choice(options.study.colour))));
  return end_of_study(replay.interrupted, failed_runs(replay), "", replay.seed);
}

void add_replay(CLI::App& app, Select select) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* verb = app.add_subcommand(
      "replay", "A recorded campaign once more, as it was or under another strategy");
  verb->add_option("FILE", options->files, "Job tables (CSV), taken as one campaign")
      ->required()
      ->type_name("");
  verb->add_option("--strategy", options->strategy, "Strategy (default: the scenario's baseline)")
      ->type_name("NAME");
  verb->add_option("--scenario", options->scenario,
                   "Scenario whose strategies and calibration to use (default: the shipped one)")
      ->type_name("FILE");
  add_study_options(*verb, options->study);
  verb->footer(
      "Examples:\n"
      "  gridcast replay calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "  gridcast replay calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --strategy five-minute-stall-timeout");
  verb->callback([options, select = std::move(select)] {
    select([options] { return run_replay(*options); });
  });
}

}  // namespace gridcast::cli
