// gridcast import: other programs' files as gridcast's. Each kind is a verb below it.
#include <algorithm>
#include <iostream>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/submit_scenario.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/cli/verbs.hpp"
#include "sim/import/calibrated_program.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/import/swf.hpp"
#include "sim/import/table/column_map.hpp"
#include "sim/import/table/recognised_columns.hpp"
#include "sim/import/table/table_text.hpp"
#include "sim/import/wfformat.hpp"
#include "sim/scenario/catalogue.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/training/dlio.hpp"

namespace gridcast::cli {
namespace {

struct ImportDlioOptions {
  std::string file;
  std::string gpu;
  std::string out;
  bool force = false;
};

/// What `train` would refuse of a profile is refused before it is written.
void require_trainable(std::filesystem::path const& workload, std::string const& profile) {
  try {
    scenario::read_profile_text(workload, profile);
  } catch (InputError const& error) {
    std::vector<Problem> problems;
    for (Problem const& problem : error.problems()) {
      problems.push_back({{workload.string()},
                          "its profile would be refused by train: " + problem.what,
                          problem.why,
                          "Correct the values of the workload that it is of."});
    }
    throw InputError(problems);
  }
}

/// The profile on stdout or in a file, what was ignored on stderr; the exit code.
int run_import_dlio(ImportDlioOptions const& options) {
  VerbFiles files(if_there(options.force));
  files.reads(options.file);
  files.writes(options.out);
  files.prepare();
  if (!options.gpu.empty()) {
    auto const catalogue = shipped_scenario().parent_path() / "profiles" / "hardware.yaml";
    scenario::find_gpu(scenario::read_hardware(catalogue), options.gpu);
  }
  training::DlioImport const import = training::import_dlio(options.file, options.gpu);
  std::string const name = std::filesystem::path(options.file).filename().string();
  std::string const text =
      scenario::profile_yaml(import.profile, "Made from " + name + " by gridcast import dlio.");
  require_trainable(options.file, text);
  if (options.out.empty() || options.out == "-") {
    std::cout << text;
  } else {
    write_file(options.out, text);
  }
  for (training::IgnoredKey const& ignored : import.ignored) {
    tell(fmt::format("{}:{}: ignored {} ({})\n", options.file, ignored.line, ignored.key,
                     ignored.why));
  }
  return 0;
}

namespace fs = std::filesystem;

int run_import_submit(ImportSubmitOptions const& options) {
  VerbFiles files(if_there(options.force));
  files.reads(options.file);
  files.writes(options.out);
  files.prepare();
  SubmitScenario const made = make_submit_scenario(options);

  VerbFiles all(IfThere::replace);
  all.reads(made.file.read);
  all.reads({made.sources.calibration, made.sources.pool});
  all.writes(options.out);
  all.prepare();
  write_file(options.out, made.text);
  tell(notes_text(made.import.notes));
  std::cout << fmt::format("{} in {}, {}. Written to {}\n", counted(made.file.jobs(), "job"),
                           printable(options.file.string()),
                           counted(made.import.notes.size(), "note"),
                           printable(options.out.string()));
  // What cannot be simulated as it stands (no site has so much disk, ...) is told now.
  std::error_code error;
  if (fs::is_regular_file(options.out, error)) scenario::read_scenario(options.out);
  return exit_code::done;
}

/// What submit files and DAGs have in common.
void add_submit_options(Verb& verb, std::shared_ptr<ImportSubmitOptions> const& options) {
  verb.option("--calibration", &options->calibration,
              "Calibration of the grid (default: the shipped one)", "CAL");
  verb.option("--pool", &options->pool, "Pool (default: the calibration's own)", "POOL");
  verb.option("--size", &options->sizes, "Size of a file, where the submit file tells none",
              "URL=SIZE");
  verb.option("--work", &options->work.profile, "The calibration's profile that the jobs run",
              "PROFILE");
  verb.option("--program", &options->work.program,
              "Which of the calibrated record's programs the jobs run (default: told by the submit "
              "file, else the newest)",
              "NAME");
  add_work_options(verb, *options);
  verb.option("-o,--out", &options->out, "Scenario to write", "OUT").required();
  verb.flag("--force", options->force, "Replace what is there");
}

void add_import_submit(Verb& group) {
  auto options = std::make_shared<ImportSubmitOptions>();
  Verb verb = group.verb("submit", "From an HTCondor submit file");
  verb.positional("FILE", &options->file, "Submit file").required();
  add_submit_options(verb, options);
  verb.footer(
      "Examples:\n"
      "  gridcast import submit job.sub --calibration my-pool.yaml -o my-campaign.yaml\n"
      "  gridcast import submit calibration/data/htcondor-pool/c4-retry/job.sub \\\n"
      "    --calibration c1.yaml --work-scale 0.625 --crash-odds 1..20 -o c4.yaml");
  verb.runs([options] { return run_import_submit(*options); });
}

struct ImportDagOptions {
  ImportSubmitOptions submit;
  std::vector<fs::path> records;
  std::optional<int> max_nodes = {};
  RecordArguments record = {};
};

int run_import_dag(ImportDagOptions const& options) {
  ImportSubmitOptions const& common = options.submit;
  condor::Dag const dag = condor::read_dag(common.file);
  VerbFiles files(if_there(common.force));
  files.reads(dag.read);
  files.reads(options.records);
  files.reads(options.record.columns);
  files.writes(common.out);
  files.prepare();
  DagChoices choices{{}, options.max_nodes};
  if (!options.records.empty()) {
    auto const campaign =
        import::open_campaign(import::sort_by_kind(options.records, options.record.options()));
    tell(campaign.log_report + campaign.table_report);
    choices.done = import::nodes_done(dag, campaign.history);
  }
  DagScenario const made = make_dag_scenario(common, dag, choices);
  VerbFiles all(IfThere::replace);
  all.reads(made.dag.read);
  all.reads({made.sources.calibration, made.sources.pool});
  all.writes(common.out);
  all.prepare();
  write_file(common.out, made.text);
  tell(notes_text(made.dag.import.notes));
  std::cout << fmt::format("{} of {}, {} done before, {}. Written to {}\n",
                           counted(made.dag.nodes, "node"), printable(common.file.string()),
                           made.dag.done_before, counted(made.dag.import.notes.size(), "note"),
                           printable(common.out.string()));
  std::error_code error;
  if (fs::is_regular_file(common.out, error)) scenario::read_scenario(common.out);
  return exit_code::done;
}

void add_import_dag(Verb& group) {
  auto options = std::make_shared<ImportDagOptions>();
  std::shared_ptr<ImportSubmitOptions> const common(options, &options->submit);
  Verb verb = group.verb("dag", "From a DAG of HTCondor's DAGMan");
  verb.positional("FILE", &common->file, "DAG").required();
  verb.option("--log", &options->records,
              "Its nodes log, or other records: nodes that are done there are left out", "RECORD");
  add_record_options(verb, options->record);
  verb.option("--max-jobs", &options->max_nodes,
              "Nodes in the queue at a time (condor_submit_dag -maxjobs); 0: no limit", "N")
      .whole_number(0, 1000000);
  add_submit_options(verb, common);
  verb.footer(
      "Example:\n"
      "  gridcast import dag pretraining.dag --log pretraining.dag.nodes.log \\\n"
      "    --calibration my-pool.yaml -o chains.yaml\n"
      "  gridcast predict chains.yaml");
  verb.runs([options] { return run_import_dag(*options); });
}

struct ImportTraceOptions {
  std::filesystem::path file, out;
  std::optional<std::uint32_t> slots;
  std::string rate = "100 MB/s";
  bool force = false, verbose = false;
};

std::optional<int> slots_of(ImportTraceOptions const& options) {
  return options.slots ? std::optional(static_cast<int>(*options.slots)) : std::nullopt;
}

void show_notes(std::vector<import::TraceNote> const& notes, ImportTraceOptions const& options) {
  constexpr std::size_t shown = 10;
  for (auto const& line : import::summary(notes, options.verbose ? 0 : shown)) {
    tell(line + "\n");
  }
}

int write_campaign(ImportTraceOptions const& options, import::TraceCampaign campaign) {
  std::size_t const jobs = campaign.jobs.size();
  int const slots = campaign.slots;
  std::vector<report::NamedText> files;
  for (auto& [name, text] : import::trace_scenario(std::move(campaign))) {
    files.push_back({name, std::move(text)});
  }
  VerbFiles all(if_there(options.force));
  all.reads(options.file);
  all.writes(options.out, {"scenario.yaml", "pool.yaml", "calibration.yaml"});
  all.prepare();
  write_output(options.out, files);
  std::cout << fmt::format("Written: {} with its pool and calibration: {}, {}\n",
                           printable((options.out / "scenario.yaml").string()),
                           counted(jobs, "job"), counted(slots, "slot"));
  return exit_code::done;
}

int run_import_swf(ImportTraceOptions const& options) {
  import::SwfLog const log = import::read_swf(options.file);
  import::TraceCampaign campaign = import::import_swf(log, options.file, {slots_of(options)});
  show_notes(log.notes, options);
  for (std::size_t i = 1; i < campaign.comments.size(); ++i) {
    tell(campaign.comments[i] + "\n");
  }
  return write_campaign(options, std::move(campaign));
}

int run_import_wfformat(ImportTraceOptions const& options) {
  auto const rate = parse_rate(options.rate);
  if (!rate || *rate <= BytesPerSecond(0)) {
    throw InputError(Problem{{},
                             fmt::format("--rate '{}' is no rate above 0", options.rate),
                             "",
                             "Write --rate '100 MB/s'."});
  }
  import::WfInstance const instance = import::read_wfformat(options.file);
  show_notes(instance.notes, options);
  return write_campaign(
      options, import::import_wfformat(instance, options.file, {slots_of(options), *rate}));
}

void add_trace_options(Verb& verb, ImportTraceOptions& options, char const* file) {
  constexpr std::uint64_t most_slots = 1'000'000;
  verb.positional("FILE", &options.file, file).required();
  verb.option("-o,--out", &options.out, "Folder for scenario.yaml, pool.yaml, calibration.yaml",
              "DIR")
      .required();
  verb.flag("--force", options.force, "Replace files that are already in DIR");
  verb.option("--slots", &options.slots, "Slots of the pool (default: from FILE)", "N")
      .whole_number(1, most_slots);
  verb.flag("--verbose", options.verbose, "Name each row that is left out, not ten of a kind");
}

void add_import_dlio(Verb& group) {
  auto options = std::make_shared<ImportDlioOptions>();
  Verb verb = group.verb(
      "dlio", "A workload file of DLIO or MLPerf Storage, as a profile for gridcast train");
  verb.positional("FILE", &options->file, "Workload file (YAML)").required();
  verb.option("--gpu", &options->gpu,
              "What it emulates (default: told by the file's name, else an A100)", "NAME");
  verb.option("-o,--out", &options->out, "Write the profile to this file", "FILE");
  verb.flag("--force", options->force, "Replace what is there");
  verb.footer(
      "Examples:\n"
      "  gridcast import dlio unet3d_a100.yaml -o unet3d.yaml\n"
      "  gridcast train unet3d.yaml --storage nvme");
  verb.runs([options] { return run_import_dlio(*options); });
}

void add_import_swf(Verb& group) {
  auto options = std::make_shared<ImportTraceOptions>();
  Verb verb = group.verb("swf", "A log in the Standard Workload Format, as a campaign of its jobs");
  add_trace_options(verb, *options, "A log, as of the Parallel Workloads Archive, unpacked");
  verb.footer(
      "Example:\n"
      "  gridcast import swf NASA-iPSC-1993-3.1-cln.swf -o nasa\n"
      "  gridcast run nasa/scenario.yaml");
  verb.runs([options] { return run_import_swf(*options); });
}

void add_import_wfformat(Verb& group) {
  auto options = std::make_shared<ImportTraceOptions>();
  Verb verb = group.verb(
      "wfformat", "A workflow instance of WfCommons (WfFormat 1.5), as a campaign of its tasks");
  add_trace_options(verb, *options, "An instance that was executed (JSON)");
  verb.option("--rate", &options->rate, "At which a task's input comes", "RATE").shows_default();
  verb.footer(
      "Example:\n"
      "  gridcast import wfformat montage.json -o montage\n"
      "  gridcast run montage/scenario.yaml");
  verb.runs([options] { return run_import_wfformat(*options); });
}

// columns: a column map for a table of another program, which its owner completes.

struct ImportColumnsOptions {
  std::filesystem::path file, out;
  bool force = false;
};

/// The words of the column that is taken for the outcome, in alphabetical order.
std::vector<std::string> outcome_words(std::vector<std::string> const& header,
                                       std::vector<import::ColumnCells> const& columns,
                                       import::ColumnMap const& map) {
  auto const& sources = map.of(import::AttemptColumn::outcome);
  if (sources.empty()) return {};
  auto const at = std::find(header.begin(), header.end(), sources.front().column);
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

/// Refuses a header that no map can have.
void check_header(std::string const& file, std::vector<std::string> const& header) {
  for (std::string const& name : header) {
    if (name.find('\0') == std::string::npos) continue;
    throw InputError(Problem{
        {file, 1},
        "is a binary file",
        "its first row holds NUL bytes",
        "A text file is needed: unpack it if it is compressed, convert it if it is UTF-16."});
  }
}

int run_import_columns(ImportColumnsOptions const& options) {
  VerbFiles files(if_there(options.force));
  files.reads(options.file);
  files.writes(options.out);
  files.prepare();
  std::optional<import::SpooledInput> spooled;
  if (import::is_read_once(options.file)) spooled.emplace(options.file);
  auto const table = import::open_table(spooled ? spooled->path() : options.file, {}, {});
  auto const& header = table->header();
  check_header(options.file.string(), header);
  auto const cells = import::cells_of(*table);
  import::ColumnMap const map = import::recognised_columns(
      header, import::without_times(header, cells), import::with_reasons(header, cells));
  import::ColumnFit const fit = import::fit_columns(map, header);
  if (fit.found.empty()) {
    throw InputError(Problem{{options.file.string(), 1},
                             fmt::format("none of its {} columns is recognised", header.size()),
                             "the first row of a table has to name its columns",
                             "docs/formats.md says what can be in a column map."});
  }
  std::string const text = import::column_map_yaml(map, header, outcome_words(header, cells, map));
  if (options.out.empty() || options.out == "-") {
    std::cout << text;
  } else {
    write_file(options.out, text);
  }
  tell(fmt::format("{} columns recognised: {}\n", fit.found.size(), columns_text(fit.found)));
  if (!fit.missing.empty()) tell(fmt::format("Missing: {}\n", columns_text(fit.missing)));
  return exit_code::done;
}

void add_import_columns(Verb& group) {
  auto options = std::make_shared<ImportColumnsOptions>();
  Verb verb = group.verb(
      "columns", "A column map for another program's table of jobs or attempts, to be completed");
  verb.positional("TABLE", &options->file, "The table (CSV, bars or tabs between, or JSON)")
      .required();
  verb.option("-o,--out", &options->out, "Map to write; without it, to standard output", "FILE");
  verb.flag("--force", options->force, "Replace what is there");
  verb.footer(
      "Example:\n"
      "  gridcast import columns my-jobs.csv -o my-map.yaml     # then complete it\n"
      "  gridcast ledger my-jobs.csv --columns my-map.yaml");
  verb.runs([options] { return run_import_columns(*options); });
}

}  // namespace

void add_import(Verb& program) {
  Verb group = program.verb("import", "Make a scenario or a profile from what others use");
  group.needs_verb();
  add_import_submit(group);
  add_import_dag(group);
  add_import_dlio(group);
  add_import_swf(group);
  add_import_wfformat(group);
  add_import_columns(group);
}

}  // namespace gridcast::cli
