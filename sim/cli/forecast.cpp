// gridcast forecast JOB.sub|WORK.dag RECORD...: from an owner's own records to a forecast: what
// `calibrate`, `import submit` and `predict` do, one after the other in one process.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "calibration/records/places.hpp"
#include "sim/base/error.hpp"
#include "sim/cli/calibrate.hpp"
#include "sim/cli/forecast_sources.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/running.hpp"
#include "sim/cli/scratch_folder.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/submit_scenario.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

struct ForecastOptions {
  fs::path job;  // submit file or DAG
  std::vector<fs::path> records;
  std::uint32_t replicas = 200;
  bool explain = false;
  ImportSubmitOptions importing;      // what is said of the jobs to come
  std::vector<fs::path> against;      // what became of it, if it took place
  fs::path out;                       // folder; empty: nothing is kept
  bool all_nodes = false;             // of a DAG, those that the records show to be done too
  std::optional<int> max_nodes = {};  // of a DAG in the queue at a time
  CalibrateOptions calibration;
  std::string without;   // processes that do not happen
  bool running = false;  // the records are of the campaign itself, which has not ended
  double wanted = 90;    // per cent of its jobs
  StudyArguments study;
};

constexpr char const* calibration_name = "calibration.yaml";
constexpr char const* scenario_name = "scenario.yaml";

/// What the forecast is made from, opened; all that cannot be is told at once.
struct ForecastInputs {
  std::optional<condor::Dag> dag;
  import::CampaignFiles records, against;
};

ForecastInputs open_inputs(ForecastOptions const& options) {
  ForecastInputs inputs;
  std::vector<Problem> problems;
  auto const& taken = options.calibration.record;
  collect(problems, [&] {
    if (condor::is_dag(options.job)) {
      inputs.dag = condor::read_dag(options.job);
    } else {
      condor::read_submit_file(options.job, import::deciding_submit_commands());
    }
  });
  collect(problems,
          [&] { inputs.records = import::sort_by_kind(options.records, taken.options()); });
  if (!options.against.empty()) {
    collect(problems,
            [&] { inputs.against = import::sort_by_kind(options.against, taken.options()); });
  }
  if (!options.calibration.submit.empty()) {
    collect(problems, [&] {
      condor::read_submit_file(options.calibration.submit, import::deciding_submit_commands());
    });
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return inputs;
}

/// What is wrong with the job is told before anything is fitted, which may take minutes. What the
/// record tells of sizes is shared out only by the fit.
void check_job(ForecastOptions const& options, std::optional<condor::Dag> const& dag,
               import::KnownSizes sizes) {
  if (!sizes.empty()) sizes.emplace(import::all_other_urls, Bytes());
  sizes.merge(stated_sizes(options.importing.sizes));
  if (dag) {
    import::import_dag(*dag, sizes, {}, options.max_nodes);
  } else {
    import::import_submit(condor::read_submit_file(options.job, import::deciding_submit_commands()),
                          sizes);
  }
}

CalibratedLogs calibrate_records(ForecastOptions const& options, fs::path const& folder,
                                 ForecastInputs const& inputs) {
  import::CampaignFiles const& files = inputs.records;
  if (!files.tables.empty()) {
    throw InputError(
        Problem{{files.tables.front().string()},
                "a table of jobs keeps sums without dates",
                "a forecast needs attempts with their times",
                "Give logs, ads or a table of attempts; or calibrate it with a --pool, "
                "and go on with import submit and predict."});
  }
  CalibrateOptions calibration = options.calibration;
  calibration.files = options.records;
  // The file tells the command that makes it: the same one wherever it is made on the way.
  calibration.out = options.out.empty() ? fs::path(calibration_name) : folder / calibration_name;
  ReadRecord read = read_record(calibration, files);
  check_job(options, inputs.dag, read.sizes);
  CalibratedLogs calibrated = calibrate_logs(calibration, std::move(read));
  write_output(folder, calibrated.files);
  return calibrated;
}

condor::ReadLogOptions reading_of(ForecastOptions const& options) {
  condor::ReadLogOptions reading;
  if (options.calibration.year > 0) reading.year = options.calibration.year;
  reading.time_zone = options.calibration.time_zone;
  return reading;
}

/// What the scenario was made of.
struct ImportedJob {
  std::vector<condor::SubmitNote> notes;
  std::string nodes = {};  // how many of a DAG, in words
};

/// Nodes that the records show to be done, also those of jobs that nothing is learnt from.
std::set<std::string> nodes_done(ForecastOptions const& options, ForecastInputs const& inputs,
                                 CalibratedLogs const& calibrated) {
  if (options.all_nodes) return {};
  import::RecordFilter const& filter = options.calibration.filter;
  if (filter.where.empty() && filter.since.empty()) {
    return import::nodes_done(*inputs.dag, calibrated.history);
  }
  auto campaign = import::open_campaign(inputs.records, reading_of(options));
  auto const until = import::filtered(std::move(campaign.history), {.until = filter.until});
  return import::nodes_done(*inputs.dag, until.history);
}

ImportedJob import_job(ForecastOptions const& options, fs::path const& folder,
                       CalibratedLogs const& calibrated, ForecastInputs const& inputs) {
  ImportSubmitOptions importing = options.importing;
  importing.file = options.job;
  importing.calibration = folder / calibration_name;
  importing.out = folder / scenario_name;
  importing.measured = calibrated.sizes;
  if (options.out.empty()) importing.made_from = options.job.string();
  if (!inputs.dag) {
    SubmitScenario made = make_submit_scenario(importing);
    write_output(folder, {{scenario_name, made.text}});
    return {std::move(made.import.notes)};
  }
  DagScenario made = make_dag_scenario(
      importing, *inputs.dag, {nodes_done(options, inputs, calibrated), options.max_nodes});
  write_output(folder, {{scenario_name, made.text}});
  return {std::move(made.dag.import.notes),
          fmt::format("{} of {} nodes are to be run; {} are done, as the DAG or the records tell\n",
                      made.dag.nodes, inputs.dag->nodes.size(), made.dag.done_before)};
}

/// What became of the campaign.
std::optional<history::JobHistory> observed(ForecastOptions const& options,
                                            CalibratedLogs const& calibrated,
                                            import::CampaignFiles const& against) {
  if (options.against.empty()) return std::nullopt;
  auto campaign = import::open_campaign(against, reading_of(options));
  return at_fitted_sites(std::move(campaign.history), calibrated.calibrated.sites);
}

/// What the forecast is of, with the scenario and what it refers to named where they stay. For a
/// page: a record of a gigabyte takes seconds to hash.
MadeFrom made_from(ForecastOptions const& options, ForecastInputs const& inputs,
                   CalibratedLogs const& calibrated) {
  if (options.study.report.file.empty()) return {};
  MadeFrom from{.files = inputs_of("job", {options.job}), .kept = !options.out.empty()};
  auto const add = [&from](char const* what, std::vector<fs::path> const& files) {
    auto facts = inputs_of(what, files);
    std::move(facts.begin(), facts.end(), std::back_inserter(from.files));
  };
  if (inputs.dag) {
    for (fs::path const& file : inputs.dag->read) {
      if (file != options.job) add("of the DAG", {file});
    }
  }
  add("record", options.records);
  add("submit file of the record", {options.calibration.submit});
  add("column map", {options.calibration.record.columns});
  add("held against", options.against);
  from.fitted = at_fitted_sites(calibrated.history, calibrated.calibrated.sites);
  std::vector<std::string> records;
  for (fs::path const& record : options.records) records.push_back(record.string());
  constexpr std::size_t most = 3;  // the others are in the list of what went in
  std::size_t const shown = std::min(records.size(), most);
  std::size_t const others = records.size() - shown;
  records.resize(shown);
  from.records = fmt::format("{}", fmt::join(records, ", ")) +
                 (others > 0 ? fmt::format(" and {} more", others) : "");
  return from;
}

int predict(ForecastOptions const& options, fs::path const& folder,
            std::optional<history::JobHistory> const& happened, MadeFrom made_from,
            std::string const& explained) {
  scenario::Scenario const scenario =
      read_runnable_scenario(folder / scenario_name, with_processes_off({}, options.without));
  scenario::Strategy const& strategy = chosen_strategy(scenario, "");
  auto prediction =
      with_progress(options.study, study_options(options.study, scenario.study),
                    [&](auto const& study) { return study::predict(scenario, strategy, study); });
  // Nobody can open a file of a folder that is gone.
  if (options.out.empty()) prediction.scenario = options.job.string();
  auto result = report::result_of(
      prediction, happened ? std::optional(study::compare_with_record(prediction.sample, *happened))
                           : std::nullopt);
  report::set_ends(result, horizon_of(options.study.horizon));
  result.critical_path =
      typical_critical_path(options.study, scenario, strategy, prediction.sample);
  tell_study(options.study, result, report::brief_prediction, report::prediction_text);
  tell_ends(result);
  if (options.explain) {
    if (options.study.json) {
      tell(explained);
    } else {
      print_results("\n" + explained);
    }
  }
  write_study_report(options.study, scenario, result, strategy, std::move(made_from));
  return end_of_study({prediction.interrupted, failed_runs(prediction), prediction.trouble},
                      prediction.scenario, prediction.seed);
}

/// JOB.sub is never taken for the record's own: where the two agree, a second before each execution
/// is in the record's setup and in the forecast's either way, and where they do not, it would be
/// taken off or put on in error. What the guess could gain (the program, the URLs) is one option
/// away, and said.
std::string submit_hint(ForecastOptions const& options, CalibratedLogs const& calibrated) {
  auto const& facts = calibrated.document.campaign;
  bool const told = (facts && !facts->ran.empty()) || calibrated.calibrated.programs.several();
  if (!options.calibration.submit.empty() || told) return "";
  return "The records do not tell which program their jobs ran: --submit FILE, with the submit "
         "file that "
         "they were submitted with, does\n";
}

/// What is wrong with a file that is made for the while is wrong with what it was made of.
std::vector<Problem> of_given_files(std::vector<Problem> problems, ForecastOptions const& options,
                                    fs::path const& folder) {
  for (Problem& problem : problems) {
    fs::path const file = problem.where.file;
    if (!options.out.empty() || file.parent_path() != folder) continue;
    problem.where = {file.filename() == scenario_name ? options.job.string() : ""};
  }
  return placed_at(options.records, std::move(problems));
}

int forecast_from(ForecastOptions const& options, fs::path const& folder,
                  ForecastInputs const& inputs) {
  CalibratedLogs const calibrated = calibrate_records(options, folder, inputs);
  ImportedJob const made = import_job(options, folder, calibrated, inputs);
  tell(programs_text(calibrated.calibrated.programs));
  tell(notes_text(made.notes) + made.nodes + submit_hint(options, calibrated));
  if (auto const rejected = rejected_text(calibrated.document.fit); !rejected.empty()) {
    tell("Fits that a test rejects (p < 0.05):\n" + rejected);
  }
  return predict(
      options, folder, observed(options, calibrated, inputs.against),
      made_from(options, inputs, calibrated),
      sources_text({calibrated, inputs.records, options.calibration.submit, made.notes}));
}

int forecast_running(ForecastOptions const& options) {
  RunningArguments arguments{options.job, options.records};
  arguments.record = options.calibration.record;
  arguments.log = reading_of(options);
  arguments.deadline = options.study.report.deadline;
  arguments.wanted = options.wanted;
  arguments.futures = options.study.replicas.value_or(0);
  arguments.seed = options.study.seed.value_or(1);
  arguments.json = options.study.json;
  arguments.details = options.study.details;
  arguments.colour = options.study.colour;
  return run_running(arguments);
}

int run_forecast(ForecastOptions options) {
  if (options.running) return forecast_running(options);
  if (options.records.empty()) {
    throw InputError(Problem{{}, "RECORD is required", "", "Name a record of earlier jobs."});
  }
  if (!options.study.replicas) options.study.replicas = options.replicas;
  ForecastInputs const inputs = open_inputs(options);
  std::vector<fs::path> files = options.records;
  files.push_back(options.job);
  files.insert(files.end(), {options.calibration.record.columns, options.calibration.submit});
  if (inputs.dag) files.insert(files.end(), inputs.dag->read.begin(), inputs.dag->read.end());
  files.insert(files.end(), options.against.begin(), options.against.end());
  prepare_study(options.study, files,
                {"metrics.csv", "replicas.csv", "against.csv", "executions.csv"});
  VerbFiles kept(if_there(options.study.force));
  kept.reads(files);
  kept.writes(options.out,
              {calibration_name, "calibration.pool.yaml", "calibration.jobs.json", scenario_name});
  kept.prepare();
  std::optional<ScratchFolder> scratch;
  if (options.out.empty()) scratch.emplace("forecast");
  fs::path const folder = scratch ? scratch->path() : options.out;
  try {
    return forecast_from(options, folder, inputs);
  } catch (InputError const& error) {
    throw InputError(of_given_files(error.problems(), options, folder));
  }
}

}  // namespace

void add_forecast(Verb& program) {
  auto options = std::make_shared<ForecastOptions>();
  options->calibration.draws = 200;
  Verb verb =
      program.verb("forecast", "From a submit file or a DAG and records of the past to a forecast");
  verb.positional("JOB", &options->job, "Submit file or DAG of the campaign to come").required();
  verb.positional("RECORD", &options->records,
                  "Event logs and ads, or tables of attempts, of a campaign that took place");
  verb.option("--of", &options->replicas, "Number of replicas", "N")
      .whole_number(1, 1000000)
      .shows_default();
  add_without_option(verb, options->without);
  verb.flag("--running", options->running,
            "The records are of this campaign: when will the rest end? JOB may be its log");
  verb.option("--wanted", &options->wanted,
              "Of --running: per cent of the jobs that are to succeed", "PERCENT")
      .number_within(0, 100);
  verb.flag("--explain", options->explain, "Say what was learnt, borrowed, left out, rejected");
  verb.option("--program", &options->importing.work.program,
              "The record's program that the jobs run", "NAME");
  verb.option("--size", &options->importing.sizes, "Size of a file that nothing else tells",
              "URL=SIZE")
      .repeatable();
  add_work_options(verb, options->importing);
  verb.option("--submit", &options->calibration.submit, "Submit file of the record's own jobs",
              "FILE");
  add_filter_options(verb, options->calibration.filter);
  add_record_options(verb, options->calibration.record);
  verb.option("--against", &options->against,
              "The campaign itself, if it took place: logs and ads to hold the forecast against",
              "FILE");
  verb.option("--year", &options->calibration.year, "Year of logs whose dates have none", "YEAR")
      .whole_number(1970, 2200);
  verb.option("--tz", &options->calibration.time_zone,
              "Time zone of the logs, e.g. America/Chicago", "ZONE");
  add_software_option(verb, options->calibration.software);
  verb.flag("--all-nodes", options->all_nodes, "Of a DAG, also the nodes that are done");
  verb.option("--max-jobs", &options->max_nodes, "Nodes of a DAG in the queue; 0: no limit", "N")
      .whole_number(0, 1000000);
  verb.option("-o,--out", &options->out, "Folder to keep calibration, pool and scenario in", "DIR");
  add_study_options(verb, options->study);
  verb.footer(
      "Examples:\n"
      "  gridcast forecast pretraining.dag pretraining.dag.nodes.log --of 50\n"
      "  gridcast forecast job.sub campaign.log history.json --report forecast.html");
  verb.runs([options] { return run_forecast(*options); });
}

}  // namespace gridcast::cli
