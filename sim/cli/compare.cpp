// gridcast compare SCENARIO: all its strategies with the same luck, side by side; and gridcast replay
// FILE...: the campaign that a record shows played once more, as it was or under another strategy.
#include "sim/base/error.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/study_on.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/study/prediction.hpp"

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

namespace {

struct ReplayOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path scenario;  // empty: the shipped one
  std::string strategy;            // empty: the scenario's baseline
  StudyArguments study;
};

constexpr std::uint32_t default_replicas = 200;

/// The rows that are played: of a log, what a table would say of it.
history::JobTable table_of(import::RecordedCampaign const& record) {
  return record.table.rows.empty() ? history::to_table(record.history) : record.table;
}

int run_replay(ReplayOptions const& options) {
  auto const record = import::open_campaign(import::sort_by_kind(options.files));
  tell(record.log_report);
  history::JobTable const table = table_of(record);
  scenario::Scenario const scenario =
      scenario::read_scenario(options.scenario.empty() ? shipped_scenario() : options.scenario);
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  std::vector<std::filesystem::path> inputs = files_of(scenario);
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  prepare_study(options.study, inputs,
                {"metrics.csv", "replicas.csv", "against.csv", "executions.csv"});
  auto study = study_options(options.study, scenario.study);
  study.replicas = options.study.replicas.value_or(default_replicas);
  auto const replay = with_progress(options.study, study, [&](auto const& played) {
    return study::replay_study(table, scenario, strategy, played);
  });
  auto result = report::replay_result(
      replay, study::compare_with_record(replay.sample, history::to_history(table)));
  result.source = "replay";
  tell_study(options.study, result, report::replay_text);
  if (!options.study.report.file.empty()) {
    report::ReportRequest request = report_request(options.study.report);
    request.inputs = inputs_of(scenario);
    request.calibration = calibration_page(scenario.calibration);
    for (auto& input : inputs_of("record", options.files)) request.inputs.push_back(input);
    request.campaign =
        report::one_campaign("the record", record.history, ledger::account(record.history));
    request.campaign->words = record.words;
    request.results.push_back(result);
    write_report(options.study.report, request);
  }
  return end_of_study({replay.interrupted, failed_runs(replay), replay.trouble}, "", replay.seed);
}

}  // namespace

void add_replay(Verb& program) {
  auto options = std::make_shared<ReplayOptions>();
  Verb verb =
      program.verb("replay", "A recorded campaign once more, as it was or under another strategy");
  verb.positional("FILE", &options->files,
                  "Event logs, ads or job tables (CSV), taken as one campaign")
      .required();
  add_strategy_option(verb, options->strategy);
  verb.option("--scenario", &options->scenario,
              "Scenario whose strategies and calibration to use (default: the shipped one)",
              "FILE");
  add_study_options(verb, options->study);
  verb.footer(
      "Examples:\n"
      "  gridcast replay calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "  gridcast replay calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --strategy stall-timeout-5min");
  verb.runs([options] { return run_replay(*options); });
}

}  // namespace gridcast::cli
