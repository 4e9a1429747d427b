#include "sim/cli/init_from.hpp"

#include <algorithm>
#include <iostream>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/import/calibrated_program.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/import/swf.hpp"
#include "sim/import/table/column_map.hpp"
#include "sim/import/table/recognised_columns.hpp"
#include "sim/import/table/table_text.hpp"
#include "sim/import/wfformat.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/strategy_variant.hpp"
#include "sim/training/dlio.hpp"

namespace gridcast::cli {
namespace {

/// A file beside another, which goes away.
class Draft {
 public:
  explicit Draft(fs::path const& final_name)
      : file_(final_name.parent_path() /
              fmt::format(".{}.{}", final_name.filename().string(), getpid())) {}
  ~Draft() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  Draft(Draft const&) = delete;
  Draft& operator=(Draft const&) = delete;
  fs::path const& file() const { return file_; }

 private:
  HeldSignals const held_ = {};  // Ctrl-C must not leave it behind
  fs::path file_;
};

/// Refuses a profile that the verb `profile` would refuse, before it is written.
void require_trainable(fs::path const& workload, std::string const& profile) {
  try {
    scenario::read_profile_text(workload, profile);
  } catch (InputError const& error) {
    std::vector<Problem> problems;
    for (Problem const& problem : error.problems()) {
      add_problem(problems, {workload.string()},
                  "gridcast profile would refuse its profile: " + problem.what, problem.why,
                  "Correct the values of the workload that it is of.");
    }
    throw InputError(problems);
  }
}

void prepare(FromArguments const& options, std::vector<fs::path> const& read) {
  VerbFiles files(if_there(options.force));
  files.reads(read).reads(options.records).reads(options.record.columns);
  files.writes(options.out).prepare();
}

/// To a file or, without one, to standard output.
void write_result(fs::path const& out, std::string const& text) {
  if (out.empty() || out == "-") {
    std::cout << text;
  } else {
    write_file(out, text);
  }
}

/// Writes the profile, and the ignored keys to stderr. Returns the exit code.
void from_workload(FromArguments const& options) {
  prepare(options, {options.from});
  if (!options.gpu.empty()) {
    scenario::find_gpu(scenario::read_hardware(shipped_hardware()), options.gpu);
  }
  training::DlioImport const import = training::import_dlio(options.from, options.gpu);
  std::string const name = options.from.filename().string();
  std::string const made = "Made from " + name + " by gridcast init.";
  std::string text = scenario::profile_yaml(import.profile, made);
  require_trainable(options.from, text);
  if (!options.overrides.empty()) {
    auto const changed = scenario::read_profile_text(options.from, text, options.overrides);
    text = scenario::profile_yaml(changed, made);
  }
  write_result(options.out, text);
  for (training::IgnoredKey const& ignored : import.ignored) {
    print_notes(fmt::format("{}:{}: ignored {} ({})\n", options.from.string(), ignored.line,
                            ignored.key, ignored.why));
  }
}

/// Writes a scenario beside the files that it was made of, and reports it in a line. InputError for
/// one that cannot be simulated (no site has enough disk, ...).
void write_scenario(FromArguments const& options, std::vector<fs::path> const& read,
                    Sources const& sources, std::string text, std::string const& made) {
  VerbFiles all(IfThere::replace);
  all.reads(read).reads({sources.calibration, sources.pool}).writes(options.out).prepare();
  bool const ordinary = !is_there(options.out) || is_ordinary_file(options.out);
  if (ordinary || !options.overrides.empty()) {
    text = checked_text(options.out, text, options.overrides, options.from);
  }
  if (options.out == "-") return print_results(text);
  write_file(options.out, text);
  std::cout << report::fitted(made + ". Written to " + options.out.string() + "\n", screen());
  if (ordinary) std::cout << next_line("forecast", options.out);
}

ImportSubmitOptions job_of(FromArguments const& options) {
  ImportSubmitOptions job = options.job;
  job.file = options.from;
  job.out = options.out;
  return job;
}

void from_submit_file(FromArguments const& options) {
  prepare(options, {options.from});
  SubmitScenario const made = make_submit_scenario(job_of(options));
  print_notes(notes_text(made.import.notes));
  return write_scenario(
      options, made.file.read, made.sources, made.text,
      fmt::format("{} in {}, {}", counted(made.file.jobs(), "job"),
                  printable(options.from.string()), counted(made.import.notes.size(), "note")));
}

void from_dag(FromArguments const& options) {
  condor::Dag const dag = condor::read_dag(options.from);
  prepare(options, dag.read);
  DagChoices choices{{}, options.max_nodes};
  if (!options.records.empty()) {
    auto const campaign = import::open_campaign(
        import::sort_by_kind(options.records, options.record.options()), options.record.dates);
    print_notes(campaign.log_report + campaign.table_report);
    choices.done = import::nodes_done(dag, campaign.history);
  }
  DagScenario const made = make_dag_scenario(job_of(options), dag, choices);
  print_notes(notes_text(made.dag.import.notes));
  return write_scenario(options, made.dag.read, made.sources, made.text,
                        fmt::format("{} of {}, {} done before, {}", counted(made.dag.nodes, "node"),
                                    printable(options.from.string()), made.dag.done_before,
                                    counted(made.dag.import.notes.size(), "note")));
}

void show_notes(std::vector<import::TraceNote> const& notes, FromArguments const& options) {
  constexpr std::size_t shown = 10;
  for (auto const& line : import::summary(notes, options.verbose ? 0 : shown)) {
    print_notes(line + "\n");
  }
}

void write_campaign(FromArguments const& options, import::TraceCampaign campaign) {
  std::size_t const jobs = campaign.jobs.size();
  int const slots = campaign.slots;
  std::vector<report::NamedText> files;
  for (auto& [name, text] : import::trace_scenario(std::move(campaign))) {
    files.push_back({name, std::move(text)});
  }
  if (!options.overrides.empty()) {
    ScratchFolder const scratch("init");
    write_output(scratch.path(), files);
    auto& [name, text] = files.front();
    text = scenario::with_values(scratch.path() / name, options.overrides);
  }
  VerbFiles(if_there(options.force))
      .reads(options.from)
      .writes(options.out, {"scenario.yaml", "pool.yaml", "calibration.yaml"})
      .prepare();
  write_output(options.out, files);
  std::cout << fmt::format("Written: {} with its pool and calibration: {}, {}\n",
                           printable((options.out / "scenario.yaml").string()),
                           counted(jobs, "job"), counted(slots, "slot"))
            << next_line("forecast", options.out / "scenario.yaml");
}

void from_swf(FromArguments const& options) {
  import::SwfLog const log = import::read_swf(options.from);
  import::TraceCampaign campaign = import::import_swf(log, options.from, options.slots);
  show_notes(log.notes, options);
  for (std::size_t i = 1; i < campaign.comments.size(); ++i) {
    print_notes(campaign.comments[i] + "\n");
  }
  return write_campaign(options, std::move(campaign));
}

void from_workflow(FromArguments const& options) {
  auto const rate = parse_rate(options.rate);
  if (!rate || *rate <= BytesPerSecond(0)) {
    refuse({}, fmt::format("--rate '{}' is no rate above 0", options.rate), "",
           "Write --rate '100 MB/s'.");
  }
  import::WfInstance const instance = import::read_wfformat(options.from);
  show_notes(instance.notes, options);
  if (instance.edges == 0 && instance.tasks.size() > 1) {
    print_notes(options.from.string() + ": its tasks name no parents: all can run at once\n");
  }
  return write_campaign(options,
                        import::import_wfformat(instance, options.from, options.slots, *rate));
}

// columns: a column map for a table of another program, which its owner completes.

/// The words of the column that is taken for the outcome, in alphabetical order.
std::vector<std::string> outcome_words(std::vector<std::string> const& header,
                                       std::vector<import::ColumnCells> const& columns,
                                       import::ColumnMap const& map) {
  auto const& sources = map.of(import::AttemptColumn::outcome);
  if (sources.empty()) return {};
  auto const at = std::ranges::find(header, sources.front().column);
  auto const& words = columns[static_cast<std::size_t>(at - header.begin())].words;
  return {words.begin(), words.end()};
}

std::string columns_text(std::vector<import::AttemptColumn> const& columns) {
  std::string text;
  for (import::AttemptColumn const column : columns) {
    text += (text.empty() ? "" : ", ") + std::string(import::name(column));
  }
  return text;
}

void from_table(FromArguments const& options) {
  prepare(options, {options.from});
  std::optional<import::SpooledInput> spooled;
  if (import::is_read_once(options.from)) spooled.emplace(options.from);
  fs::path const file = spooled ? spooled->path() : options.from;
  auto table = import::open_table(file, {}, {});
  auto const& header = table->header();
  if (auto const problem = import::no_header(options.from.string(), header)) {
    throw InputError(*problem);
  }
  auto const cells = import::cells_of(*table);
  import::ColumnMap const map = import::recognised_in(header, cells);
  if (auto const problem = import::no_record(options.from.string(), *table, cells, map)) {
    throw InputError(*problem);
  }
  import::ColumnFit const fit = import::fit_columns(map, header);
  if (fit.found.empty()) {
    refuse({options.from.string(), 1},
           fmt::format("none of its {} columns is recognised", header.size()),
           "the first row of a table has to name its columns",
           "docs/formats.md describes column maps.");
  }
  write_result(options.out,
               import::column_map_yaml(map, header, outcome_words(header, cells, map)));
  print_notes(fmt::format("{} recognised: {}\n", counted(fit.found.size(), "column"),
                          columns_text(fit.found)));
  if (!fit.missing.empty()) print_notes(fmt::format("Missing: {}\n", columns_text(fit.missing)));
}

/// The default file of the result; empty: standard output.
fs::path usual_out(InputKind kind, fs::path const& from) {
  if (describes_jobs(kind)) return from.filename().replace_extension(".yaml");
  bool const trace = kind == InputKind::swf || kind == InputKind::wfformat;
  if (!trace) return {};
  fs::path const name = from.stem();  // of a packed file it has another ending
  return name.extension() == ".swf" || name.extension() == ".json" ? name.stem() : name;
}

}  // namespace

std::string checked_text(fs::path const& out, std::string const& text,
                         std::vector<std::string> const& overrides, fs::path const& made_from) {
  Draft const draft(out);
  auto const placed = [&](std::vector<Problem> problems) {
    for (Problem& problem : problems) {
      if (problem.where.file != draft.file().string()) continue;
      if (made_from.empty()) problem.where.file = out.string();
      if (!made_from.empty()) problem.where = {made_from.string()};
    }
    return problems;
  };
  try {
    write_file(draft.file(), text);
    std::string const changed =
        overrides.empty() ? text : scenario::with_values(draft.file(), overrides);
    auto const scenario = scenario::read_scenario(draft.file(), overrides);
    require_slots(scenario, scenario.strategies);
    return changed;
  } catch (InputError const& error) {
    throw InputError(placed(error.problems()));
  } catch (ResourceError const& error) {
    throw ResourceError(placed(error.problems()));
  }
}

void add_from_options(Verb& verb, FromArguments& arguments) {
  Verb jobs = verb.group("From a submit file or a DAG");
  jobs.option("--pool", &arguments.job.pool, "Pool (default: the calibration's own)", "POOL");
  jobs.option("--size", &arguments.job.sizes, "Size of a file, if the submit file lacks it",
              "URL=SIZE")
      .repeatable();
  jobs.option("--profile", &arguments.job.work.profile,
              "The calibration's profile that the jobs run", "PROFILE");
  jobs.option(
      "--program", &arguments.job.work.program,
      "Which of the calibrated record's programs the jobs run (default: by the submit file, "
      "else the newest)",
      "NAME");
  add_work_options(jobs, arguments.job);
  jobs.option("--record", &arguments.records,
              "A DAG's nodes log or other records; nodes that are done are left out", "RECORD");
  add_record_options(jobs, arguments.record);
  jobs.option("--max-jobs", &arguments.max_nodes,
              "Nodes of a DAG in the queue at a time; 0: no limit", "N")
      .whole_number(0, 1000000);
  constexpr std::uint64_t most_slots = 1'000'000;
  Verb others = verb.group("From files of other programs");
  others.option("--gpu", &arguments.gpu,
                "GPU that a workload of DLIO emulates (default: by its name, else an A100)",
                "NAME");
  others.option("--slots", &arguments.slots, "Slots of a trace's pool (default: from FROM)", "N")
      .whole_number(1, most_slots);
  others.option("--rate", &arguments.rate, "At which a task's input comes", "RATE").shows_default();
  others.flag("--verbose", arguments.verbose,
              "Name each row of a trace that is left out, not ten of a kind");
}

void init_from(InputKind kind, FromArguments arguments) {
  if (arguments.out.empty()) arguments.out = usual_out(kind, arguments.from);
  switch (kind) {
    case InputKind::submit_file:
      return from_submit_file(arguments);
    case InputKind::dag:
      return from_dag(arguments);
    case InputKind::workload:
      return from_workload(arguments);
    case InputKind::swf:
      return from_swf(arguments);
    case InputKind::wfformat:
      return from_workflow(arguments);
    default:
      return from_table(arguments);
  }
}

}  // namespace gridcast::cli
