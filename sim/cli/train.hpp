// gridcast train: how long one training job takes, and where its time goes.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::cli {

struct TrainOptions {
  std::string profile;
  training::TrainingRequest request;
  std::string scaling;  // "1..128"
  std::string detail;   // "steps"
  std::uint64_t seed = 1;
  bool json = false;
  bool list = false;
  bool sources = false;
  bool markdown = false;
};

/// The exit code.
int run_train(TrainOptions const& options);
void add_train(CLI::App& app, Select select);

/// "1..128": 1, 2, 4, ... 128; "1,2,6": these. InputError otherwise.
std::vector<int> gpu_counts(std::string const& text);

}  // namespace gridcast::cli
