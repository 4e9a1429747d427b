#include "sim/condor/submit/submit_file.hpp"

#include <algorithm>
#include <cstdint>
#include <glob.h>
#include <initializer_list>
#include <set>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/lists.hpp"
#include "sim/classad/expression.hpp"
#include "sim/condor/submit/own_attributes.hpp"
#include "sim/condor/submit/submit_statements.hpp"

namespace gridcast::condor {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_compared = 1'000'000;

bool is_path(fs::path const& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool is_file(fs::path const& path) {
  std::error_code error;
  return is_path(path) && !fs::is_directory(path, error);
}

/// Large files of one size are taken for equal: they are input, of which only the size counts.
bool differ(fs::path const& a, fs::path const& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return false;
  auto const size = fs::file_size(a, error);
  if (error || size != fs::file_size(b, error) || error) return true;
  if (size > most_compared) return false;
  try {
    return read_text_file(a) != read_text_file(b);
  } catch (InputError const&) {
    return true;
  }
}

/// In the order of the folders.
NamedFile find(NameFolders const& folders, fs::path const& name,
               bool (*is_there)(fs::path const&)) {
  NamedFile found;
  for (fs::path const& folder : folders) {
    fs::path const file = folder / name;
    if (!is_there(file)) continue;
    if (found.path.empty()) {
      found.path = file;
    } else if (found.other.empty() && differ(found.path, file)) {
      found.other = file;
    }
  }
  if (found.path.empty()) found.path = folders.back() / name;
  return found;
}

namespace fs = std::filesystem;

/// A folder's own name is no pattern.
fs::path escaped(fs::path const& folder) {
  std::string name;
  for (char const c : folder.string()) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) name += '\\';
    name += c;
  }
  return name;
}

class RealFolder final : public SubmitFolder {
 public:
  std::string read(fs::path const& file) const override { return read_text_file(file); }

  std::vector<std::string> matching(fs::path const& folder, std::string const& pattern,
                                    Kind kind) const override {
    glob_t found{};
    std::vector<std::string> names;
    if (glob((escaped(folder) / pattern).c_str(), 0, nullptr, &found) == 0) {
      for (std::size_t i = 0; i < found.gl_pathc; ++i) {
        fs::path const path = found.gl_pathv[i];
        std::error_code error;
        bool const is_folder = fs::is_directory(path, error);
        if (kind != Kind::any && is_folder != (kind == Kind::folders)) continue;
        // In the form of the pattern: the text before it is not the user's.
        std::string const name = path.string();
        std::string const before = (folder / "").string();
        names.push_back(name.starts_with(before) ? name.substr(before.size()) : name);
      }
    }
    globfree(&found);
    return names;
  }
};

constexpr std::size_t deepest_include = 20;
constexpr int most_includes = 1000;
constexpr int most_jobs = 1'000'000;
constexpr std::size_t longest_file = 100'000'000;

bool is_command_name(std::string_view name) {
  if (name.starts_with('+')) name = trim(name.substr(1));
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
  });
}

/// True if a line begins with this word; `rest` then follows it.
bool begins(std::string_view line, std::string_view word, std::string_view& rest) {
  if (!same_ignoring_case(line.substr(0, word.size()), word)) return false;
  rest = line.substr(word.size());
  return rest.empty() || std::string_view(" \t:(").find(rest[0]) != std::string_view::npos;
}

bool has_end(std::string_view line) { return line.find(')') != std::string_view::npos; }

/// The known part: names of any kind come out of a submit file.
fs::path real_path(fs::path const& file) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(file, error);
  return error ? fs::absolute(file, error) : path;
}

class Reader {
 public:
  Reader(SubmitFile& result, std::vector<std::string> const& deciding, SubmitFolder const& folder)
      : result_(result), deciding_(deciding), folder_(folder) {}

  void read(fs::path const& file) {
    macros_.set_live("SUBMIT_FILE", file.string());
    macros_.set_live("Cluster", "1");
    macros_.set_live("ClusterId", "1");
    macros_.set_live("Node", "");
    macros_.set_live("DOLLAR", "$");
    read_file(file);
    if (result_.groups.empty() && !has_queue_) {
      refuse({file.string()}, "no queue statement", "condor_submit would submit nothing",
             "Is this a submit file? Add 'queue', or name another file.");
    }
    for (auto const& [name, value] : result_.commands) {
      if (macros_.is_used(name)) result_.macros.insert(name);
    }
    result_.notes = macros_.take_notes();
    std::ranges::stable_sort(result_.notes, [](auto const& a, auto const& b) {
      return a.where.file == b.where.file && a.where.line < b.where.line;
    });
  }

 private:
  void read_file(fs::path const& file) {
    open_.push_back(real_path(file));
    std::string const text = folder_.read(file);
    result_.read.push_back(file);
    if (text.size() > longest_file) refuse({file.string()}, "too long for a submit file");
    SubmitLines lines(text);
    SubmitConditions conditions;
    while (auto const line = lines.next()) {
      Location const where{file.string(), line->number};
      // To a condition, an empty macro is none.
      auto const is_defined = [this](std::string_view name) {
        auto const* const value = macros_.find(name);
        return value != nullptr && !value->empty();
      };
      auto const expand = [&](std::string_view t) { return macros_.expand(t, where); };
      auto const kind = conditions.take(line->text, where, is_defined, expand);
      if (kind == SubmitConditions::Line::condition) continue;
      take(*line, lines, where, conditions.active());
    }
    conditions.end();
    open_.pop_back();
  }

  void take(SubmitLine const& line, SubmitLines& lines, Location const& where, bool active) {
    std::string_view rest;
    std::string_view const text = line.text;
    auto const equals = text.find('=');
    bool const assigns =
        equals != std::string_view::npos && is_command_name(trim(text.substr(0, equals)));
    if (assigns) {
      if (active) assign(trim(text.substr(0, equals)), trim(text.substr(equals + 1)), where);
    } else if (equals != std::string_view::npos && equals > 0 && text[equals - 1] == '@') {
      assign_lines(trim(text.substr(0, equals - 1)), trim(text.substr(equals + 1)), lines, where,
                   active);
    } else if (begins(text, "queue", rest)) {
      queue(rest, lines, where, active);
    } else if (!active) {
      return;
    } else if (begins(text, "include", rest)) {
      include(rest, where);
    } else if (begins(text, "error", rest) && trim(rest).starts_with(':')) {
      refuse(where, fmt::format("the file stops with an error: {}", trim(trim(rest).substr(1))),
             "condor_submit stops there", "");
    } else {
      macros_.note(where, fmt::format("not understood: {}", text.substr(0, 100)),
                   SubmitAction::recommended);
    }
  }

  void assign(std::string_view name, std::string_view value, Location const& where) {
    std::string known(name);
    if (name.starts_with('+')) known = "+" + std::string(trim(name.substr(1)));
    if (same_ignoring_case(name.substr(0, 3), "MY.")) known = "+" + known.substr(3);
    macros_.define(known, std::string(value), where);
  }

  /// name @=tag, and the lines of the value up to @tag.
  void assign_lines(std::string_view name, std::string_view tag, SubmitLines& lines,
                    Location const& where, bool active) {
    std::string const end = "@" + std::string(tag);
    auto value = lines.until([&end](std::string_view line) { return line == end; });
    if (!value) refuse(where, fmt::format("{} @={} has no end", name, tag), "", "Add " + end + ".");
    value->pop_back();
    if (active) assign(name, fmt::format("{}", fmt::join(*value, " ")), where);
  }

  void include(std::string_view rest, Location const& where) {
    auto const colon = rest.find(':');
    if (colon == std::string_view::npos) {
      refuse(where, "include without ':'", "", "Write 'include : FILE'.");
    }
    auto const options = lower(trim(rest.substr(0, colon)));
    std::string const name(trim(macros_.expand(trim(rest.substr(colon + 1)), where)));
    bool const is_command = name.ends_with('|') || options.find("command") != std::string::npos;
    if (is_command || options.find("into") != std::string::npos) {
      macros_.note(where, fmt::format("not understood: include of a command's output ({})", name),
                   SubmitAction::recommended);
      return;
    }
    NameFolders folders = result_.folders;
    add_folder(folders, open_.back().parent_path());
    fs::path const file = found(folders, name, where);
    auto const same = std::ranges::find(open_, real_path(file));
    if (same != open_.end() || open_.size() >= deepest_include) {
      std::vector<std::string> chain;
      for (auto const& open : open_) chain.push_back(open.filename().string());
      refuse(where, fmt::format("include : {} is a loop", name),
             fmt::format("{} -> {}", fmt::join(chain, " -> "), file.filename().string()),
             "Take the line out of one of them.");
    }
    if (++includes_ > most_includes) {
      refuse(where, fmt::format("more than {} includes", most_includes), "", "Include less.");
    }
    try {
      expect_ordinary_file(file);
      folder_.read(file);
    } catch (InputError const& error) {
      if (options.find("ifexist") != std::string::npos) return;
      refuse(where, fmt::format("include : {}", error.problems().front().to_text()));
    }
    read_file(file.lexically_proximate(real_path(".")));
  }

  void queue(std::string_view text, SubmitLines& lines, Location const& where, bool active) {
    SubmitQueue statement = parse_queue(text, where);
    if (statement.is_open) {
      bool const whole_lines = statement.source == SubmitQueue::Source::from_lines;
      auto more = whole_lines ? lines.items_in_brackets() : lines.until(has_end);
      if (!more) refuse(where, "the list of this queue statement has no end", "", "Add ')'.");
      if (whole_lines) {
        statement.lines.insert(statement.lines.end(), more->begin(), more->end());
        if (active) note_odd_items("the list", *more, where);
      } else {
        more->back().resize(more->back().find(')'));
        statement.content += fmt::format("\n{}", fmt::join(*more, "\n"));
      }
    }
    if (!active) return;
    auto const items =
        sliced(items_of(statement, where), macros_.expand(statement.slice, where), where);
    int const count = count_of(statement, where);
    has_queue_ = true;
    prepare_groups(where);
    if (statement.source == SubmitQueue::Source::none) {
      queue_jobs(statement, {}, 0, count, where);
      return;
    }
    for (std::size_t row = 0; row < items.size(); ++row) {
      queue_jobs(statement, items[row], static_cast<int>(row), count, where);
    }
    for (auto const& name : statement.names) macros_.clear_live(name);
  }

  int count_of(SubmitQueue const& statement, Location const& where) {
    std::string const text = macros_.expand(statement.count, where);
    if (trim(text).empty()) return 1;
    classad::Ad const nothing;
    auto const value = classad::evaluate(classad::parse(text, where), {nothing});
    if (!value.is_number() || value.number() < 0 || value.number() > most_jobs) {
      refuse(where, fmt::format("queue {}: not a number of jobs", text),
             fmt::format("it has to be from 0 to {}", most_jobs));
    }
    return static_cast<int>(value.number());
  }

  std::vector<std::string> items_of(SubmitQueue const& statement, Location const& where) {
    using Source = SubmitQueue::Source;
    switch (statement.source) {
      case Source::none:
        return {};
      case Source::in:
        return list_items(macros_.expand(statement.content, where));
      case Source::from_lines:
        return statement.lines;
      case Source::from_file:
        return file_lines(macros_.expand(statement.content, where), where);
      case Source::from_command:
        refuse(where,
               fmt::format("queue from {}: a command's output is not read", statement.content),
               "how many jobs there are is not known",
               "Write its output to a file, and queue from that.");
      case Source::matching:
        return matching(statement, where);
    }
    return {};
  }

  std::vector<std::string> file_lines(std::string const& name, Location const& where) {
    try {
      fs::path const file = found(result_.folders, name, where);
      expect_ordinary_file(file);
      std::string const text = folder_.read(file);
      result_.read.push_back(file);
      auto items = SubmitLines(text).items();
      note_odd_items(name, items, where);
      return items;
    } catch (InputError const& error) {
      Problem const& problem = error.problems().front();
      refuse(where, fmt::format("queue from {}: {}", problem.where.file, problem.what), problem.why,
             std::string(trim(problem.hint + " Each of its lines is a job.")));
    }
  }

  /// A file that the submit file names.
  fs::path found(NameFolders const& folders, std::string const& name, Location const& where) {
    result_.names_files = true;
    NamedFile const file = named_file(folders, name);
    if (!file.other.empty()) macros_.note(where, note_on_other(file), SubmitAction::recommended);
    return file.path;
  }

  /// Lines of a list that a person does not take for items, and HTCondor does.
  void note_odd_items(std::string const& list, std::vector<std::string> const& items,
                      Location const& where) {
    auto const comments =
        std::ranges::count_if(items, [](auto const& item) { return item.starts_with('#'); });
    auto const empty = std::ranges::count(items, "");
    if (comments + empty == 0) return;
    std::vector<std::string> kinds;
    if (comments > 0) kinds.push_back(fmt::format("{} with # at the beginning", comments));
    if (empty > 0) kinds.push_back(fmt::format("{} empty", empty));
    macros_.note(where,
                 fmt::format("condor_submit queues jobs for all lines of {}, also for {}", list,
                             fmt::join(kinds, " and ")),
                 SubmitAction::recommended);
  }

  std::vector<std::string> matching(SubmitQueue const& statement, Location const& where) {
    auto const kind = kind_to_match(statement, where);
    bool const again =
        expanded_command({"SubmitAllowDuplicateMatches", "submit_allow_duplicate_matches"},
                         where) == "true";
    std::vector<std::string> all;
    std::set<std::string> seen;
    for (auto const& pattern : list_items(macros_.expand(statement.content, where))) {
      for (std::string& name : matching(pattern, kind, where)) {
        if (seen.insert(name).second || again) all.push_back(std::move(name));
      }
    }
    if (all.empty()) {
      refuse(where, fmt::format("queue matching {}: nothing matches", statement.content),
             "condor_submit would submit nothing",
             "Names are taken from the current folder, or else from the submit file's.");
    }
    return all;
  }

  /// Files and folders, unless the statement or the command SubmitMatchDirectories says otherwise.
  SubmitFolder::Kind kind_to_match(SubmitQueue const& statement, Location const& where) {
    using Kind = SubmitFolder::Kind;
    auto const& word = statement.matching;
    if (!word.empty())
      return word == "dirs" ? Kind::folders : word == "any" ? Kind::any : Kind::files;
    auto const folders =
        expanded_command({"SubmitMatchDirectories", "submit_match_directories"}, where);
    if (folders == "only") return Kind::folders;
    bool const none = folders == "never" || folders == "no" || folders == "false";
    return none ? Kind::files : Kind::any;
  }

  /// In lower case; empty without the command, which has two names.
  std::string expanded_command(std::initializer_list<char const*> names, Location const& where) {
    for (char const* const name : names) {
      if (auto const* const text = macros_.find(name)) {
        return lower(trim(macros_.expand(*text, where)));
      }
    }
    return "";
  }

  /// Of the first folder that has any.
  std::vector<std::string> matching(std::string const& pattern, SubmitFolder::Kind kind,
                                    Location const& where) {
    result_.names_files = true;
    std::vector<std::string> first;
    for (fs::path const& folder : result_.folders) {
      auto names = folder_.matching(folder, pattern, kind);
      bool const differs = !first.empty() && !names.empty() && names != first;
      if (differs) {
        macros_.note(where,
                     fmt::format("files of the current folder match {}, as in HTCondor; those of "
                                 "{} differ",
                                 pattern, folder.string()),
                     SubmitAction::recommended);
      }
      if (first.empty()) first = std::move(names);
    }
    return first;
  }

  void queue_jobs(SubmitQueue const& statement, std::string const& item, int row, int count,
                  Location const& where) {
    auto const parts = item_parts(item, std::max<std::size_t>(statement.names.size(), 1));
    for (std::size_t i = 0; i < statement.names.size(); ++i) {
      macros_.set_live(statement.names[i], parts[i]);
    }
    for (int step = 0; step < count; ++step) {
      if (process_ >= most_jobs) {
        refuse(where, fmt::format("more than {} jobs", most_jobs), "", "Queue fewer.");
      }
      for (char const* name : {"Process", "ProcId"}) {
        macros_.set_live(name, std::to_string(process_));
      }
      macros_.set_live("JobId", fmt::format("1.{}", process_));
      macros_.set_live("Step", std::to_string(step));
      for (char const* name : {"Row", "ItemIndex"}) macros_.set_live(name, std::to_string(row));
      add_job(where);
      ++process_;
    }
  }

  /// Which deciding commands there are, and which may differ from job to job.
  void prepare_groups(Location const& where) {
    common_key_ = fmt::format("{}:{}", where.file, where.line);
    varying_.clear();
    for (std::string const& name : deciding_) {
      auto const found = macros_.defined().find(name);
      if (found == macros_.defined().end()) continue;
      if (found->second.text.find('$') == std::string::npos) {
        common_key_ += fmt::format("\n{}={}", name, found->second.text);
      } else {
        varying_.push_back(name);
      }
    }
    last_key_.clear();
  }

  /// The group of jobs like the present one; a new one if there is none.
  void add_job(Location const& where) {
    std::string key = common_key_;
    for (std::string const& name : varying_) {
      key += fmt::format("\n{}={}", name, as_of_now(name).text);
    }
    if (key != last_key_) {
      auto const [place, is_new] = group_of_.emplace(key, result_.groups.size());
      if (is_new) add_group(where);
      last_group_ = place->second;
      last_key_ = std::move(key);
    }
    ++result_.groups[last_group_].jobs;
    result_.groups[last_group_].processes.push_back(process_);
  }

  void add_group(Location const& where) {
    SubmitGroup& group = result_.groups.emplace_back();
    group.queue = where;
    for (std::string const& name : deciding_) {
      if (macros_.defined().contains(name)) group.commands[name] = as_of_now(name);
    }
    for (auto const& [name, value] : macros_.defined()) {
      if (!result_.commands.contains(name)) result_.commands[name] = as_of_now(name);
    }
  }

  SubmitValue as_of_now(std::string const& name) {
    SubmitValue const& value = macros_.defined().at(name);
    return {macros_.expand(value.text, value.where), value.where};
  }

  SubmitFile& result_;
  std::vector<std::string> const& deciding_;
  SubmitFolder const& folder_;
  SubmitMacros macros_;
  std::vector<fs::path> open_;
  std::map<std::string, std::size_t> group_of_;
  std::string common_key_, last_key_;
  std::vector<std::string> varying_;
  std::size_t last_group_ = 0;
  int includes_ = 0;
  int process_ = 0;
  bool has_queue_ = false;
};

}  // namespace

NameFolders folders_beside(fs::path const& file) {
  fs::path const folder = file.parent_path();
  std::error_code error;
  if (folder.empty() || fs::equivalent(folder, fs::current_path(error), error)) return {folder};
  return {fs::path(), folder};
}

void add_folder(NameFolders& folders, fs::path const& folder) {
  if (!contains(folders, folder)) folders.push_back(folder);
}

NameFolders below(NameFolders const& folders, fs::path const& name) {
  NameFolders all;
  for (fs::path const& folder : folders) add_folder(all, folder / name);
  return all;
}

NamedFile named_file(NameFolders const& folders, fs::path const& name) {
  return find(folders, name, is_file);
}

NamedFile named_path(NameFolders const& folders, fs::path const& name) {
  return find(folders, name, is_path);
}

std::string note_on_other(NamedFile const& file) {
  if (file.other.empty()) return {};
  return fmt::format("{} counts, as HTCondor takes names from the current folder; {} differs",
                     file.path.string(), file.other.string());
}

SubmitFolder const& real_submit_folder() {
  static RealFolder const folder;
  return folder;
}

std::string text_of(SubmitCommands const& commands, std::string const& command) {
  auto const found = commands.find(command);
  return found == commands.end() ? "" : found->second.text;
}

int SubmitFile::jobs() const { return sum_of<int>(groups, &SubmitGroup::jobs); }

SubmitFile read_submit_file(fs::path const& file, std::vector<std::string> const& deciding,
                            SubmitFolder const& folder, NameFolders folders) {
  SubmitFile result;
  result.file = file;
  result.folders = folders.empty() ? folders_beside(file) : std::move(folders);
  Reader(result, deciding, folder).read(file);
  put_in_own_attributes(result);
  return result;
}

}  // namespace gridcast::condor
