// gridcast compare RECORD...: a recorded campaign once more, as it was or under another strategy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/study_arguments.hpp"
#include "sim/cli/verb_files.hpp"

namespace gridcast::cli {

struct RecordComparison {
  std::vector<std::filesystem::path> files = {};
  std::filesystem::path scenario = {};      // empty: the shipped one
  std::string strategy = {};                // empty: the scenario's baseline
  std::vector<std::string> overrides = {};  // of the scenario, "PATH=VALUE"
  RecordArguments record = {};
};

/// Simulates the record and answers. The exit code.
int compare_record(StudyArguments const& arguments, RecordComparison const& comparison);

}  // namespace gridcast::cli
