#include "sim/cli/input_kind.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/log_input.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/condor/dag/dag_file.hpp"
#include "sim/condor/log/event_reader.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_commands.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {
namespace {

bool is_packed(fs::path const& file) {
  std::array<char, 4> magic = {};
  std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
  std::string_view const text(magic.data(), magic.size());
  return text.starts_with("\x1f\x8b") || text == "\x28\xb5\x2f\xfd";
}

/// Unpacked.
std::string beginning_of(fs::path const& file) {
  constexpr std::size_t enough = 65536;
  if (!is_ordinary_file(file)) return "";
  LogInput in(file);
  std::string text(enough, '\0');
  std::size_t size = 0;
  while (std::size_t const more = in.read(text.data() + size, enough - size)) size += more;
  text.resize(size);
  return text;
}

/// Lines that are not empty, without the comments of YAML, submit files and SWF.
std::vector<std::string> text_lines(std::string const& text) {
  std::vector<std::string> lines;
  for (auto const& line : split(text, '\n')) {
    auto const bare = trim(line);
    if (!bare.empty() && bare.front() != '#') lines.push_back(line);
  }
  return lines;
}

struct Schema {
  std::string_view name;
  InputKind kind;
};

constexpr std::array schemas = {Schema{"gridcast.scenario/", InputKind::scenario},
                                Schema{"gridcast.pool/", InputKind::pool},
                                Schema{"gridcast.calibration/", InputKind::calibration},
                                Schema{"gridcast.profile/", InputKind::profile},
                                Schema{"gridcast.hardware/", InputKind::hardware},
                                Schema{"gridcast.columns/", InputKind::column_map}};

InputKind kind_of_yaml(std::vector<std::string> const& lines) {
  for (auto const& line : lines) {
    if (!line.starts_with("schema:")) continue;
    for (auto const& [name, kind] : schemas) {
      if (line.find(name) != std::string::npos) return kind;
    }
  }
  auto const begins = [&](std::string_view key) {
    return std::ranges::any_of(lines, [&](auto const& line) { return line.starts_with(key); });
  };
  if (begins("campaign:")) return InputKind::scenario;
  bool const checkpoints = begins("workflow:") && begins("checkpoint:");
  bool const dlio = begins("workload:") || begins("dataset:") || begins("reader:") || checkpoints;
  return dlio ? InputKind::workload : InputKind::unknown;
}

/// A statement `queue`, and commands.
bool is_submit_file(std::vector<std::string> const& lines) {
  auto const queues = [](std::string const& line) {
    std::string const bare = lower(trim(line));
    return bare == "queue" || bare.starts_with("queue ") || bare.starts_with("queue\t");
  };
  auto const assigns = [](std::string const& line) {
    auto const equals = line.find('=');
    return equals != std::string::npos && equals > 0 && line.find_first_of(",{\"") > equals;
  };
  return std::ranges::any_of(lines, queues) && std::ranges::any_of(lines, assigns);
}

/// Header comments, or rows of eighteen numbers and those that a simulator appends.
bool is_swf(std::vector<std::string> const& lines) {
  for (auto const& line : lines) {
    if (trim(line).front() == ';') continue;
    auto words = split(trim(line), ' ');
    std::erase(words, "");
    return words.size() >= 18 && line.find_first_not_of("0123456789.- \t\r") == std::string::npos;
  }
  return false;
}

/// Of JSON with the key "schema": an input file in JSON, which YAML contains, or a result.
InputKind kind_of_schema(std::string_view text) {
  constexpr std::string_view key = "\"schema\"";
  auto const at = text.find(key);
  if (at == std::string_view::npos) return InputKind::unknown;
  text.remove_prefix(std::min(text.find_first_not_of(": \t\r\n\"", at + key.size()), text.size()));
  for (auto const& [name, kind] : schemas) {
    if (text.starts_with(name)) return kind;
  }
  return text.starts_with("gridcast.") ? InputKind::result : InputKind::unknown;
}

InputKind kind_of_json(fs::path const& file, std::string const& text) {
  if (auto const kind = kind_of_schema(text); kind != InputKind::unknown) return kind;
  bool const workflow = text.find("\"schemaVersion\"") != std::string::npos &&
                        text.find("\"workflow\"") != std::string::npos;
  if (workflow) return InputKind::wfformat;
  // The ledger refuses the records of GRACC by name, until a map makes a table of them.
  bool const usage = text.find("\"ProbeName\"") != std::string::npos;
  bool const table = (usage || !import::listing_problem(text, file)) &&
                     import::kind_of_beginning(text, file) == import::RecordKind::attempt_table;
  return table ? InputKind::table : InputKind::record;
}

InputKind kind_of_text(fs::path const& file, std::string const& text) {
  auto const lines = text_lines(text);
  if (lines.empty()) return InputKind::unknown;
  char const first = trim(text).front();
  if (lower(text.substr(0, 200)).find("<html") != std::string::npos) return InputKind::page;
  if (first == '<' && text.find("<platform") != std::string::npos) return InputKind::platform;
  std::string const ending = lower(file.extension().string());
  bool const yaml = ending == ".yaml" || ending == ".yml";
  if (first == '{' || first == '[') {
    // A scenario may be written as JSON, which YAML contains.
    auto const kind = kind_of_json(file, text);
    if (!yaml || !is_record(kind)) return kind;
  }
  if (auto const kind = kind_of_yaml(lines); kind != InputKind::unknown || yaml) return kind;
  if (is_submit_file(lines)) return InputKind::submit_file;
  if (is_swf(lines)) return InputKind::swf;
  if (import::listing_problem(text, file)) return InputKind::record;
  switch (import::kind_of_beginning(text, file)) {
    case import::RecordKind::job_table:
    case import::RecordKind::attempt_table:
      return InputKind::table;
    case import::RecordKind::ads:
      return InputKind::record;
    case import::RecordKind::event_log:
      break;
  }
  return condor::recognise_form(text) == condor::LogForm::text || first == '<' ? InputKind::record
                                                                               : InputKind::unknown;
}

InputKind kind_of_content(fs::path const& file) {
  auto const text = beginning_of(file);
  if (text.empty() || text.find('\0') != std::string::npos) return InputKind::unknown;
  return kind_of_text(file, text);
}

/// Only records are read packed. InputError for a description of jobs or of a grid.
InputKind kind_of_packed(fs::path const& file) {
  fs::path const inner = file.stem();
  std::string const ending = lower(inner.extension().string());
  std::string const text = beginning_of(file);
  bool const binary = text.empty() || text.find('\0') != std::string::npos;
  auto const kind = ending == ".dag"   ? InputKind::dag
                    : ending == ".sub" ? InputKind::submit_file
                    : binary           ? InputKind::unknown
                                       : kind_of_text(inner, text);
  if (kind == InputKind::unknown) return InputKind::record;
  if (is_record(kind) || kind == InputKind::swf || kind == InputKind::wfformat) return kind;
  char const* const unpack = file.extension() == ".zst" ? "unzstd" : "gunzip";
  refuse({file.string()}, "is packed", "only records of jobs are read packed",
         fmt::format("Unpack it: {} -k {}", unpack, study::typed(file)));
}

bool is_table_name(fs::path const& file) {
  constexpr std::string_view endings[] = {".csv", ".tsv", ".psv", ".txt"};
  return std::ranges::count(endings, lower(file.extension().string())) > 0;
}

bool is_text(fs::path const& file) {
  auto const text = beginning_of(file);
  return !text.empty() && text.find('\0') == std::string::npos;
}

struct KindWords {
  InputKind kind;
  std::string_view is, instead;  // `{}`: the file
};

constexpr std::array kind_words = {
    KindWords{InputKind::scenario, "is a scenario", "gridcast forecast {}, or gridcast compare {}"},
    KindWords{InputKind::pool, "is a pool",
              "Name it in a scenario (pool: {}). Its keys: gridcast help pool"},
    KindWords{InputKind::platform, "is a platform of SimGrid",
              "Name it in a pool (platform: {}). Its keys: gridcast help pool"},
    KindWords{InputKind::calibration, "is a calibration",
              "A scenario with it: gridcast init {} --yes -o campaign.yaml"},
    KindWords{InputKind::profile, "is the profile of a training", "gridcast profile {}"},
    KindWords{InputKind::hardware, "is a catalogue of hardware", "gridcast profile --list"},
    KindWords{InputKind::column_map, "is a column map", "gridcast ledger TABLE --columns {}"},
    KindWords{InputKind::result, "is a result of gridcast", "gridcast export html {}"},
    KindWords{InputKind::page, "is a page", "Open it in a browser, or name its result (--json)"},
    KindWords{InputKind::submit_file, "is a submit file",
              "gridcast forecast {}, or gridcast init {} -o job.yaml"},
    KindWords{InputKind::dag, "is a DAG", "gridcast forecast {}, or gridcast init {} -o work.yaml"},
    KindWords{InputKind::workload, "is a workload of DLIO", "gridcast init {} -o profile.yaml"},
    KindWords{InputKind::swf, "is a log in the Standard Workload Format", "gridcast init {}"},
    KindWords{InputKind::wfformat, "is a workflow of WfCommons", "gridcast init {}"},
    KindWords{InputKind::record, "is a record of jobs",
              "gridcast ledger {}, or gridcast compare {}"},
    KindWords{InputKind::table, "is a table of jobs",
              "gridcast ledger {}, or gridcast compare {}"}};

/// True for files that a verb of these kinds reads for certain. kind_of() takes any JSON and any
/// table for a record, so that its reader can explain the mistake.
bool is_surely(fs::path const& file, std::vector<InputKind> const& kinds) try {
  auto const kind = kind_of(file);
  if (std::ranges::count(kinds, kind) == 0) return false;
  if (!is_record(kind)) return true;
  auto const text = beginning_of(file);
  if (condor::recognise_form(text) != condor::LogForm::none) return true;
  if (import::listing_problem(text, file)) return false;
  std::string const small = lower(text);
  auto const has = [&](char const* word) { return small.find(word) != std::string::npos; };
  return kind == InputKind::table ? is_table_name(file) && (has("job") || has("cluster"))
                                  : has("clusterid") || has("globaljobid");
} catch (InputError const&) {
  return false;
}

/// The first files of a folder by name, logs before others, without those that are hidden.
std::vector<fs::path> first_files_in(fs::path const& folder) {
  constexpr std::size_t most_read = 100;
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    bool const hidden = at->path().filename().string().starts_with('.');
    if (!hidden && at->is_regular_file(error)) files.push_back(at->path());
  }
  std::ranges::sort(files, {}, [](fs::path const& file) {
    return std::pair(file.extension() != ".log", file.filename());
  });
  if (files.size() > most_read) files.resize(most_read);
  return files;
}

/// The first that a verb of these kinds reads; empty if there is none.
fs::path first_file_in(fs::path const& folder, std::vector<InputKind> const& kinds) {
  auto const files = first_files_in(folder);
  auto const found =
      std::ranges::find_if(files, [&](auto const& file) { return is_surely(file, kinds); });
  return found == files.end() ? fs::path() : *found;
}

/// The command for a folder: of a study, of one simulated campaign, or of other files.
Problem folder_problem(fs::path const& folder, std::string const& verb,
                       std::vector<InputKind> const& kinds) {
  auto const has = [&](char const* name) { return is_there(folder / name); };
  if (has("frozen") && has("submissions")) {
    return {{folder.string()},
            "is the folder of a study",
            "",
            fmt::format("gridcast compare status {} shows its progress.", study::typed(folder))};
  }
  if (has("events.log")) {
    return {{folder.string()},
            "is the folder of a simulated campaign",
            "",
            fmt::format("gridcast ledger {}.", study::typed(folder / "events.log"))};
  }
  auto const first = first_file_in(folder, kinds);
  return {{folder.string()},
          "is a folder",
          "",
          first.empty()
              ? fmt::format("gridcast {} reads no file in it; name another.", verb)
              : fmt::format("Name a file in it: gridcast {} {}.", verb, study::typed(first))};
}

/// The submit file beside a log that names it; empty if there is none.
fs::path submit_file_of(fs::path const& log) {
  auto const beside = first_files_in(log.has_parent_path() ? log.parent_path() : ".");
  auto const found = std::ranges::find_if(beside, [&](fs::path const& file) {
    return file.extension() == ".sub" && log_of(file).filename() == log.filename();
  });
  if (found == beside.end()) return {};
  return log.has_parent_path() ? *found : found->filename();
}

/// The command for a submit file or a DAG where a verb takes records; `{}`: the file.
std::string with_log(std::string const& verb, fs::path const& file) {
  auto const log = log_of(file);
  if (log.empty()) {
    return fmt::format(
        "gridcast forecast {{}}. When its jobs have run, gridcast {} takes their log", verb);
  }
  return fmt::format("gridcast {} {}{}, which is their log; or gridcast forecast {{}}", verb,
                     study::typed(log), verb == "calibrate" ? " -o calibration.yaml" : "");
}

/// The right command where a verb can do more than the kind's own words say; `{}`: the file.
std::string instead_of(std::string const& verb, KindWords const& words, fs::path const& file) {
  bool const record = is_record(words.kind);
  if (verb == "profile" && words.kind == InputKind::table) {
    // Measured steps have a batch, jobs have none.
    auto const header = split(beginning_of(file), '\n').front();
    bool const measured = lower(header).find("batch") != std::string::npos;
    return measured ? "gridcast profile --fit {}" : "gridcast ledger {}";
  }
  if (verb == "export html" && record) return "gridcast ledger {} --report page.html";
  if (verb == "optimize" && record) {
    auto const submit = submit_file_of(file);
    if (submit.empty())
      return "gridcast ledger {}; optimize needs the submit file of these jobs before their log";
    return fmt::format("gridcast optimize {} {{}}; or gridcast ledger {{}}", study::typed(submit));
  }
  if (describes_jobs(words.kind)) {
    if (verb == "ledger" || verb == "watch" || verb == "calibrate") return with_log(verb, file);
  }
  return std::string(words.instead);
}

/// A batch script or a dump. Submit files that were made from a script can have its lines as
/// comments, and have a queue statement.
bool is_of_other_system(fs::path const& file) {
  std::string const beginning = beginning_of(file);
  if (!import::listing_problem(beginning, file)) return false;
  return std::ranges::none_of(text_lines(beginning), [](std::string const& line) {
    std::string const word = lower(trim(line)).substr(0, 6);
    return word == "queue" || word == "queue ";
  });
}

}  // namespace

fs::path log_of(fs::path const& submit_file) {
  for (auto const& line : text_lines(beginning_of(submit_file))) {
    auto const equals = line.find('=');
    if (equals == std::string::npos || lower(trim(line.substr(0, equals))) != "log") continue;
    auto const log = condor::named_file(condor::folders_beside(submit_file),
                                        import::unquoted(trim(line.substr(equals + 1))))
                         .path;
    return is_ordinary_file(log) ? log : fs::path();
  }
  return {};
}

InputKind kind_of(fs::path const& file) {
  if (import::is_read_once(file)) return InputKind::record;
  if (!is_there(file)) return InputKind::unknown;
  std::string const ending = lower(file.extension().string());
  if (ending == ".dag") return InputKind::dag;
  if (ending == ".swf") return InputKind::swf;
  // The Parallel Workloads Archive packs its logs.
  bool const packed = ending == ".gz" || ending == ".zst";
  if (packed && lower(file.stem().extension().string()) == ".swf") return InputKind::swf;
  bool const readable = is_ordinary_file(file);
  if (readable && is_packed(file)) return kind_of_packed(file);
  auto const kind = readable ? kind_of_content(file) : InputKind::unknown;
  bool const named_so = ending == ".sub" || ending == ".submit";
  // An event log has a beginning of its own; other text that is named so is a submit file.
  bool const unclear = kind == InputKind::unknown || kind == InputKind::record;
  bool const of_others = named_so && readable && is_of_other_system(file);
  if (kind != InputKind::unknown && !(named_so && unclear)) return kind;
  if (readable && is_text(file) && condor::is_dag(file)) return InputKind::dag;
  return named_so && !of_others ? InputKind::submit_file : kind;
}

void refuse_other_kinds(std::vector<fs::path> const& files, std::string const& verb,
                        std::string const& takes, std::vector<InputKind> const& kinds) {
  std::vector<Problem> problems;
  for (auto const& file : files) {
    std::size_t const before = problems.size();
    InputKind kind = InputKind::unknown;
    collect(problems, [&] { kind = kind_of(file); });
    if (problems.size() > before) continue;
    std::error_code error;
    // export reads folders of `forecast --once`, calibrate --check those of a recorded campaign.
    bool const reads_folders = verb == "export" || verb == "calibrate --check";
    if (!reads_folders && fs::is_directory(file, error)) {
      problems.push_back(folder_problem(file, verb, kinds));
      continue;
    }
    bool const described = std::ranges::count(kinds, InputKind::scenario) > 0;
    if (described && fs::is_regular_file(file, error) && fs::file_size(file, error) == 0) {
      add_problem(problems, {file.string()}, "is empty", "", "Name another file.");
    }
    auto const words = std::ranges::find(kind_words, kind, &KindWords::kind);
    bool const taken = std::ranges::count(kinds, kind) > 0;
    if (taken || words == kind_words.end()) continue;
    std::string instead = instead_of(verb, *words, file);
    for (auto at = instead.find("{}"); at != std::string::npos; at = instead.find("{}")) {
      instead.replace(at, 2, study::typed(file));
    }
    add_problem(problems, {file.string()}, std::string(words->is),
                fmt::format("gridcast {} takes {}", verb, takes), instead + ".");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace gridcast::cli
