// gridcast predict --gpus 1,2,4: more GPUs a job, or more jobs at a time? The same campaign with so many
// GPUs for each of its jobs, under the pool's own supply: nodes with several free GPUs are fewer.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/study_arguments.hpp"

namespace gridcast::cli {

struct GpuQuestion {
  std::filesystem::path scenario;
  std::string strategy;                // empty: the baseline
  std::vector<std::string> overrides;  // "PATH=VALUE"
  std::string counts;                  // "1,2,4"
  StudyArguments study;
};

/// Exit code.
int answer_gpu_question(GpuQuestion const& question);

}  // namespace gridcast::cli
