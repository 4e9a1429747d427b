// gridcast forecast WORK [RECORD...]: forecasts a scenario, a submit file or a DAG. The content of
// the file decides which of these it is.
#include "sim/cli/forecast.hpp"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/running.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/running/chosen_changes.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

constexpr char no_effect[] = "it has no effect there";

void refuse_options_without_use(Verb const& verb, ForecastArguments const& arguments, bool is_job) {
  constexpr char const* of_jobs[] = {
      "--explain",     "--program", "--profile",    "--size",      "--work-scale", "--job-hours",
      "--on-gpu",      "--epochs",  "--crash-odds", "--all-nodes", "--max-jobs",   "--pool",
      "--calibration", "--submit",  "--where",      "--since",     "--until"};
  constexpr char const* of_dates_read[] = {"--year", "--tz"};
  constexpr char const* of_records[] = {"--explain", "--submit", "--where", "--since", "--until"};
  constexpr char const* without_records[] = {"--calibration", "--pool"};
  constexpr char const* of_once[] = {"--replica"};
  constexpr char const* of_several[] = {"--replicas", "--against", "--csv", "--resume",
                                        "--deadline", "--details", "--on"};
  std::vector<Problem> problems;
  if (!is_job) refuse_given(verb, of_jobs, " with a scenario", no_effect, problems);
  if (!is_job && arguments.against.empty()) {
    refuse_given(verb, of_dates_read, " with a scenario", no_effect, problems);
  }
  if (is_job && arguments.records.empty()) {
    refuse_given(verb, of_records, " without a record", no_effect, problems);
  }
  if (!arguments.records.empty()) {
    refuse_given(verb, without_records, " with a record", no_effect, problems);
  }
  if (arguments.once.asked) {
    refuse_given(verb, of_several, " with --once", no_effect, problems);
  } else {
    refuse_given(verb, of_once, " without --once", no_effect, problems);
    if (!is_job) {
      constexpr char const* out[] = {"--out"};
      refuse_given(verb, out, " of a scenario without --once", no_effect, problems);
    }
  }
  if (is_job && !arguments.on.system.empty()) {
    problems.push_back({{},
                        "--on without a scenario",
                        "a batch system simulates a scenario",
                        "Make one: gridcast init JOB.sub -o job.yaml; then gridcast forecast "
                        "job.yaml --on " +
                            arguments.on.system + "."});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

/// A running campaign is forecast from its log alone.
void refuse_options_of_studies(Verb const& verb, std::filesystem::path const& log) {
  constexpr char const* of_others[] = {
      "--strategy",  "--once",       "--out",       "--against",  "--csv",        "--report",
      "--resume",    "--horizon",    "--network",   "--without",  "--on",         "--explain",
      "--program",   "--profile",    "--size",      "--epochs",   "--work-scale", "--on-gpu",
      "--job-hours", "--crash-odds", "--all-nodes", "--max-jobs", "--pool",       "--submit",
      "--where",     "--since",      "--until",     "--replica"};
  std::vector<Problem> problems;
  refuse_given(verb, of_others, " with --running", no_effect, problems);
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
  running.log = arguments.record.dates;
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

int run_forecast(Verb const& verb, ForecastArguments arguments) {
  refuse_other_kinds(arguments.records, "forecast", "one work, and records of jobs behind it",
                     {InputKind::record, InputKind::table});
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
  refuse_options_without_use(verb, arguments, is_job);
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
  group.option("--submit", &calibration.submit, "Submit file of the record's own jobs", "FILE");
  add_filter_options(group, calibration.filter);
  add_record_options(group, arguments.record);
}

void add_once_options(Verb& verb, OnceArguments& once) {
  Verb group = verb.group("One campaign (--once)");
  add_replica_option(group, once.replica);
}

}  // namespace

void add_forecast(Verb& program) {
  auto options = std::make_shared<ForecastArguments>();
  options->job.calibration.draws = 200;
  Verb verb = program.verb("forecast", "What a campaign will cost, with its uncertainty");
  verb.positional("WORK", &options->work,
                  "The campaign: a scenario (YAML), a submit file or a DAG; a record: once more")
      .required();
  verb.positional("RECORD", &options->records,
                  "Event logs and ads, or tables of attempts, of such jobs (submit file, DAG)");
  add_strategy_option(verb, options->strategy);
  add_set_option(verb, options->overrides);
  verb.flag("--once", options->once.asked,
            "Simulate one campaign: its ledger, and its files in -o DIR");
  verb.flag("--running", options->running.asked,
            "The records are of this campaign: when will the rest end? WORK may be its log");
  verb.option("--wanted", &options->running.wanted,
              "Share of the jobs that are to succeed (--running)", "PERCENT")
      .number_within(1, 100);
  verb.option("--change", &options->running.changes,
              "Change from now on (--running): release, resubmit, avoid:HOST, limit:TIME,\n"
              "transfer-limit:TIME, release-after:TIME, retries:N, second-copy:TIME; several act\n"
              "together",
              "CHANGE")
      .check(running::wrong_change)
      .repeatable();
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
      "Examples:\n"
      "  gridcast forecast scenarios/osg-imagenet.yaml\n"
      "  gridcast forecast job.sub campaign.log history.json --report forecast.html\n"
      "  gridcast forecast pretraining.dag pretraining.dag.nodes.log -n 50\n"
      "  gridcast forecast scenarios/osg-imagenet.yaml --once --seed 3 -o one-campaign\n"
      "  gridcast forecast job.sub campaign.log --running --deadline '3 d'");
  verb.runs([options, verb] { return run_forecast(verb, *options); });
}

}  // namespace gridcast::cli
