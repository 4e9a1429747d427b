// A campaign to come, as verbs name it: a scenario, or a submit file or DAG with the records that
// its calibration is made from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/cli/verb_files.hpp"

namespace gridcast::cli {

struct WorkArguments {
  std::filesystem::path file;
  std::vector<std::filesystem::path> records = {};
  RecordArguments record = {};

  bool is_scenario() const;
  /// The files as the user typed them.
  std::string typed() const;
};

/// WORK, RECORD and the options of records.
void add_work_arguments(Verb& verb, WorkArguments& arguments);

/// InputError for a scenario with records, and for other work without any.
void check_work(WorkArguments const& arguments);

/// The names of the files that make_work_scenario() writes.
std::vector<std::string> work_files();

/// Calibrates the records and writes calibration, pool and scenario to the folder. The scenario's
/// file. InputError.
std::filesystem::path make_work_scenario(WorkArguments const& arguments,
                                         std::filesystem::path const& folder);

}  // namespace gridcast::cli
