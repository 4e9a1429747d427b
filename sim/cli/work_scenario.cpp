#include "sim/cli/work_scenario.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "calibration/fits/transfer_fit.hpp"
#include "sim/base/error.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

/// GPUs of a job if the executions show any, else zero.
int gpus_of_jobs(history::JobHistory const& history) {
  bool const some = std::ranges::any_of(
      history.gpus, [](history::GpuShare const& share) { return share.count > 0; });
  return some || history.gpus_per_job > 1 ? history.gpus_per_job : 0;
}

constexpr char const* calibration_name = "calibration.yaml";

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

/// A line of a DAG with the jobs of a file.
std::string dag_line(char const* name, fs::path const& file) {
  bool const dag = kind_of(file) == InputKind::dag;
  return fmt::format("{} {} {}", dag ? "SPLICE" : "JOB", name, file.string());
}

/// condor_submit_dag takes several DAGs and condor_submit several files; a campaign here has one.
std::vector<Problem> further_works(ForecastArguments const& options) {
  std::vector<Problem> problems;
  for (fs::path const& file : options.records) {
    InputKind const kind = kind_of(file);
    if (options.repeats || !describes_jobs(kind)) continue;
    add_problem(problems, {file.string()},
                kind == InputKind::dag ? "is a second DAG" : "is a second submit file",
                "only records of such jobs follow the jobs",
                fmt::format("Write both into a DAG, as the lines {} and {}.",
                            dag_line("A", options.work), dag_line("B", file)));
  }
  return problems;
}

/// True if the records' own submit file is that of the jobs to come, by the log that it names.
bool is_of_records(ForecastArguments const& options, WorkInputs const& inputs) {
  if (options.repeats || inputs.dag) return false;
  auto const log = log_of(options.work);
  return !log.empty() && std::ranges::any_of(options.records, [&](fs::path const& record) {
    std::error_code ignored;
    return fs::equivalent(record, log, ignored);
  });
}

/// The program, with its arguments, and the URLs of recorded jobs are facts of their submit file.
std::string words_on_program(ForecastArguments const& options, CalibratedLogs const& calibrated) {
  auto const& facts = calibrated.document.campaign;
  bool const known =
      (facts && !facts->ran.empty()) || calibrated.calibrated.facts.programs.several();
  if (!options.job.calibration.submit.empty() || options.repeats) return "";
  if (!calibrated.read.submit.empty()) {
    return fmt::format(
        "{} names this record as its log. The recorded jobs are assumed to run its program; "
        "--submit FILE states another submit file of theirs.\n",
        options.work.string());
  }
  return known ? ""
               : "The records do not contain their jobs' program. Name it with --submit "
                 "FILE, their submit file.\n";
}

void print_fit_of(ForecastArguments const& options, CalibratedLogs const& calibrated) {
  print_notes(programs_text(calibrated.calibrated.facts.programs) +
              words_on_program(options, calibrated));
  if (auto const rejected = rejected_text(calibrated.document.fit); !rejected.empty()) {
    print_notes("Fits that a test rejects (p < 0.05):\n" + rejected);
  }
}

CalibratedLogs calibrate_records(ForecastArguments const& options, fs::path const& folder,
                                 WorkInputs const& inputs) {
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
  if (is_of_records(options, inputs)) calibration.own_submit = options.work;
  // The file contains the command that makes it: the same one in every temporary folder.
  calibration.out = options.out.empty() ? fs::path(calibration_name) : folder / calibration_name;
  ReadRecord read = read_record(calibration, files);
  check_job(options, inputs.dag, read.sizes);
  CalibratedLogs calibrated = calibrate_logs(calibration, std::move(read));
  write_output(folder, calibrated.files);
  return calibrated;
}

/// Nodes that the records show to be done, also those of jobs that nothing is learnt from.
std::set<std::string> nodes_done(ForecastArguments const& options, WorkInputs const& inputs,
                                 std::optional<CalibratedLogs> const& fitted) {
  if (options.job.all_nodes || !fitted) return {};
  import::RecordFilter const& filter = options.job.calibration.filter;
  if (filter.where.empty() && filter.since.empty()) {
    return import::nodes_done(*inputs.dag, fitted->read.record.history);
  }
  auto campaign = import::open_campaign(inputs.records, options.record.dates);
  auto const until = import::filtered(std::move(campaign.history), {.until = filter.until});
  return import::nodes_done(*inputs.dag, until.history);
}

std::size_t jobs_over(history::JobHistory const& history) {
  std::set<Id<history::Job>> over;
  for (history::JobEvent const& event : history.events) {
    if (history::ends_job(event.kind)) over.insert(event.job);
  }
  return over.size();
}

auto repeat_of(ForecastArguments const& options, WorkInputs const& inputs) -> import::SubmitImport {
  auto const campaign = import::open_campaign(inputs.records, options.record.dates);
  auto next = repeated_campaign(options.work.filename().string(), campaign.history,
                                import::usual_input(campaign, campaign.history));
  next.notes.push_back({{options.work.string()},
                        "no submit file: the campaign comes once more, under HTCondor's default "
                        "rules. gridcast forecast JOB.sub RECORD takes the rules of JOB.sub"});
  std::size_t const open = campaign.history.jobs.size() - jobs_over(campaign.history);
  if (open > 0) {
    next.notes.push_back({{options.work.string()},
                          fmt::format("{} of {} jobs have not ended in the record. gridcast "
                                      "forecast LOG --running forecasts the rest of its campaign",
                                      open, campaign.history.jobs.size()),
                          condor::SubmitTopic::other,
                          condor::SubmitAction::recommended});
  }
  return next;
}

/// Writes the scenario into the folder, and names it in `made`.
void import_work(ForecastArguments const& options, fs::path const& folder, WorkInputs const& inputs,
                 WorkScenario& made) {
  ImportSubmitOptions importing = options.job.importing;
  importing.file = options.work;
  importing.actions_only = !options.study.details;
  importing.out = folder / scenario_name;
  if (made.fitted) {
    importing.calibration = folder / calibration_name;
    importing.measured = made.fitted->read.sizes;
    importing.needs = made.fitted->read.needs;
    if (!options.repeats) importing.rules = made.fitted->read.rules;
    importing.recorded = made.fitted->read.submitted;
  }
  if (options.out.empty()) importing.made_from = options.work.string();
  std::string text;
  if (inputs.dag) {
    DagScenario dag = make_dag_scenario(
        importing, *inputs.dag, {nodes_done(options, inputs, made.fitted), options.job.max_nodes});
    made.notes = std::move(dag.dag.import.notes);
    made.simplified = dag.dag.simplified;
    if (dag.dag.done_before > 0) {
      made.nodes =
          fmt::format("{} of {} nodes are to be run; {} are done by the DAG or the records\n",
                      dag.dag.nodes, inputs.dag->nodes.size(), dag.dag.done_before);
    }
    text = std::move(dag.text);
  } else {
    SubmitScenario job = options.repeats
                             ? make_repeat_scenario(importing, repeat_of(options, inputs))
                             : make_submit_scenario(importing);
    made.notes = std::move(job.import.notes);
    text = std::move(job.text);
  }
  write_output(folder, {{scenario_name, text}});
}

/// Writes the scenario and its calibration into the folder. Prints all notes with --details, else
/// those that require an action. InputError.
WorkScenario make_work_scenario(ForecastArguments const& options, fs::path const& folder,
                                WorkInputs const& inputs) {
  WorkScenario made;
  if (!options.records.empty()) made.fitted = calibrate_records(options, folder, inputs);
  import_work(options, folder, inputs, made);
  print_notes((options.study.details ? notes_text(made.notes) : actions_text(made.notes)) +
              made.nodes);
  return made;
}

/// The inputs of the forecast, with the final places of the scenario and its files. Only for a
/// page, since hashing a record of a gigabyte takes seconds.
MadeFrom made_from(ForecastArguments const& options, WorkInputs const& inputs) {
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
    return done || std::ranges::any_of(
                       known, [&](auto const& each) { return note.what.ends_with(each.what); });
  });
  if (options.out.empty()) notes = of_given_files(std::move(notes), options, folder);
  for (Problem const& note : notes) print_notes(note.to_text());
}

/// The notes that the user can act on, as sentences for a page.
std::vector<std::string> assumptions_in(std::vector<condor::SubmitNote> const& notes) {
  std::vector<std::string> sentences;
  for (auto const& note : notes) {
    if (note.action != condor::SubmitAction::recommended || note.what.empty()) continue;
    std::string& sentence = sentences.emplace_back(note.what);
    sentence.front() = static_cast<char>(std::toupper(sentence.front()));
    if (!sentence.ends_with('.')) sentence += '.';
  }
  return sentences;
}

}  // namespace

std::vector<scenario::Submission> submissions(history::JobHistory const& history) {
  std::map<double, int> at;
  int unknown = static_cast<int>(history.jobs.size());
  for (auto const& event : history.events) {
    if (event.kind != history::EventKind::submitted) continue;
    ++at[std::floor(event.at.value())];
    --unknown;
  }
  // A record that begins later does not contain these submissions.
  double const begin = at.empty() || history.events.empty() ? 0 : history.events.front().at.value();
  if (unknown > 0) at[std::floor(begin)] += unknown;
  std::vector<scenario::Submission> all;
  for (auto const& [seconds, jobs] : at) all.push_back({Seconds(seconds), jobs});
  return all;
}

auto repeated_campaign(std::string const& name, history::JobHistory const& history, Bytes received)
    -> import::SubmitImport {
  auto next = import::SubmitImport();
  next.title = name;
  next.strategy.name = "as-recorded";
  next.campaign.submit = submissions(history);
  next.campaign.request.gpus = gpus_of_jobs(history);
  auto const sizes = calibration::urls_of(history).sizes;
  Bytes const share = std::max(Bytes(1), received / std::max(1.0, count(sizes.size())));
  int number = 0;
  for (Bytes const& size : sizes) {
    next.campaign.input.push_back(
        {fmt::format("osdf:///input-{}", ++number), size > Bytes() ? size : share});
  }
  return next;
}

WorkInputs open_work(ForecastArguments const& options) {
  WorkInputs inputs;
  std::vector<Problem> problems = further_works(options);
  if (!problems.empty()) throw InputError(std::move(problems));
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

int with_work_scenario(ForecastArguments const& options, WorkInputs const& inputs,
                       std::string_view verb, OverridesOf const& overrides,
                       std::function<int(ReadWork)> const& use) {
  std::optional<ScratchFolder> scratch;
  if (options.out.empty()) scratch.emplace(verb);
  fs::path const folder = scratch ? scratch->path() : options.out;
  try {
    ReadWork work{.file = folder / scenario_name,
                  .made = make_work_scenario(options, folder, inputs)};
    work.scenario = read_without_notes(work.file, overrides(work.file));
    print_other_notes(work.scenario, options, folder, work.made.notes);
    if (work.made.fitted) print_fit_of(options, *work.made.fitted);
    work.made_from = made_from(options, inputs);
    work.made_from.simplified = work.made.simplified;
    work.made_from.assumed = assumptions_in(work.made.notes);
    return use(std::move(work));
  } catch (InputError const& error) {
    throw InputError(of_given_files(error.problems(), options, folder));
  }
}

std::string typed_work(ForecastArguments const& options) {
  std::string words = study::typed(options.work);
  for (fs::path const& each : options.records) words += " " + study::typed(each);
  return words;
}

std::vector<std::string> work_file_names(ForecastArguments const& options) {
  if (options.records.empty()) return {scenario_name};
  return {scenario_name, calibration_name, "calibration.pool.yaml", "calibration.jobs.json"};
}

}  // namespace gridcast::cli
