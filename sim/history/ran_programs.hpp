// Which programs the jobs of a record ran, by their labels: those of ads (Cmd, Args) and of
// tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/history/job_history.hpp"

namespace gridcast::history {

struct RanProgram {
  std::string executable;
  std::optional<std::string> arguments = {};  // none: unknown
  auto operator<=>(RanProgram const&) const = default;
};

/// Those of most jobs first, of equally many that of the earlier job; a hundred at the most, as
/// each job of a sweep has arguments of its own. `arguments_known`: a job without arguments has
/// none, as by its ad; otherwise, as in a table, they are unknown.
std::vector<RanProgram> ran_programs(JobHistory const& history, bool arguments_known);

/// The job's executable, else its DAG node without the number at its end; empty where the record
/// names neither.
///   "/home/ann/train.sh"; "train" of the node "train_03"
std::string program_of(JobHistory const& history, std::size_t job);
/// "train" of the DAG node "train_03".
std::string program_of_node(std::string const& node);

}  // namespace gridcast::history
