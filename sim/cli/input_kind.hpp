// The kind of a file that somebody gives to a verb, by its content; and, where the verb has no use
// for it, the command that has.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"

namespace gridcast::cli {

enum class InputKind {
  scenario,
  pool,
  calibration,
  profile,
  hardware,
  column_map,
  result,    // printed by a verb with --json
  page,      // of HTML
  platform,  // of SimGrid
  submit_file,
  dag,
  workload,  // of DLIO
  swf,
  wfformat,
  record,   // event log or ads; also a pipe, and a file that is packed
  table,    // of jobs or attempts
  unknown,  // also one that is not there
};

/// The kind by the beginning of a file, or by its name if the beginning does not decide.
InputKind kind_of(fs::path const& file);

/// A submit file or a DAG.
inline bool describes_jobs(InputKind kind) {
  return kind == InputKind::submit_file || kind == InputKind::dag;
}
inline bool is_record(InputKind kind) {
  return kind == InputKind::record || kind == InputKind::table;
}

/// The log that a submit file names, if it is there; else empty.
std::filesystem::path log_of(std::filesystem::path const& submit_file);

/// InputError for files that are certainly not of the kinds that `verb` takes, each with the right
/// command. `takes`: in words, "a scenario or records".
void refuse_other_kinds(std::vector<fs::path> const& files, std::string const& verb,
                        std::string const& takes, std::vector<InputKind> const& kinds);

}  // namespace gridcast::cli
