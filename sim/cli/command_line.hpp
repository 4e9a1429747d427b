// The command line: verbs and their options as each verb describes them, and the parsed request.
// The parser behind it is CLI11. Only command_line.cpp includes it, because it takes longer to
// compile than a verb does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/report/text/command.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// The exit status of the program: the same for every verb, and never another number.
namespace gridcast::cli::exit_code {

inline constexpr int done = 0;
inline constexpr int failed = 1;         // the simulation, or gridcast itself
inline constexpr int bad_input = 2;      // usage or input
inline constexpr int incomplete = 3;     // the study was finished, but replicas failed
inline constexpr int wrong_answer = 4;   // to a lesson
inline constexpr int interrupted = 130;  // Ctrl-C: the results so far are shown, as partial

}  // namespace gridcast::cli::exit_code

namespace gridcast::cli {

namespace fs = std::filesystem;

/// The variable for the value of an option; its value before parsing is the default.
using Target =
    std::variant<std::string*, fs::path*, int*, std::uint32_t*, std::uint64_t*, double*,
                 std::optional<double>*, std::optional<int>*, std::optional<std::uint32_t>*,
                 std::optional<std::uint64_t>*, std::vector<std::string>*, std::vector<fs::path>*>;

/// An option, a flag or a positional argument of a verb; a handle for its further properties.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& required();
  /// The help and the manual page show the default.
  Option& shows_default();
  /// A whole number from `least` to `most`, in digits only.
  Option& whole_number(std::uint64_t least,
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
  Option& number_within(double least, double most);
  Option& positive_number();
  /// One of these words, which completion offers.
  Option& one_of(std::vector<std::string> const& words);
  /// Completion offers these words, but others are taken too.
  Option& suggests(std::vector<std::string> const& words);
  /// `wrong` returns the error in a value; empty if it is good.
  Option& check(std::function<std::string(std::string const&)> wrong);
  /// As often as one likes, with one value each time.
  Option& repeatable();
  Option& excludes(Option const& other);
  Option& needs(Option const& other);

 private:
  CLI::Option* option_;
};

/// A verb, or the program itself; a handle.
class Verb {
 public:
  using Run = std::function<int()>;  // gives the exit code

  Verb(CLI::App& app, Run& chosen) : app_(&app), chosen_(&chosen) {}

  /// "--seed" or "-n,--replicas"; `value` is the name of its value in the help.
  Option option(std::string const& names, Target target, std::string const& help,
                std::string const& value);
  Option flag(std::string const& names, bool& target, std::string const& help);
  Option positional(std::string const& name, Target target, std::string const& help);
  /// Options under a heading of their own.
  Verb group(std::string const& heading);
  /// A verb below this one.
  Verb verb(std::string const& name, std::string const& help);
  /// The same, chosen by a flag anywhere behind this verb: `calibrate FILE --check`. It has options
  /// of its own, and those of this verb do not count.
  Verb mode(std::string const& flag, std::string const& help);
  /// It does nothing but lead to those below it.
  void needs_verb();
  /// Examples, each indented by two blanks, and notes. Verbs that are added later inherit it.
  void footer(std::string const& text);
  void runs(Run run);
  /// An action that gives no exit code always ends with exit_code::done.
  template <class Action>
  requires std::is_void_v<std::invoke_result_t<Action>>
  void runs(Action action) {
    runs(Run([action] {
      action();
      return exit_code::done;
    }));
  }

  /// True if an option ("--seed") was typed, once the command line is parsed.
  bool given(std::string const& option) const;

  /// The verb with its present options and nested verbs.
  report::Command tree() const;

 private:
  CLI::App* app_;
  Run* chosen_;
};

/// The names of the verbs below.
std::vector<std::string> verbs_of(report::Command const& command);

/// A problem for each of the options that was typed: its name and `where` (" with a record").
void refuse_given(Verb const& verb, std::initializer_list<char const*> options,
                  std::string const& where, std::string const& why, std::vector<Problem>& problems,
                  std::string const& hint = "Leave it out.");

/// The parsed command line.
struct Request {
  enum class Kind { verb, help, version, mistake };
  Kind kind = Kind::mistake;
  Verb::Run run = {};         // of the verb
  report::Command help = {};  // of the verb before --help
  std::string text = {};      // the version; or the mistake and its remedy
};

class CommandLine {
 public:
  /// With -h, --help, --version and --verbose of its own.
  CommandLine(std::string const& description, std::function<std::string()> version,
              std::function<std::string()> version_in_full);
  ~CommandLine();

  Verb program();
  /// `words`: without the program's name.
  Request parse(std::vector<std::string> words);

 private:
  std::unique_ptr<CLI::App> app_;
  Verb::Run chosen_;
};

/// The version of CLI11.
std::string parser_version();

/// A word as it could be typed into a POSIX shell: in quotes only where it needs them.
std::string shell_word(std::string const& word);
/// Words as they could be typed again into a POSIX shell; the program is called by its name.
std::string typed_again(std::vector<std::string> const& words);
/// The same with the program as it was called, so that more options may follow: without "--", and
/// with --force if the command has written files.
std::string with_room_for_options(std::vector<std::string> const& words);
/// The words of this process, as they could be typed: without the loader of a portable folder.
std::vector<std::string> own_words();
/// Its command line.
std::string own_command_line();

// The verbs and options of version 0.1 that have other names since 0.2: scripts that use them
// continue to work, with a note.

struct RenamedWords {
  std::vector<std::string> words;
  std::vector<std::string> notes;  // "predict is now forecast", one for each name
};

/// `words`: of a command line, without the program's name. Example: {"import", "submit", "job.sub"}
/// becomes {"init", "job.sub"}.
RenamedWords with_new_names(std::vector<std::string> words);

/// "calibrate --check" for "validate"; empty for all others.
std::string new_name(std::string const& verb);

// The verbs: each adds itself to the program, or to the verb above it, with its options and its
// action. Also the version of the program.

/// "gridcast 0.2.0 (9e01f93)".
std::string version_text();

/// Names and versions of the compiler and each library of the build.
std::vector<std::pair<std::string, std::string>> built_with();

/// The same as CITATION.cff, in words.
std::string citation_text();

/// All of these.
std::string version_in_full();

void add_ledger(Verb& program);
void add_forecast(Verb& program);
void add_watch(Verb& program);
void add_compare(Verb& program);
void add_optimize(Verb& program);
void add_open(Verb& program);
void add_lesson(Verb& program);
void add_init(Verb& program);
void add_calibrate(Verb& program);
void add_profile(Verb& program);
void add_export(Verb& program);
/// It describes all verbs that the program has when it runs.
void add_help(Verb& program);

/// compare status, gather, resume, cancel, shard.
void add_study(Verb& compare);
/// calibrate --check.
void add_check(Verb& calibrate);
/// export html.
void add_report(Verb& exports);

}  // namespace gridcast::cli
