// gridcast compare WORK: the strategies of a scenario, a submit file or a DAG on common random
// numbers, here or in shards (--on). gridcast compare RECORD...: a recorded campaign once more. The
// verbs below it continue studies in shards.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/cli/distributed_study.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/work_scenario.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/scenario/strategy.hpp"
#include "sim/scenario/strategy_variant.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::cli {
namespace {

// gridcast compare RECORD...: a recorded campaign once more, as it was or under another strategy.

struct RecordComparison {
  std::vector<fs::path> files = {};
  fs::path scenario = {};                   // empty: the shipped one
  std::string strategy = {};                // empty: the scenario's baseline
  std::vector<std::string> overrides = {};  // of the scenario, "PATH=VALUE"
  RecordArguments record = {};
};

constexpr std::uint32_t default_replicas = 200;

/// Prints the differences from the record's strategy, and those that a replay cannot show.
void print_differences_of(scenario::Strategy const& strategy, scenario::Strategy const& recorded) {
  auto const differences = scenario::strategy_table().differences(recorded, strategy);
  if (differences.empty()) return;
  std::vector<std::string> const keys = each_of(differences, &scenario::Difference::path);
  print_notes(fmt::format("{} differs from {}, the strategy of the record, in {}\n", strategy.name,
                          recorded.name, fmt::join(keys, ", ")));
  for (scenario::Difference const& each : differences) {
    bool const submits = each.path.starts_with("submit.");
    if (each.key->not_replayed.empty() && !submits) continue;
    print_notes(fmt::format(
        "{}: its figures lack the effect of {}; gridcast compare SCENARIO has it\n",
        submits ? "a replay keeps the jobs of its record" : each.key->not_replayed, each.path));
  }
}

/// Simulates the record and answers. The exit code.
int compare_record(StudyArguments const& arguments, RecordComparison const& options) {
  auto const record = import::open_campaign(
      import::sort_by_kind(options.files, options.record.options()), options.record.dates);
  print_notes((arguments.details ? record.log_report : record.log_actions) + record.table_report);
  scenario::Scenario const scenario = scenario::read_scenario(options.scenario, options.overrides);
  print_scenario_notes(scenario);
  scenario::Strategy const& strategy = chosen_strategy(scenario, options.strategy);
  print_differences_of(strategy, scenario.strategy(scenario.baseline));
  std::vector<fs::path> inputs = files_of(scenario);
  inputs.insert(inputs.end(), options.files.begin(), options.files.end());
  inputs.emplace_back(options.record.columns);
  prepare_prediction(arguments, inputs);
  auto study = study_options(arguments, scenario.study);
  study.replicas = arguments.replicas.value_or(default_replicas);
  auto const replay = with_progress(arguments, study, [&](auto const& rerun) {
    return study::replay_study(record.history, scenario, strategy, rerun);
  });
  auto result =
      report::replay_result(replay, study::compare_with_replayed(replay.sample, record.history));
  result.source = "replay";
  result.baseline = scenario.baseline;
  print_study(arguments, result, report::brief_replay, report::replay_text);
  if (!arguments.report.file.empty()) {
    report::ReportRequest request = report_request(arguments.report);
    request.inputs = inputs_of(scenario);
    request.gaps = scenario.calibration.record.not_identified.size();
    for (auto& input : inputs_of("record", options.files)) request.inputs.push_back(input);
    request.campaign =
        report::one_campaign("the record", record.history, ledger::account(record.history));
    request.campaign->words = record.words;
    request.results.push_back(result);
    write_report(arguments.report, std::move(request));
  }
  return end_of_study(replay, "");
}

struct CompareOptions {
  std::vector<fs::path> files;   // WORK and its records, or records
  ImportSubmitOptions job = {};  // of a submit file or a DAG
  fs::path submit = {};          // of the records' jobs
  StudyArguments study;
  OnArguments on = {};
  std::string goal;                         // empty: the scenario's
  std::vector<std::string> with = {};       // "NAME:KEY=VALUE,..."
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  std::string without = {};
  bool all = false;  // stop no strategy
  RecordComparison of_record = {};
};

/// The overrides that --set, --with and --goal stand for. `file`: the scenario.
std::vector<std::string> overrides_of(CompareOptions const& options, fs::path const& file) {
  auto overrides = options.overrides;
  for (auto const& with : options.with) {
    auto const more = strategy_overrides(with, scenario::baseline_keys(file, options.overrides));
    overrides.insert(overrides.end(), more.begin(), more.end());
  }
  if (!options.goal.empty()) overrides.push_back("study.goal=" + options.goal);
  return overrides;
}

/// The strategies of --with, and that of `optimize -o`.
std::vector<std::string> asked_strategies(CompareOptions const& options) {
  std::vector<std::string> names = {"optimized"};
  for (auto const& with : options.with) names.push_back(strategy_name(with));
  return names;
}

/// `work`: arguments of a command, if the scenario is made from them.
int compare_strategies(CompareOptions const& options, scenario::Scenario const& scenario,
                       std::string const& work = "", MadeFrom made_from = {}) {
  auto settings = study_options(options.study, scenario.study);
  settings.all = options.all;
  auto comparison = with_progress(
      options.study, settings, [&](auto const& study) { return study::compare(scenario, study); });
  comparison.asked = asked_strategies(options);
  if (!work.empty()) comparison.scenario = work;
  return answer(options.study, scenario, comparison, std::move(made_from));
}

int compare_scenario(Verb const& verb, CompareOptions const& options) {
  if (options.files.size() > 1) {
    refuse({options.files[1].string()}, "is one argument too many",
           "a scenario names its calibration",
           "Name the submit file in place of the scenario, or one of the two.");
  }
  refuse_options_of_job(verb, WorkKind::scenario);
  scenario::Scenario const scenario = read_runnable_scenario(
      options.files.front(),
      with_processes_off(overrides_of(options, options.files.front()), options.without));
  require_slots(scenario, scenario.strategies);
  if (!options.on.system.empty()) {
    return begin_study(options.on, options.study, {study::StudyKind::comparison, scenario});
  }
  prepare_comparison(options.study, files_of(scenario));
  return compare_strategies(options, scenario);
}

/// The jobs of a submit file or a DAG, with the calibration of their records or the shipped one.
int compare_work(Verb const& verb, CompareOptions const& options) {
  ForecastArguments work{.work = options.files.front(),
                         .records = {options.files.begin() + 1, options.files.end()}};
  refuse_options_of_job(verb, work.records.empty() ? WorkKind::jobs : WorkKind::jobs_and_record);
  if (!options.on.system.empty()) {
    refuse({}, "--on without a scenario", "a batch system simulates a scenario",
           fmt::format("Make one: gridcast init {} -o job.yaml; then gridcast compare job.yaml "
                       "--on {}.",
                       shell_word(work.work.string()), options.on.system));
  }
  work.record = options.of_record.record;
  work.study.details = options.study.details;
  work.job.importing = options.job;
  work.job.calibration.submit = options.submit;
  WorkInputs const inputs = open_work(work);
  prepare_comparison(options.study, options.files);
  auto const overrides = [&](fs::path const& file) {
    auto all = overrides_of(options, file);
    if (options.with.empty()) {
      auto const usual = usual_strategies(scenario::baseline_keys(file, options.overrides));
      all.insert(all.begin(), usual.begin(), usual.end());
    }
    return with_processes_off(std::move(all), options.without);
  };
  return with_work_scenario(work, inputs, "compare", overrides, [&](ReadWork read) {
    require_slots(read.scenario, read.scenario.strategies);
    return compare_strategies(options, read.scenario, typed_work(work), std::move(read.made_from));
  });
}

int run_compare(Verb const& verb, CompareOptions const& options) {
  refuse_other_kinds(options.files, "compare", "a scenario, a submit file, a DAG, or records",
                     {InputKind::scenario, InputKind::submit_file, InputKind::dag,
                      InputKind::record, InputKind::table});
  auto const kind = kind_of(options.files.front());
  std::vector<Problem> problems;
  if (is_record(kind)) {
    refuse_given(
        verb,
        {"--goal", "--all", "--without", "--on", "--study", "--shard-size", "--submit-option"},
        " with a record", "it is of strategies that are simulated", problems);
    if (options.with.size() > 1) {
      add_problem(problems, {}, "--with is given several times with a record",
                  "a record is simulated once more under one strategy",
                  "Several are compared with their submit file: gridcast compare JOB.sub RECORD.");
    }
  } else {
    refuse_given(verb, {"--strategy", "--scenario"}, " without a record",
                 "it is of a record that is compared", problems);
    if (options.files.size() == 1) {
      refuse_given(verb, {"--columns", "--prefix", "--year", "--tz"}, " without a record",
                   "it is of a record", problems);
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  if (describes_jobs(kind)) return compare_work(verb, options);
  if (!is_record(kind)) return compare_scenario(verb, options);
  refuse_options_of_job(verb, WorkKind::record);
  RecordComparison comparison = options.of_record;
  comparison.files = options.files;
  if (comparison.scenario.empty()) comparison.scenario = shipped_scenario();
  comparison.overrides = overrides_of(options, comparison.scenario);
  if (comparison.strategy.empty() && options.with.size() == 1) {
    comparison.strategy = strategy_name(options.with.front());
  }
  return compare_record(options.study, comparison);
}

}  // namespace

void add_compare(Verb& program) {
  auto options = std::make_shared<CompareOptions>();
  Verb verb = program.verb("compare", "Which strategy does better, and how sure that is");
  verb.positional("WORK", &options->files,
                  "Scenario (YAML); submit file or DAG, and records of such jobs; or only records, "
                  "whose campaign is simulated once more")
      .required();
  add_goal_option(verb, options->goal);
  verb.option(
          "--with", &options->with,
          "The baseline with other keys: patient:transfer.stall_timeout=2 h,retry.max_retries=4",
          "NAME:KEY=VALUE,...")
      .check(wrong_strategy)
      .repeatable();
  verb.flag("--all", options->all,
            "Simulate all campaigns of every strategy, also of those that cannot win");
  add_set_option(verb, options->overrides);
  add_study_options(verb, options->study);
  add_options_of_job(verb, options->job, options->submit);
  Verb record = verb.group("From a record");
  add_strategy_option(record, options->of_record.strategy);
  record.option("--scenario", &options->of_record.scenario,
                "Scenario whose strategies and calibration to use (default: the shipped one)",
                "FILE");
  add_record_options(record, options->of_record.record);
  Verb simulation = verb.group(simulation_group);
  add_without_option(simulation, options->without);
  add_on_options(verb, options->on);
  add_study(verb);
  verb.footer(
      "  gridcast compare scenarios/osg-imagenet.yaml\n"
      "  gridcast compare scenarios/osg-imagenet.yaml --goal \"deadline:3 d\" \\\n"
      "    --with \"patient:transfer.stall_timeout=2 h\"\n"
      "  gridcast compare job.sub campaign.log --with \"again:retry.max_retries=9\"\n"
      "  gridcast compare scenarios/osg-imagenet.yaml -n 100000 --on slurm\n"
      "  gridcast compare status osg-imagenet.study\n"
      "  gridcast compare calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv \\\n"
      "    --strategy stall-timeout-2h");
  verb.runs([options, verb] { return run_compare(verb, *options); });
}

}  // namespace gridcast::cli
