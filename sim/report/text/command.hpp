// The program's verbs and options as a value, and how shells complete them: the source of help,
// completion and the manual page. sim/cli/command_line reads it off the parser itself: none of them
// can differ from the program.
//
// Each completion script first walks over the verbs that are typed already to a path such as
// "lesson run", and then offers the words that belong there: an option's values behind an option
// that takes one, options behind a dash, verbs if there are verbs, files otherwise.
#pragma once

#include <string>
#include <vector>

namespace gridcast::report {

struct CommandOption {
  std::vector<std::string> names =
      {};                     // "-n", "--replicas"; of a positional its only name, "SCENARIO"
  std::string group = {};     // title of the group that it is shown in; empty: none
  std::string value = {};     // what it takes, "N"; empty: a flag
  std::string fallback = {};  // the value without it, on this machine; empty: nothing
  std::string words = {};
  std::vector<std::string> choices = {};  // all values that there are; empty: not a list
  bool required = false;
  bool repeated = false;  // takes more than one value
};

struct Command {
  std::string path;  // "gridcast lesson run"
  std::string words;
  std::vector<std::string> examples;  // one a command, whole
  std::string notes;                  // lines below the examples
  std::vector<CommandOption> positionals, options;
  std::vector<Command> verbs;
};

/// "run" of "gridcast lesson run".
std::string last_name(Command const& command);
/// "gridcast forecast [OPTIONS] WORK"; the brackets only where there are options.
std::string synopsis(Command const& command);
/// "-n, --replicas N", "FILE...".
std::string option_title(CommandOption const& option);

/// The words contain the default, in any place: "(default: one a core)".
bool has_default_text(CommandOption const& option);

/// The kind of an option's or positional's value, for completion by a shell.
enum class ValueKind { none, word, choice, file, folder };
ValueKind kind_of_value(CommandOption const& option);

std::string bash_completion(Command const& program);
std::string zsh_completion(Command const& program);

}  // namespace gridcast::report
