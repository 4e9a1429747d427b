// gridcast forecast WORK [RECORD...]: forecasts a scenario, a submit file or a DAG. The content of
// the file decides which of these it is.
#include "sim/cli/forecast.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/running.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/work_scenario.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/running/chosen_changes.hpp"
#include "sim/scenario/strategy_variant.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

// gridcast forecast JOB.sub|WORK.dag [RECORD...]: from an owner's own records, or the shipped
// calibration, to a forecast.

/// The record of the campaign itself, if it took place.
std::optional<history::JobHistory> observed(ForecastArguments const& options,
                                            std::optional<CalibratedLogs> const& fitted,
                                            import::CampaignFiles const& against) {
  if (options.against.empty()) return std::nullopt;
  auto campaign = import::open_campaign(against, options.record.dates);
  if (!fitted) return std::move(campaign.history);
  return at_fitted_sites(std::move(campaign.history), fitted->calibrated.sites);
}

/// The tables of `calibrate --details`.
void explain(ForecastArguments const& options, CalibratedLogs const& calibrated) {
  calibration::Fit const& fit = calibrated.document.fit;
  std::string const text =
      summary_of_logs(fit) + more_data_text(fit, calibrated.calibrated.facts.jobs);
  options.study.json ? print_notes(text) : print_results("\n" + text);
}

/// The names of the files that -o keeps.
std::vector<std::string> kept_names(ForecastArguments const& options) {
  std::vector<std::string> names = work_file_names(options);
  if (options.once.asked) {
    auto const more = campaign_file_names();
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

// gridcast forecast SCENARIO: a prediction here or in shards (--on), or one campaign (--once).

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

constexpr char no_effect[] = "it has no effect there";

void add_problems_of_job(Verb const& verb, ForecastArguments const& arguments, InputKind kind,
                         std::vector<Problem>& problems) {
  if (kind != InputKind::dag) {
    refuse_given(verb, {"--all-nodes", "--max-jobs"}, " without a DAG", no_effect, problems);
  }
  if (arguments.repeats) {
    refuse_given(verb, {"--size"}, " without a submit file or a DAG", no_effect, problems);
  }
  if (arguments.records.empty()) {
    refuse_given(verb, {"--explain", "--submit", "--where", "--since", "--until"},
                 " without a record", no_effect, problems);
  }
  if (!arguments.on.system.empty()) {
    add_problem(problems, {}, "--on without a scenario", "a batch system simulates a scenario",
                "Make one: gridcast init JOB.sub -o job.yaml; then gridcast forecast "
                "job.yaml --on " +
                    arguments.on.system + ".");
  }
}

void add_problems_of_scenario(Verb const& verb, ForecastArguments const& arguments,
                              std::vector<Problem>& problems) {
  refuse_given(verb,
               {"--explain", "--program", "--profile", "--size", "--work-scale", "--job-hours",
                "--on-gpu", "--epochs", "--crash-odds", "--all-nodes", "--max-jobs", "--pool",
                "--calibration", "--submit", "--where", "--since", "--until"},
               " with a scenario", no_effect, problems);
  if (arguments.against.empty()) {
    refuse_given(verb, {"--year", "--tz", "--columns", "--prefix"}, " with a scenario", no_effect,
                 problems);
  }
  if (!arguments.once.asked) {
    refuse_given(verb, {"--out"}, " of a scenario without --once", no_effect, problems);
  }
}

void refuse_options_without_use(Verb const& verb, ForecastArguments const& arguments,
                                InputKind kind, bool is_job) {
  std::vector<Problem> problems;
  if (is_job) {
    add_problems_of_job(verb, arguments, kind, problems);
  } else {
    add_problems_of_scenario(verb, arguments, problems);
  }
  if (!arguments.records.empty()) {
    refuse_given(verb, {"--calibration", "--pool"}, " with a record", no_effect, problems);
  }
  if (arguments.once.asked) {
    refuse_given(verb, {"--replicas", "--against", "--csv", "--resume", "--deadline", "--on"},
                 " with --once", no_effect, problems);
  } else {
    refuse_given(verb, {"--replica"}, " without --once", no_effect, problems);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

/// A running campaign is forecast from its log alone.
void refuse_options_of_studies(Verb const& verb, fs::path const& log) {
  std::vector<Problem> problems;
  refuse_given(verb, {"--strategy",  "--once",       "--out",     "--against",   "--csv",
                      "--report",    "--resume",     "--horizon", "--network",   "--without",
                      "--on",        "--explain",    "--program", "--profile",   "--size",
                      "--epochs",    "--work-scale", "--on-gpu",  "--job-hours", "--crash-odds",
                      "--all-nodes", "--max-jobs",   "--pool",    "--submit",    "--where",
                      "--since",     "--until",      "--replica"},
               " with --running", no_effect, problems);
  for (Problem& problem : problems) {
    if (!problem.what.starts_with("--report")) continue;
    std::string const name = study::typed(log);
    problem.hint = fmt::format(
        "gridcast open {} shows a page of a running campaign; gridcast watch "
        "{} --page FILE writes one.",
        name, name);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

int forecast_running(ForecastArguments const& arguments) {
  RunningArguments running{arguments.work, arguments.records};
  running.record = arguments.record;
  running.deadline = arguments.study.report.deadline;
  running.wanted = arguments.running.wanted;
  running.overrides = arguments.overrides;
  running.changes = arguments.running.changes;
  running.futures = arguments.study.replicas.value_or(0);
  running.seed = arguments.study.seed.value_or(1);
  running.json = arguments.study.json;
  running.details = arguments.study.details;
  running.calibration = arguments.job.importing.calibration;
  return run_running(running);
}

/// Simulates a prediction, or with --once one campaign, after its outputs are prepared.
/// `made_from`: the inputs of a scenario that the program made.
int answer_forecast(ForecastArguments const& arguments, scenario::Scenario const& scenario,
                    std::optional<history::JobHistory> const& observed, MadeFrom made_from = {}) {
  scenario::Strategy const& strategy = chosen_strategy(scenario, arguments.strategy);
  require_slots(scenario, {strategy});
  if (arguments.once.asked) return simulate_once(arguments, scenario, strategy);
  study::StudyOptions options = study_options(arguments.study, scenario.study);
  options.rows = observed.has_value();
  auto prediction = with_progress(arguments.study, options, [&](auto const& study) {
    return study::predict(scenario, strategy, study);
  });
  // Nobody can open a scenario that is gone.
  if (!made_from.kept) prediction.scenario = arguments.work.string();
  return answer(arguments.study, scenario, strategy, prediction, observed, std::move(made_from));
}

/// Forecasts a submit file or a DAG, from its records or the shipped calibration.
int forecast_job(ForecastArguments const& options) {
  WorkInputs const inputs = open_work(options);
  std::vector<fs::path> files = options.records;
  files.insert(files.end(), {options.work, options.record.columns, options.job.calibration.submit});
  if (inputs.dag) files.insert(files.end(), inputs.dag->read.begin(), inputs.dag->read.end());
  files.insert(files.end(), options.against.begin(), options.against.end());
  prepare_prediction(options.study, files);
  VerbFiles(if_there(options.study.force))
      .reads(files)
      .writes(options.out, kept_names(options))
      .prepare();
  auto const overrides = [&](fs::path const& scenario) {
    auto all = options.overrides;
    // --strategy names one of those that compare and open show.
    if (!options.strategy.empty()) {
      auto const usual = usual_strategies(scenario::baseline_keys(scenario, {}));
      all.insert(all.begin(), usual.begin(), usual.end());
    }
    return with_processes_off(std::move(all), options.without);
  };
  return with_work_scenario(options, inputs, "forecast", overrides, [&](ReadWork work) {
    int const code =
        answer_forecast(options, work.scenario, observed(options, work.made.fitted, inputs.against),
                        std::move(work.made_from));
    if (options.job.explain && work.made.fitted) explain(options, *work.made.fitted);
    return code;
  });
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
  std::vector<fs::path> inputs = files_of(scenario);
  inputs.insert(inputs.end(), arguments.against.begin(), arguments.against.end());
  inputs.push_back(arguments.record.columns);
  prepare_prediction(arguments.study, inputs);
  return answer_forecast(arguments, scenario, observed);
}

int run_forecast(Verb const& verb, ForecastArguments arguments) {
  std::vector<InputKind> behind = {InputKind::record, InputKind::table};
  // open_work() refuses a second work by its name.
  if (!arguments.running.asked && describes_jobs(kind_of(arguments.work)))
    behind.insert(behind.end(), {InputKind::submit_file, InputKind::dag});
  refuse_other_kinds(arguments.records, "forecast", "one work, and records of jobs behind it",
                     behind);
  if (arguments.running.asked) {
    refuse_options_of_studies(
        verb, arguments.records.empty() ? arguments.work : arguments.records.front());
    return forecast_running(arguments);
  }
  auto const kind = kind_of(arguments.work);
  refuse_other_kinds({arguments.work}, "forecast", "a scenario, a submit file, a DAG or a record",
                     {InputKind::scenario, InputKind::submit_file, InputKind::dag,
                      InputKind::record, InputKind::table});
  arguments.repeats = is_record(kind);
  if (arguments.repeats) arguments.records.insert(arguments.records.begin(), arguments.work);
  bool const is_job = describes_jobs(kind) || arguments.repeats ||
                      (kind == InputKind::unknown && !arguments.records.empty());
  refuse_options_without_use(verb, arguments, kind, is_job);
  return is_job ? forecast_job(arguments) : forecast_scenario(arguments);
}

void add_job_options(Verb& verb, JobArguments& job) {
  Verb group = verb.group("The jobs of a submit file or a DAG");
  group.option("--size", &job.importing.sizes, "Size of a file, if unknown otherwise", "URL=SIZE")
      .repeatable();
  group.option("--program", &job.importing.work.program, "The record's program that the jobs run",
               "NAME");
  group.option("--profile", &job.importing.work.profile,
               "The calibration's profile that the jobs run", "PROFILE");
  add_work_options(group, job.importing);
  group.flag("--all-nodes", job.all_nodes, "Include the nodes of a DAG that are done");
  group.option("--max-jobs", &job.max_nodes, "Nodes of a DAG in the queue; 0: no limit", "N")
      .whole_number(0, 1000000);
  group.option("--calibration", &job.importing.calibration,
               "Calibration, without a record (default: the shipped one); --running: of an earlier "
               "campaign, as a prior",
               "CAL");
  group.option("--pool", &job.importing.pool, "Pool (default: the calibration's own)", "POOL");
}

void add_history_options(Verb& verb, ForecastArguments& arguments) {
  Verb group = verb.group("The record");
  auto& calibration = arguments.job.calibration;
  group.flag("--explain", arguments.job.explain, "List the fitted parameters, and all assumptions");
  add_submit_file_option(group, calibration.submit);
  add_filter_options(group, calibration.filter);
  add_record_options(group, arguments.record);
}

void add_running_options(Verb& verb, ForecastArguments& options) {
  Option const running =
      verb.flag("--running", options.running.asked,
                "The records are of this campaign: when will the rest end? WORK may be its log");
  verb.option("--wanted", &options.running.wanted,
              "Share of the jobs that are to succeed (--running)", "PERCENT")
      .number_within(1, 100)
      .needs(running);
  verb.option("--change", &options.running.changes,
              "Change from now on (--running): release, resubmit, avoid:HOST, limit:TIME,\n"
              "transfer-limit:TIME, release-after:TIME, retries:N, second-copy:TIME; several act\n"
              "together",
              "CHANGE")
      .check(running::wrong_change)
      .repeatable()
      .needs(running);
}

void add_once_options(Verb& verb, OnceArguments& once) {
  Verb group = verb.group("One campaign (--once)");
  add_replica_option(group, once.replica);
}

}  // namespace

void add_forecast(Verb& program) {
  auto options = std::make_shared<ForecastArguments>();
  Verb verb = program.verb("forecast", "What a campaign will cost, with its uncertainty");
  verb.positional("WORK", &options->work,
                  "The campaign: a scenario (YAML), a submit file or a DAG; a record, repeated")
      .required();
  verb.positional("RECORD", &options->records,
                  "Event logs and ads, or tables of attempts, of such jobs (submit file, DAG)");
  add_strategy_option(verb, options->strategy);
  add_set_option(verb, options->overrides);
  verb.flag("--once", options->once.asked,
            "Simulate one campaign: its ledger, and its files in -o DIR");
  add_running_options(verb, *options);
  verb.option("-o,--out", &options->out,
              "Folder: the files of --once; calibration, pool and scenario of a submit file",
              "DIR");
  verb.option("--against", &options->against,
              "The campaign itself, if it took place, to compare the forecast with: logs, ads,\n"
              "tables",
              "FILE");
  add_study_options(verb, options->study);
  add_job_options(verb, options->job);
  add_history_options(verb, *options);
  Verb simulation = verb.group(simulation_group);
  add_without_option(simulation, options->without);
  add_on_options(verb, options->on);
  add_once_options(verb, options->once);
  verb.footer(
      "  gridcast forecast scenarios/osg-imagenet.yaml\n"
      "  gridcast forecast job.sub campaign.log history.json --report forecast.html\n"
      "  gridcast forecast pretraining.dag pretraining.dag.nodes.log -n 50\n"
      "  gridcast forecast scenarios/osg-imagenet.yaml --once --seed 3 -o one-campaign\n"
      "  gridcast forecast job.sub campaign.log --running --deadline '3 d'");
  verb.runs([options, verb] { return run_forecast(verb, *options); });
}

}  // namespace gridcast::cli
