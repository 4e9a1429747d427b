// The scores of `gridcast calibrate --check --against` and `--leave-one`: forecasts of past
// campaigns, from earlier records, compared with their records.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/cli/validation_record.hpp"

namespace gridcast::cli {

struct ScoreArguments {
  std::vector<std::filesystem::path> files;  // a calibration; with leave_one, records
  std::vector<std::filesystem::path> against;
  std::filesystem::path last;  // the record of the first plain guess; empty: the calibration's own
  std::string leave_one;       // "campaign", "part"; empty: none
  std::string from = "rest";   // with "campaign": "rest" or "each"
  ValidationArguments records;
  std::uint32_t replicas = 200;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  bool json = false, force = false, verbose = false, quiet = false;
  std::filesystem::path csv;  // folder; empty: none
};

/// --against, --last, --leave-one, --from, -n, --seed, -j, --json, --csv, and those of records.
void add_score_options(Verb& verb, ScoreArguments& arguments);

/// Forecasts each record of --against from the calibration, and scores the forecasts. The exit
/// code.
int score_against(ScoreArguments const& arguments);

/// Forecasts the parts of the records that --leave-one names from the rest. The exit code.
int score_left_out(ScoreArguments const& arguments);

}  // namespace gridcast::cli
