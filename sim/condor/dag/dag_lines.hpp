// The lines of a DAG file as words: comments left out, lines that go on put together, submit
// descriptions in brackets kept whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::condor {

/// True if a submit description in brackets, { ... } or @=END ... @END, begins in a line.
enum class DagBlock : std::uint8_t { none, closed, open };  // open: the file ends in it

struct DagLine {
  int number = 0;                  // where it begins, from 1
  std::vector<std::string> words;  // at least one; without the bracket
  std::string rest = {};           // behind the second word, as it stands
  DagBlock block = DagBlock::none;
  std::string description = {};
};

/// Without empty lines and comments.
std::vector<DagLine> dag_lines(std::string_view text);

/// A value of VARS: a line of the submit description.
struct DagVar {
  std::string name, value;
  bool appended = false;  // APPEND: it stands before the queue statement, else at the top

  bool operator==(DagVar const&) const = default;
};

/// KEY="VALUE" pairs, \" and \\ undone, perhaps after PREPEND or APPEND. None if they are of
/// another form. Example: APPEND request_memory="64GB" is {"request_memory", "64GB", true}.
std::optional<std::vector<DagVar>> dag_vars(std::string_view text);

/// ABORT-DAG-ON NAME CODE [RETURN CODE].
struct DagAbort {
  int code = 0;
  std::optional<int> result = {};
};
/// None if the words are of another form.
std::optional<DagAbort> dag_abort(std::vector<std::string> const& words);

/// The form of a command, in capitals, with its arguments.
std::string form_of(std::string const& command);
/// The effect of a command, in capitals, that is not simulated; nothing for other commands.
std::optional<std::string> left_out_command(std::string const& command);
/// The remedy for a command that DAGMan does not have, in capitals.
std::string hint_for_unknown(std::string const& command);
/// True if a command concerns DAGMan's own files only.
bool is_silent_command(std::string const& command);

// The file that a DAG's CONFIG names contains DAGMan's settings, in the form of HTCondor's
// configuration files. HTCondor manual, "Configuration Macros for DAGMan". Left out: conditions,
// includes and macros in values.

struct DagSetting {
  std::string value;
  Location where;
};

/// By name in capitals; the last of a name counts.
std::map<std::string, DagSetting> dag_settings(std::string_view text, std::string const& file);

/// True if the setting would change the simulation, and is not simulated.
bool is_left_out_setting(std::string_view name);

// Rescue files stand beside a DAG and name its finished nodes.
// HTCondor manual, "DAGMan Rescue DAG".

/// The rescue files of a DAG and its inner DAGs. Thousands of inner DAGs can stand in one folder,
/// which is therefore listed once.
class RescueFiles {
 public:
  /// "FILE.rescue001" and on; the highest, none if there is none.
  std::filesystem::path latest(std::filesystem::path const& file);

 private:
  using Latest = std::map<std::string, std::string>;  // by the DAG's name
  std::map<std::string, Latest> folders_;
};

}  // namespace gridcast::condor
