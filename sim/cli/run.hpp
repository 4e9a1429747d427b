// gridcast run SCENARIO: one campaign, played once, with its story and its files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"
#include "sim/cli/event_log_form.hpp"
#include "sim/cli/report_file.hpp"

namespace gridcast::cli {

struct RunOptions {
  std::filesystem::path scenario;
  std::string strategy;  // empty: the baseline
  std::optional<std::uint64_t> seed;
  std::uint32_t replica = 0;
  std::filesystem::path out;  // empty: no files
  std::string network = "auto";
  EventLogForm event_log;
  bool json = false, force = false, verbose = false, quiet = false;
  std::string colour;
  std::string detail = {};                  // "steps"; empty: a training is one timer
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
  ReportArguments report = {};
};

int run_run(RunOptions const& options);
void add_run(CLI::App& app, Select select);

}  // namespace gridcast::cli
