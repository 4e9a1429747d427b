#include "sim/condor/dag/dag_lines.hpp"

#include <algorithm>
#include <set>
#include <system_error>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/condor/dag/dag_file.hpp"

namespace gridcast::condor {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr auto npos = std::string_view::npos;

/// Without the quotes around it: names of files and folders can have blanks, and "" is a word.
std::optional<std::string_view> eat_word(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
  if (rest.empty()) return std::nullopt;
  bool const quotes = rest.starts_with('"') || rest.starts_with('\'');
  if (auto const quote = quotes ? rest.find(rest.front(), 1) : npos; quote != npos) {
    auto const quoted = rest.substr(1, quote - 1);
    rest.remove_prefix(quote + 1);
    return quoted;
  }
  auto const word = rest.substr(0, rest.find_first_of(blanks));
  rest.remove_prefix(word.size());
  return word;
}

bool is_comment(std::string_view line) {
  return trim(line).starts_with('#') || trim(line).starts_with("//");
}

/// The next line of the file; a backslash at its end takes the next one in, behind comments and
/// empty lines.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool next(std::string& line, int& number) {
    if (text_.empty()) return false;
    line.clear();
    number = number_;
    bool more = true;
    while (more && !text_.empty()) {
      std::string_view const part = physical();
      bool const skipped = !line.empty() && (trim(part).empty() || is_comment(part));
      if (skipped) continue;
      more = part.ends_with('\\');
      line += more ? part.substr(0, part.size() - 1) : part;
      if (more) line += ' ';
    }
    return true;
  }

  /// Up to a line that is `end`, as it stands, or that goes on behind it with words of the command.
  void description(std::string_view end, DagLine& line) {
    line.block = DagBlock::open;
    while (!text_.empty()) {
      std::string_view const part = physical();
      std::string_view rest = trim(part);
      bool const ends = rest.starts_with(end) &&
                        (rest.size() == end.size() || blanks.find(rest[end.size()]) != npos);
      if (ends) {
        line.block = DagBlock::closed;
        rest.remove_prefix(end.size());
        while (auto const word = eat_word(rest)) line.words.emplace_back(*word);
        break;
      }
      line.description += std::string(part) + "\n";
    }
    if (line.description.empty()) line.description = "\n";
  }

 private:
  std::string_view physical() {
    auto const end = std::min(text_.find('\n'), text_.size());
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++number_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  std::string_view text_;
  int number_ = 1;
};

namespace fs = std::filesystem;

/// The value at the beginning of the text, which goes on behind it: in quotes of either kind, with
/// \" and \\ undone, or up to a blank. None if quotes do not end.
std::optional<std::string> eat_value(std::string_view& text) {
  char const quote = text.front();
  bool const quoted = quote == '"' || quote == '\'';
  std::string value;
  std::size_t i = quoted ? 1 : 0;
  auto const ends = [&](char c) { return quoted ? c == quote : blanks.find(c) != npos; };
  for (; i < text.size() && !ends(text[i]); ++i) {
    bool const escaped = quoted && text[i] == '\\' && i + 1 < text.size() &&
                         (text[i + 1] == quote || text[i + 1] == '\\');
    value += text[escaped ? ++i : i];
  }
  if (quoted && i == text.size()) return std::nullopt;
  text.remove_prefix(std::min(i + 1, text.size()));
  return value;
}

/// Keywords have '-' or '_' between their words.
void use_usual_keywords(DagLine& line) {
  static std::map<std::string, std::string> const usual = {
      {"ABORT_DAG_ON", "ABORT-DAG-ON"},
      {"SUBMIT_DESCRIPTION", "SUBMIT-DESCRIPTION"},
      {"NODE-STATUS-FILE", "NODE_STATUS_FILE"},
      {"JOBSTATE-LOG", "JOBSTATE_LOG"},
      {"SAVE-POINT-FILE", "SAVE_POINT_FILE"},
      {"SET-JOB-ATTR", "SET_JOB_ATTR"},
      {"PRE-SKIP", "PRE_SKIP"},
      {"PIN-IN", "PIN_IN"},
      {"PIN-OUT", "PIN_OUT"}};
  auto const found = usual.find(upper(line.words.front()));
  if (found != usual.end()) line.words.front() = found->second;
  bool const retries = upper(line.words.front()) == "RETRY" && line.words.size() > 3;
  if (retries && upper(line.words[3]) == "UNLESS_EXIT") line.words[3] = "UNLESS-EXIT";
}

/// WEAK PARENT is a line PARENT, behind one that a note is about.
void add_line(DagLine line, std::vector<DagLine>& lines) {
  use_usual_keywords(line);
  bool const weak = upper(line.words.front()) == "WEAK" && line.words.size() > 1;
  lines.push_back(std::move(line));
  if (!weak) return;
  DagLine parent = lines.back();
  parent.words.erase(parent.words.begin());
  lines.push_back(std::move(parent));
}

/// The name of the DAG whose rescue file is called NAME.rescue001 to NAME.rescue999; else empty.
std::string rescued_by(std::string const& name) {
  constexpr std::string_view ending = ".rescue";
  constexpr std::size_t digits = 3;
  auto const at = name.rfind(ending);
  if (at == std::string::npos || name.size() != at + ending.size() + digits) return {};
  bool const counts =
      name.find_first_not_of("0123456789", at + ending.size()) == std::string::npos &&
      !name.ends_with("000");
  return counts ? name.substr(0, at) : std::string();
}

}  // namespace

std::vector<DagLine> dag_lines(std::string_view text) {
  std::vector<DagLine> found;
  Lines lines(text);
  std::string line;
  int number = 0;
  while (lines.next(line, number)) {
    std::string_view rest = trim(line);
    if (rest.empty() || is_comment(rest)) continue;
    DagLine each{number, {}};
    while (auto const word = eat_word(rest)) {
      each.words.emplace_back(*word);
      if (each.words.size() == 2) each.rest = std::string(trim(rest));
    }
    std::string const last = each.words.back();
    bool const in_braces = last == "{", in_marks = last.starts_with("@=");
    if (each.words.size() > 1 && (in_braces || in_marks)) {
      each.words.pop_back();
      lines.description(in_braces ? "}" : "@" + last.substr(2), each);
    }
    add_line(std::move(each), found);
  }
  return found;
}

std::optional<std::vector<DagVar>> dag_vars(std::string_view text) {
  std::vector<DagVar> vars;
  text = trim(text);
  std::string const first = upper(text.substr(0, text.find_first_of(" \t=")));
  bool const appended = first == "APPEND";
  bool const is_key = trim(text.substr(first.size())).starts_with('=');
  if (!is_key && (appended || first == "PREPEND")) text.remove_prefix(first.size());
  while (!(text = trim(text)).empty()) {
    auto const equals = text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    std::string const key(trim(text.substr(0, equals)));
    text = trim(text.substr(equals + 1));
    if (key.empty() || text.empty()) return std::nullopt;
    auto value = eat_value(text);
    if (!value) return std::nullopt;
    vars.push_back({key, *std::move(value), appended});
  }
  return vars;
}

std::map<std::string, DagSetting> dag_settings(std::string_view text, std::string const& file) {
  std::map<std::string, DagSetting> settings;
  std::string line;
  int number = 0, begins = 0;
  for (std::string const& physical : split(std::string(text) + "\n", '\n')) {
    ++number;
    std::string_view part = trim(physical);
    if (line.empty()) begins = number;
    if (line.empty() && part.starts_with('#')) continue;
    bool const goes_on = part.ends_with('\\');
    if (goes_on) part.remove_suffix(1);
    line += part;
    if (goes_on) continue;
    auto const equals = line.find('=');
    if (equals != std::string::npos) {
      settings[upper(trim(line.substr(0, equals)))] = {std::string(trim(line.substr(equals + 1))),
                                                       {file, begins, 0}};
    }
    line.clear();
  }
  return settings;
}

bool is_left_out_setting(std::string_view name) {
  static std::set<std::string, std::less<>> const names = {"DAGMAN_MAX_JOBS_IDLE",
                                                           "DAGMAN_MAX_SUBMITS_PER_INTERVAL",
                                                           "DAGMAN_SUBMIT_DELAY",
                                                           "DAGMAN_SUBMIT_DEPTH_FIRST",
                                                           "DAGMAN_USER_LOG_SCAN_INTERVAL",
                                                           "DAGMAN_MAX_PRE_SCRIPTS",
                                                           "DAGMAN_MAX_POST_SCRIPTS",
                                                           "DAGMAN_ALWAYS_RUN_POST",
                                                           "DAGMAN_RETRY_NODE_FIRST",
                                                           "DAGMAN_RETRY_SUBMIT_FIRST",
                                                           "DAGMAN_MAX_JOB_HOLDS",
                                                           "DAGMAN_PROHIBIT_MULTI_JOBS",
                                                           "DAGMAN_DEFAULT_PRIORITY",
                                                           "DAGMAN_DEFAULT_APPEND_VARS",
                                                           "DAGMAN_NODE_JOB_FAILURE_TOLERANCE"};
  return names.contains(name);
}

fs::path RescueFiles::latest(fs::path const& file) {
  fs::path const folder = file.parent_path().empty() ? "." : file.parent_path();
  auto const [listed, fresh] = folders_.try_emplace(folder.string());
  std::error_code error;
  fs::directory_iterator each;
  if (fresh) each = fs::directory_iterator(folder, error);
  for (; each != fs::directory_iterator() && !error; each.increment(error)) {
    std::string const name = each->path().filename();
    std::string const dag = rescued_by(name);
    if (dag.empty()) continue;
    std::string& latest = listed->second[dag];
    latest = std::max(latest, name);
  }
  auto const found = listed->second.find(file.filename().string());
  return found == listed->second.end() ? fs::path() : file.parent_path() / found->second;
}

std::optional<DagAbort> dag_abort(std::vector<std::string> const& words) {
  bool const returns = words.size() > 4 && upper(words[3]) == "RETURN";
  if (words.size() < 3 || (words.size() > 3 && !returns)) return std::nullopt;
  auto const code = text_as<int>(words[2]);
  auto const result = returns ? text_as<int>(words[4]) : std::nullopt;
  if (!code || (returns && !result)) return std::nullopt;
  return DagAbort{*code, result};
}

std::string form_of(std::string const& command) {
  static std::map<std::string, std::string> const arguments = {
      {"JOB", "NAME FILE [DIR FOLDER] [NOOP] [DONE]"},
      {"NODE", "NAME FILE [DIR FOLDER] [NOOP] [DONE]"},
      {"PROVISIONER", "NAME FILE [DIR FOLDER]"},
      {"SUBDAG", "EXTERNAL NAME FILE [DIR FOLDER] [NOOP] [DONE]"},
      {"SPLICE", "NAME FILE [DIR FOLDER]"},
      {"SUBMIT-DESCRIPTION", "NAME { ... }"},
      {"PARENT", "A B CHILD C D"},
      {"RETRY", "NAME TIMES [UNLESS-EXIT CODE]"},
      {"VARS", "NAME KEY=\"VALUE\""},
      {"CATEGORY", "NAME CATEGORY"},
      {"MAXJOBS", "CATEGORY NUMBER"},
      {"ABORT-DAG-ON", "NAME CODE [RETURN CODE]"},
      {"SCRIPT", "[DEFER STATUS SECONDS] PRE|POST|HOLD NAME PROGRAM"},
      {"DONE", "NAME"},
      {"INCLUDE", "FILE"},
      {"CONFIG", "FILE"},
      {"PIN_IN", "NAME NUMBER"},
      {"PIN_OUT", "NAME NUMBER"},
      {"CONNECT", "SPLICE SPLICE"}};
  auto const found = arguments.find(command);
  return found == arguments.end() ? command : command + " " + found->second;
}

std::optional<std::string> left_out_command(std::string const& command) {
  static std::map<std::string, std::string> const left_out = {
      {"FINAL", "a FINAL node of an inner DAG or a splice"},
      {"SERVICE", "a SERVICE node runs beside the others"},
      {"PRIORITY", "priorities of nodes"},
      {"TOLERANCE", "TOLERANCE, by which a node succeeds though some of its jobs failed"},
      {"WEAK", "WEAK, by which a node also runs after parents that failed"},
      {"REJECT", "REJECT, by which the DAG would not be run"},
      {"PRE_SKIP", "PRE_SKIP, by which a node is not run"},
      {"ENV", "ENV, which can hold DAGMan's settings"},
      {"SET_JOB_ATTR", "SET_JOB_ATTR, attributes of DAGMan's own job"}};
  auto const found = left_out.find(command);
  return found == left_out.end() ? std::nullopt : std::optional(found->second);
}

std::string hint_for_unknown(std::string const& command) {
  if (command == "TASK" || command == "EDGE") {
    return "TASK and EDGE are commands of pegasus-mpi-cluster, which runs inside one job. Give the "
           "DAG that DAGMan runs: its lines are JOB NAME FILE.";
  }
  return suggestion(command, {"JOB", "PARENT", "RETRY", "VARS", "SCRIPT", "SPLICE", "CATEGORY",
                              "MAXJOBS", "DONE", "INCLUDE", "SUBDAG", "CONNECT"});
}

bool is_silent_command(std::string const& command) {
  return command == "DOT" || command == "NODE_STATUS_FILE" || command == "JOBSTATE_LOG" ||
         command == "SAVE_POINT_FILE";
}

bool is_dag(std::filesystem::path const& file) {
  if (lower(file.extension().string()) == ".dag") return true;
  static std::set<std::string> const enough = {"JOB",    "NODE",   "SUBDAG", "SPLICE",
                                               "CONFIG", "PARENT", "INCLUDE"};
  static std::set<std::string> const before_nodes = {
      "VARS",    "RETRY",    "SCRIPT",  "PRIORITY",     "CATEGORY",         "MAXJOBS",
      "DOT",     "FINAL",    "SERVICE", "PROVISIONER",  "NODE_STATUS_FILE", "JOBSTATE_LOG",
      "CONNECT", "PRE_SKIP", "ENV",     "ABORT-DAG-ON", "SET_JOB_ATTR",     "SUBMIT-DESCRIPTION",
      "DONE",    "REJECT",   "PIN_IN",  "PIN_OUT",      "SAVE_POINT_FILE"};
  auto const lines = dag_lines(read_text_file(file));
  // A submit file can begin with "include : FILE", or define a macro of such a name.
  auto const begins_with = [](DagLine const& line, std::set<std::string> const& commands) {
    auto const& words = line.words;
    // So can a report: "Job ID: 7".
    if (words.size() < 2 || words[1].starts_with('=') || words[1].starts_with(':')) return false;
    if (words[1].ends_with(':')) return false;
    return commands.contains(upper(words[0]));
  };
  if (lines.empty() || begins_with(lines.front(), enough)) return !lines.empty();
  return begins_with(lines.front(), before_nodes) &&
         std::ranges::any_of(lines, [&](auto const& line) { return begins_with(line, enough); });
}

}  // namespace gridcast::condor
