// gridcast open SCENARIO --stream: a prediction as its page gets it, a JSON object a line
// (sim/report/data/answer_json.hpp), the first as soon as there is anything to tell.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/study_arguments.hpp"

namespace gridcast::cli {

struct StreamArguments {
  std::string strategy;  // empty: the baseline
  std::vector<std::string> overrides = {};
  StudyArguments study = {};
};

int stream_answers(std::filesystem::path const& scenario, StreamArguments const& arguments);

}  // namespace gridcast::cli
