// gridcast forecast JOB.sub|WORK.dag [RECORD...]: from an owner's own records, or the shipped
// calibration, to a forecast: calibrate, init and forecast one after the other in one process.
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
#include "sim/cli/forecast.hpp"
#include "sim/cli/forecast_sources.hpp"
#include "sim/cli/repeated_campaign.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/scratch_folder.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

constexpr char const* calibration_name = "calibration.yaml";
constexpr char const* scenario_name = "scenario.yaml";

/// The opened inputs of a forecast. InputError with all files that cannot be opened.
struct ForecastInputs {
  std::optional<condor::Dag> dag;
  import::CampaignFiles records, against;
};

ForecastInputs open_inputs(ForecastArguments const& options) {
  ForecastInputs inputs;
  std::vector<Problem> problems;
  auto const& taken = options.record;
  collect(problems, [&] {
    if (options.repeats) return;
    if (condor::is_dag(options.work)) {
      inputs.dag = condor::read_dag(options.work);
    } else {
      condor::read_submit_file(options.work, import::deciding_submit_commands());
    }
  });
  collect(problems,
          [&] { inputs.records = import::sort_by_kind(options.records, taken.options()); });
  if (!options.against.empty()) {
    collect(problems,
            [&] { inputs.against = import::sort_by_kind(options.against, taken.options()); });
  }
  if (!options.job.calibration.submit.empty()) {
    collect(problems, [&] {
      condor::read_submit_file(options.job.calibration.submit, import::deciding_submit_commands());
    });
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return inputs;
}

/// Reports errors in the job before the fit, which may take minutes. Sizes in the record are only
/// assigned to files by the fit.
void check_job(ForecastArguments const& options, std::optional<condor::Dag> const& dag,
               import::KnownSizes sizes) {
  if (options.repeats) return;
  if (!sizes.empty()) sizes.emplace(import::all_other_urls, Bytes());
  sizes.merge(stated_sizes(options.job.importing.sizes));
  if (dag) {
    import::import_dag(*dag, sizes, {}, options.job.max_nodes);
  } else {
    import::import_submit(
        condor::read_submit_file(options.work, import::deciding_submit_commands()), sizes);
  }
}

CalibratedLogs calibrate_records(ForecastArguments const& options, fs::path const& folder,
                                 ForecastInputs const& inputs) {
  import::CampaignFiles const& files = inputs.records;
  if (!files.tables.empty()) {
    refuse({files.tables.front().string()}, "a table of jobs keeps sums without dates",
           "a forecast needs attempts with their times",
           fmt::format("Give logs, ads or a table of attempts. gridcast ledger {0}, and "
                       "gridcast compare {0}, take this table.",
                       study::typed(files.tables.front())));
  }
  CalibrateOptions calibration = options.job.calibration;
  calibration.record = options.record;
  calibration.details = options.study.details;
  calibration.files = options.records;
  // The file contains the command that makes it: the same one in every temporary folder.
  calibration.out = options.out.empty() ? fs::path(calibration_name) : folder / calibration_name;
  ReadRecord read = read_record(calibration, files);
  check_job(options, inputs.dag, read.sizes);
  CalibratedLogs calibrated = calibrate_logs(calibration, std::move(read));
  write_output(folder, calibrated.files);
  return calibrated;
}

/// The submit file or DAG that became the scenario.
struct ImportedJob {
  std::vector<condor::SubmitNote> notes;
  std::string nodes = {};       // how many of a DAG are done, in words
  std::string simplified = {};  // of a DAG
};

/// Nodes that the records show to be done, also those of jobs that nothing is learnt from.
std::set<std::string> nodes_done(ForecastArguments const& options, ForecastInputs const& inputs,
                                 CalibratedLogs const* calibrated) {
  if (options.job.all_nodes || calibrated == nullptr) return {};
  import::RecordFilter const& filter = options.job.calibration.filter;
  if (filter.where.empty() && filter.since.empty()) {
    return import::nodes_done(*inputs.dag, calibrated->read.record.history);
  }
  auto campaign = import::open_campaign(inputs.records, options.record.dates);
  auto const until = import::filtered(std::move(campaign.history), {.until = filter.until});
  return import::nodes_done(*inputs.dag, until.history);
}

auto repeat_of(ForecastArguments const& options, ForecastInputs const& inputs)
    -> import::SubmitImport {
  auto const campaign = import::open_campaign(inputs.records, options.record.dates);
  auto next = repeated_campaign(options.work.filename().string(), campaign.history,
                                import::usual_input(campaign, campaign.history));
  next.notes.push_back({{options.work.string()},
                        "no submit file: the campaign comes once more, under HTCondor's default "
                        "rules. gridcast forecast JOB.sub RECORD takes the rules of JOB.sub"});
  return next;
}

ImportedJob import_job(ForecastArguments const& options, fs::path const& folder,
                       CalibratedLogs const* calibrated, ForecastInputs const& inputs) {
  ImportSubmitOptions importing = options.job.importing;
  importing.file = options.work;
  importing.actions_only = !options.study.details;
  importing.out = folder / scenario_name;
  if (calibrated != nullptr) {
    importing.calibration = folder / calibration_name;
    importing.measured = calibrated->read.sizes;
    importing.needs = calibrated->read.needs;
  }
  if (options.out.empty()) importing.made_from = options.work.string();
  if (!inputs.dag) {
    SubmitScenario made = options.repeats
                              ? make_repeat_scenario(importing, repeat_of(options, inputs))
                              : make_submit_scenario(importing);
    write_output(folder, {{scenario_name, made.text}});
    return {std::move(made.import.notes)};
  }
  DagScenario made = make_dag_scenario(
      importing, *inputs.dag, {nodes_done(options, inputs, calibrated), options.job.max_nodes});
  write_output(folder, {{scenario_name, made.text}});
  return {std::move(made.dag.import.notes),
          made.dag.done_before == 0
              ? ""
              : fmt::format("{} of {} nodes are to be run; {} are done by the DAG or the records\n",
                            made.dag.nodes, inputs.dag->nodes.size(), made.dag.done_before),
          made.dag.simplified};
}

/// The record of the campaign itself, if it took place.
std::optional<history::JobHistory> observed(ForecastArguments const& options,
                                            CalibratedLogs const* calibrated,
                                            import::CampaignFiles const& against) {
  if (options.against.empty()) return std::nullopt;
  auto campaign = import::open_campaign(against, options.record.dates);
  if (calibrated == nullptr) return std::move(campaign.history);
  return at_fitted_sites(std::move(campaign.history), calibrated->calibrated.sites);
}

/// The inputs of the forecast, with the final places of the scenario and its files. Only for a
/// page, since hashing a record of a gigabyte takes seconds.
MadeFrom made_from(ForecastArguments const& options, ForecastInputs const& inputs) {
  MadeFrom from{.kept = !options.out.empty()};
  if (options.study.report.file.empty()) return from;
  if (!options.repeats) from.files = inputs_of("job", {options.work});
  auto const add = [&from](char const* what, std::vector<fs::path> const& files) {
    auto facts = inputs_of(what, files);
    std::move(facts.begin(), facts.end(), std::back_inserter(from.files));
  };
  if (inputs.dag) {
    for (fs::path const& file : inputs.dag->read) {
      if (file != options.work) add("of the DAG", {file});
    }
  }
  add("record", options.records);
  add("submit file of the record", {options.job.calibration.submit});
  add("column map", {options.record.columns});
  add("held against", options.against);
  return from;
}

/// JOB.sub is never taken for the record's own: where the two agree, a second before each execution
/// is in the record's setup and in the forecast's either way, and where they do not, it would be
/// taken off or put on in error. The program names the option for the facts of a guess
/// (the program, the URLs).
std::string submit_hint(ForecastArguments const& options, CalibratedLogs const& calibrated) {
  auto const& facts = calibrated.document.campaign;
  bool const known = (facts && !facts->ran.empty()) || calibrated.calibrated.programs.several();
  if (!options.job.calibration.submit.empty() || known || options.repeats) return "";
  return "The records do not contain the program of their jobs. Name it with --submit FILE, their "
         "submit file.\n";
}

/// Moves problems of a file that does not stay to the file that it was made from.
std::vector<Problem> of_given_files(std::vector<Problem> problems, ForecastArguments const& options,
                                    fs::path const& folder) {
  for (Problem& problem : problems) {
    fs::path const file = problem.where.file;
    if (file.parent_path() != folder) continue;
    problem.where = {file.filename() == scenario_name ? options.work.string() : ""};
  }
  return placed_at(options.records, std::move(problems));
}

/// Notes on the scenario, without those that the submit file has already or an option answers.
void print_other_notes(scenario::Scenario const& scenario, ForecastArguments const& options,
                       fs::path const& folder, std::vector<condor::SubmitNote> const& known) {
  std::vector<Problem> notes = scenario.notes;
  bool const stated = options.job.importing.hours.hours > 0;
  std::erase_if(notes, [&](Problem const& note) {
    bool const done = stated && note.hint.find("--job-hours") != std::string::npos;
    return done || std::any_of(known.begin(), known.end(),
                               [&](auto const& each) { return note.what.ends_with(each.what); });
  });
  if (options.out.empty()) notes = of_given_files(std::move(notes), options, folder);
  for (Problem const& note : notes) print_notes(note.to_text());
}

void print_fit_of(ForecastArguments const& options, CalibratedLogs const& calibrated) {
  print_notes(programs_text(calibrated.calibrated.programs) + submit_hint(options, calibrated));
  if (auto const rejected = rejected_text(calibrated.document.fit); !rejected.empty()) {
    print_notes("Fits that a test rejects (p < 0.05):\n" + rejected);
  }
}

void explain(ForecastArguments const& options, std::string const& sources) {
  options.study.json ? print_notes(sources) : print_results("\n" + sources);
}

int forecast_from(ForecastArguments const& options, fs::path const& folder,
                  ForecastInputs const& inputs) {
  std::optional<CalibratedLogs> fitted;
  if (!options.records.empty()) fitted = calibrate_records(options, folder, inputs);
  CalibratedLogs const* const calibrated = fitted ? &*fitted : nullptr;
  ImportedJob const made = import_job(options, folder, calibrated, inputs);
  std::string const notes =
      options.study.details ? notes_text(made.notes) : actions_text(made.notes);
  print_notes(notes + made.nodes);
  if (fitted) print_fit_of(options, *fitted);
  scenario::Scenario const scenario = read_without_notes(
      folder / scenario_name, with_processes_off(options.overrides, options.without));
  print_other_notes(scenario, options, folder, made.notes);
  MadeFrom from = made_from(options, inputs);
  from.simplified = made.simplified;
  int const code = answer_forecast(options, scenario, observed(options, calibrated, inputs.against),
                                   std::move(from));
  if (options.job.explain && fitted) {
    explain(options,
            sources_text({*fitted, inputs.records, options.job.calibration.submit, made.notes}));
  }
  return code;
}

/// The names of the files that -o keeps.
std::vector<std::string> kept_names(ForecastArguments const& options) {
  std::vector<std::string> names = {scenario_name};
  if (!options.records.empty()) {
    names.insert(names.end(), {calibration_name, "calibration.pool.yaml", "calibration.jobs.json"});
  }
  if (options.once.asked) {
    auto const more = campaign_file_names();
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

}  // namespace

int forecast_job(ForecastArguments const& arguments) {
  ForecastArguments options = arguments;
  ForecastInputs const inputs = open_inputs(options);
  std::vector<fs::path> files = options.records;
  files.insert(files.end(), {options.work, options.record.columns, options.job.calibration.submit});
  if (inputs.dag) files.insert(files.end(), inputs.dag->read.begin(), inputs.dag->read.end());
  files.insert(files.end(), options.against.begin(), options.against.end());
  prepare_prediction(options.study, files);
  VerbFiles(if_there(options.study.force))
      .reads(files)
      .writes(options.out, kept_names(options))
      .prepare();
  std::optional<ScratchFolder> scratch;
  if (options.out.empty()) scratch.emplace("forecast");
  fs::path const folder = scratch ? scratch->path() : options.out;
  try {
    return forecast_from(options, folder, inputs);
  } catch (InputError const& error) {
    throw InputError(of_given_files(error.problems(), options, folder));
  }
}

}  // namespace gridcast::cli
