// The kind of a record, recognised by its beginning.
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <initializer_list>
#include <span>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/ads/ad_text.hpp"
#include "sim/condor/log/event_reader.hpp"
#include "sim/history/csv.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/table/attempt_table.hpp"
#include "sim/import/table/recognised_columns.hpp"
#include "sim/import/table/table_text.hpp"

namespace gridcast::import {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool has_all(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::all_of(parts, [&](std::string_view part) { return has(text, part); });
}

std::string_view trimmed_front(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

/// Below the comments of a table.
std::string_view first_line(std::string_view text) {
  text.remove_prefix(comments_above(text));
  return text.substr(0, text.find_first_of("\r\n"));
}

/// A line of an ad, "Name = value", is the first one below comments and condor_q's own line.
bool begins_with_ad(std::string_view text) {
  while (text.starts_with('#') || text.starts_with("-- ")) {
    text.remove_prefix(std::min(text.find('\n'), text.size()));
    text = trimmed_front(text);
  }
  auto const end = std::ranges::find_if_not(
      text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  auto rest = text.substr(static_cast<std::size_t>(end - text.begin()));
  bool const named = rest.size() < text.size() && std::isdigit(text.front()) == 0;
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return named && rest.starts_with('=');
}

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  for (std::string const& cell : split(line, separator_of(line))) {
    std::string_view bare = trim(cell);
    if (bare.size() > 1 && bare.front() == '"' && bare.back() == '"') {
      bare = bare.substr(1, bare.size() - 2);
    }
    cells.emplace_back(bare);
  }
  return cells;
}

/// One row a job, as campaign reports print them (sim/history/job_table.hpp).
bool is_job_table(std::vector<std::string> const& header) {
  auto const own = split(
      "cluster proc sites execute_s slot_busy_s input_transfer_total_s input_transfer_last_s", ' ');
  auto const known =
      std::ranges::count_if(own, [&](std::string const& name) { return is_one_of(name, header); });
  return known >= 2 || (known == 1 && header.size() == 1);
}

RecordKind kind_of_table(std::string_view line) {
  auto const header = cells_of(line);
  return is_job_table(header) ? RecordKind::job_table : RecordKind::attempt_table;
}

bool is_letters(std::string_view line) {
  return !line.empty() &&
         (std::isalpha(static_cast<unsigned char>(line.front())) != 0 || line.front() == '"');
}

/// JSON has members, and none that ads have near their beginning (names in any case).
bool is_no_ad(std::string_view text) {
  constexpr std::string_view of_ads[] = {
      "\"accountinggroup\"", "\"args\"",      "\"arguments\"",
      "\"autoclusterid\"",   "\"clusterid\"", "\"cmd\"",
      "\"mytype\"",          "\"procid\"",    "\"requirements\""};
  std::string const small = lower(text);
  // Elasticsearch's documents of GRACC have the id too.
  bool const has_id = has(small, "\"globaljobid\"") && !has(small, "\"_source\"");
  return has(text, "\":") && !has_id &&
         std::ranges::none_of(of_ads, [&](std::string_view name) { return has(small, name); });
}

/// Words with blanks between, the first or two of them numbers, or undefined; or, with -af:h, a
/// line of attributes' names first.
bool is_list_of_values(std::string_view line) {
  std::vector<std::string> words;
  for (std::string& word : split(trim(line), ' ')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  bool const json = line.starts_with('[') || line.starts_with('{');
  if (words.size() < 2 || json || has(line, "=") || has(line, "|") || has(line, "\t")) return false;
  auto const is_value = [](std::string_view word) {
    return word == "undefined" || word.find_first_not_of("0123456789.") == std::string_view::npos;
  };
  auto const is_id = [](std::string_view word) { return word == "ClusterId" || word == "ProcId"; };
  return is_value(words.front()) || std::ranges::count_if(words, is_value) > 1 ||
         (!has(line, ",") && std::ranges::any_of(words, is_id));
}

/// Files that other programs write, and that are no record as they stand.
struct KnownDump {
  std::array<std::string_view, 2> parts;  // that are near its beginning
  char const *what, *why, *hint;
};

constexpr char const* nodes_hint =
    "Give the event log of the nodes: FILE.dag.nodes.log, or the log in their submit files.";

constexpr char const* attempts_hint =
    "Write its jobs as a table of attempts: docs/formats.md, gridcast.attempts/1.";

constexpr char const* workload_hint =
    "Give the workload's file, or .hydra/config.yaml beside it: gridcast init FILE.yaml.";

constexpr char const* init_hint =
    "gridcast init asks for jobs, GPUs, input and work; gridcast ledger reads tables of attempts.";

constexpr KnownDump known_texts[] = {
    {{"# rescue dag", "(partial)"},
     "is a rescue file",
     "it only lists the nodes that are done",
     "Give its DAG, whose newest rescue file is read as well: gridcast forecast FILE.dag."},
    {{"using direct job submission", ""},
     "is the log of DAGMan itself",
     "it is no event log",
     nodes_hint},
    {{"condor_dagman) starting up", ""},
     "is the log of DAGMan itself",
     "it is no event log",
     nodes_hint},
    {{"107 1 creationtimestamp ", ""},
     "is the job queue of a schedd",
     "it is no event log",
     "Print the ads: condor_q -json, and condor_history -json."},
    {{" internal *** ", "dagman"}, "is the jobstate log of DAGMan", "it has no hosts", nodes_hint},
    {{"\"job_finish\" \"", ""}, "is the accounting file of LSF", "it is no table", attempts_hint},
    {{"qsub_time", "ru_wallclock"}, "is the output of qacct", "it is no table", attempts_hint},
    {{"from_host", "exec_host"}, "is the output of bjobs", "it is no table", attempts_hint},
    {{"- invocation:", "transformation:"},
     "is a record of pegasus-kickstart",
     "it has one program of a node, and no jobs of a campaign",
     nodes_hint},
    {{"<invocation", "schema/invocation"},
     "is a record of pegasus-kickstart",
     "it has one program of a node, and no jobs of a campaign",
     nodes_hint},
    {{";e;", " ctime="}, "is an accounting file of PBS", "it is no table", attempts_hint},
    {{"#sbatch ", ""},
     "is a job script of Slurm",
     "gridcast reads submit files of HTCondor",
     "gridcast init asks for jobs, GPUs, input and work; gridcast ledger reads sacct -P."},
    {{"\n#pbs ", ""},
     "is a job script of PBS",
     "gridcast reads submit files of HTCondor",
     init_hint},
    {{"\n#bsub ", ""},
     "is a job script of LSF",
     "gridcast reads submit files of HTCondor",
     init_hint},
    {{"\n#$ -", ""},
     "is a job script of Grid Engine",
     "gridcast reads submit files of HTCondor",
     init_hint},
    {{":none:", ":defaultdepartment:"},
     "is the accounting file of Grid Engine",
     "its columns have no names",
     attempts_hint},
    {{"usagerecord", "xmlns"},
     "has usage records of Gratia in XML",
     "gridcast reads the batch system's own records",
     "Give those: condor_history -json (or -long, -xml), or sacct -P."},
    {{":::mllog", ""},
     "is a log of MLPerf",
     "it has the steps of one training, and no jobs of a campaign",
     "Write its epochs as a table for gridcast profile --fit: docs/training.md."},
    {{"native_id\t", "\tsubmit\tduration\t"},
     "is a trace of Nextflow without the fields start and complete",
     "a ledger needs the times of each task",
     "Add both to trace.fields in nextflow.config, for the next run."},
    {{"nodename=", "cfgtres="},
     "is the output of scontrol",
     "it does not show how jobs ended",
     sacct_hint},
    {{"jobstate=", " proccnt="}, "is a job completion file of Slurm", "it is no table", sacct_hint},
    {{"jobid=", "jobstate="},
     "is the output of scontrol",
     "it does not show how jobs ended",
     sacct_hint}};

constexpr KnownDump known_dumps[] = {
    {{"type = \"dagstatus\"", ""}, "is a status file of DAGMan", "it has no times", nodes_hint},
    {{"condor_dagman", "\"dagman_id\""},
     "contains the metrics of DAGMan",
     "it only counts the nodes",
     nodes_hint},
    {{"\"client\"", "\"wf_uuid\""},
     "contains the metrics of a workflow",
     "it only counts the nodes",
     nodes_hint},
    {{"\"ProbeName\"", "\"ResourceType\""},
     "has usage records of GRACC (Gratia)",
     "they have other names than job ads",
     "Write a map with: gridcast init FILE -o map.yaml; then add --columns map.yaml."},
    {{"\"job_name\"", "\"step_start_time\""},
     "is a log of ml-goodput-measurement",
     "it has the steps of one training, and no jobs of a campaign",
     "Give the batch system's record: condor_history -json, or sacct -P."},
    {{"\"job_name\"", "\"job_start_time\""},
     "is a log of ml-goodput-measurement",
     "it has the steps of one training, and no jobs of a campaign",
     "Give the batch system's record: condor_history -json, or sacct -P."},
    {{"\"job_state\"", "\"accrue_time\""},
     "is the output of squeue --json",
     "it does not show how jobs ended",
     sacct_hint},
    {{"\"association\"", "\"derived_exit_code\""},
     "is the output of sacct --json",
     "it has no names of job ads",
     "Add --columns sacct."},
    {{"\"meta\"", "\"slurm\""},
     "is the output of a Slurm command",
     "it has no jobs that sacct --json prints",
     sacct_hint},
    {{"\"train_au_percentage\"", "\"num_accelerators\""},
     "is the summary of a run of DLIO",
     "it has no jobs of a campaign",
     workload_hint},
    {{"\"block1\"", "\"duration\""},
     "has the epochs of a run of DLIO",
     "it has no jobs of a campaign",
     workload_hint},
    {{"\"load\"", "\"block1\""},
     "has the steps of a run of DLIO",
     "it has no jobs of a campaign",
     workload_hint},
    {{"\"apiversion\"", "\"kind\""},
     "has objects of Kubernetes",
     "it has no jobs of a batch system",
     attempts_hint},
    {{"\"traceevents\"", "\"ph\""},
     "is a trace for chrome://tracing",
     "it has no jobs of a batch system",
     "Give the batch system's record: condor_history -json, or sacct -P."}};

std::optional<Problem> dump_problem(std::string_view text, std::filesystem::path const& file) {
  bool const json = text.starts_with('{') || text.starts_with('[');
  std::string const small = lower(text);
  for (KnownDump const& dump : json ? std::span<KnownDump const>(known_dumps) : known_texts) {
    bool const is_it =
        std::ranges::all_of(dump.parts, [&](auto part) { return has(small, lower(part)); });
    if (is_it) return Problem{{file.string(), 1}, dump.what, dump.why, dump.hint};
  }
  return std::nullopt;
}

namespace fs = std::filesystem;

std::shared_ptr<int const> owned(int descriptor) {
  return {new int(descriptor), [](int const* file) {
            close(*file);
            delete file;
          }};
}

std::string reason() { return std::error_code(errno, std::generic_category()).message(); }

std::shared_ptr<int const> nameless_file() {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  if (error) folder = "/tmp";
  std::string name = (folder / "gridcast-XXXXXX").string();
  int const file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) {
    throw ResourceError(Problem{{folder.string()},
                                "no file can be made there",
                                reason(),
                                "Set TMPDIR to a folder with room for the data of the pipe."});
  }
  unlink(name.c_str());
  return owned(file);
}

void fill(int file, std::string_view data) {
  if (write_all(file, data)) return;
  throw ResourceError(Problem{{},
                              "there is no room for the data of the pipe",
                              reason(),
                              "Set TMPDIR to a folder with more."});
}

}  // namespace

RecordKind kind_of_beginning(std::string_view beginning, std::filesystem::path const& file,
                             bool mapped) {
  std::string_view const text = trimmed_front(beginning);
  std::string_view const line = first_line(text);
  bool const csv = file.extension() == ".csv";
  if (text.empty()) return csv ? RecordKind::job_table : RecordKind::event_log;
  if (text[0] == '{' || text[0] == '[') {
    if (has(text, "\"EventTypeNumber\"")) return RecordKind::event_log;
    bool const table = mapped ? !has(lower(text), "\"clusterid\"") : is_no_ad(text);
    return table ? RecordKind::attempt_table : RecordKind::ads;
  }
  if (text[0] == '<') {
    bool const events = has(text, "EventTypeNumber") || has(text, "Event</s>");
    bool const ads = has(text, "<c>") || has(text, "<classads>");
    return events || !ads ? RecordKind::event_log : RecordKind::ads;
  }
  if (line.substr(0, 4) == "*** ") return RecordKind::ads;
  // A log whose beginning is cut off as well.
  if (condor::recognise_form(text) == condor::LogForm::text) return RecordKind::event_log;
  if (begins_with_ad(text)) return RecordKind::ads;
  if (!mapped && condor::is_table_of_ads(text)) return RecordKind::ads;
  if (has(line, ",") || csv) return kind_of_table(line);
  if (is_letters(line) && has(line, ";")) return kind_of_table(line);
  if (has(line, "JobID") && !columns_below(text).empty()) return RecordKind::attempt_table;
  char const sign = separator_of(line);
  auto const signs = std::ranges::count(line, sign);
  bool const usual = sign == '|' || sign == '\t';
  // Also one whose first row holds values, as sacct -n writes it.
  bool const values = signs > 3 && (sign == '|' || holds_values(split(line, sign)));
  bool const others = mapped || values || (is_letters(line) && signs > (usual ? 0 : 3));
  return others ? RecordKind::attempt_table : RecordKind::event_log;
}

std::optional<Problem> listing_problem(std::string_view beginning,
                                       std::filesystem::path const& file) {
  std::string_view const text = trimmed_front(beginning);
  std::string_view const line = first_line(text);
  if (condor::recognise_form(text) == condor::LogForm::text) return std::nullopt;
  if (condor::is_table_of_ads(text)) return std::nullopt;
  if (auto dump = dump_problem(text, file)) return dump;
  Problem problem{{file.string(), 1}, "is a listing to be read by people", "", ""};
  bool const of_history = has_all(line, {"ID", "OWNER", "SUBMITTED"});
  bool const of_queue = line.starts_with("-- Schedd") || has_all(line, {"OWNER", "BATCH_NAME"});
  if (of_history || (of_queue && !begins_with_ad(text))) {
    problem.why = of_history ? "the default of condor_history" : "the default of condor_q";
    problem.hint = of_history ? "Print the ads: condor_history -json (or -long, -xml)."
                              : "Print the ads: condor_q -json (or -long, -xml).";
    return problem;
  }
  bool const of_squeue = has_all(line, {"JOBID", "PARTITION"});
  bool const separated = line.find(separator_of(line)) != std::string_view::npos;
  // Dates of at least one kind are in a listing that can be read by its columns.
  bool const readable = !columns_below(text).empty() && has_all(line, {"JobID", "State", "Start"});
  bool const of_sacct = has(line, "JobID") && !separated && !readable;
  if (of_sacct || of_squeue) {
    problem.why = of_sacct ? "sacct without --parsable2 cuts off wide values"
                           : "squeue does not show how jobs ended";
    problem.hint = sacct_hint;
    return problem;
  }
  bool const table = file.extension() == ".csv" && !separated && is_letters(line);
  if (table && std::ranges::count(line, ' ') > 2) {
    problem.what = "is a table whose cells have blanks between them";
    problem.hint = "Put a comma in the place of each gap.";
    return problem;
  }
  if (!is_list_of_values(line)) return std::nullopt;
  problem.what = "is a list of values without their names";
  problem.why = "as condor_history -autoformat prints it";
  problem.hint = "Print whole ads: condor_history -json (or -long, -xml).";
  return problem;
}

SpooledInput::SpooledInput(fs::path const& source)
    : file_(nameless_file()), shown_(source == "-" ? "standard input" : source.string()) {
  int const from = source == "-" ? dup(STDIN_FILENO) : open(source.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) refuse({shown_}, "cannot be read", reason(), "");
  auto const input = owned(from);
  constexpr std::size_t block = std::size_t{1} << 18U;
  std::vector<char> bytes(block);
  while (true) {
    ssize_t const got = read(*input, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse({shown_}, "cannot be read", reason(), "");
    if (got == 0) return;
    fill(*file_, {bytes.data(), static_cast<std::size_t>(got)});
  }
}

fs::path SpooledInput::path() const { return "/proc/self/fd/" + std::to_string(*file_); }

bool is_read_once(fs::path const& source) {
  std::error_code error;
  return source == "-" || fs::is_fifo(source, error) || fs::is_socket(source, error);
}

}  // namespace gridcast::import
