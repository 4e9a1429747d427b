// gridcast init FROM: files of other programs as gridcast's. A submit file or a DAG becomes a
// scenario; a trace becomes a scenario with its pool and calibration; a workload of DLIO becomes a
// profile, and a table a column map, which its owner completes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/cli/input_kind.hpp"
#include "sim/cli/submit_scenario.hpp"
#include "sim/cli/verb_files.hpp"

namespace gridcast::cli {

struct FromArguments {
  fs::path from, out;  // out empty: named after `from`, or standard output
  bool force = false;
  ImportSubmitOptions job = {};        // of a submit file or a DAG
  std::vector<fs::path> records = {};  // of a DAG: nodes that are done
  RecordArguments record = {};
  std::optional<int> max_nodes = {};
  std::vector<std::string> overrides = {};  // "PATH=VALUE", of the scenario that is written
  std::string gpu = {};                     // of a workload; empty: from its name
  std::optional<int> slots = {};            // of a trace
  std::string rate = "100 MB/s";            // of a workflow's input
  bool verbose = false;
};

/// The text of a scenario with the overrides. It is read as if it stood in `out`; InputError if it
/// cannot be simulated, at the file that it is made from, if there is one.
std::string checked_text(fs::path const& out, std::string const& text,
                         std::vector<std::string> const& overrides, fs::path const& made_from = {});

/// All but FROM, -o, --force, --set and --calibration.
void add_from_options(Verb& verb, FromArguments& arguments);

/// Writes the result of the file's kind. Returns the exit code.
void init_from(InputKind kind, FromArguments arguments);

}  // namespace gridcast::cli
