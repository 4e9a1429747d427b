// The parameters that a test pool was run with, in a calibration's words, and a calibration's
// intervals held against them: how often a 90 % interval holds the true value.
//
// A folder of truth has sites.json (speeds, transfers, crashes by site), campaign.json (hazards,
// people) and job.sub (`arguments = WORK EPOCHS MODE SIGMA`). Speeds count relative to their
// geometric mean, as a log cannot tell fast machines from little work.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

struct FittedParameter {
  std::string name;
  double estimate = 0;
  Interval interval90;
  std::size_t events = 0;
};

/// `parameters` of a calibration file.
std::vector<FittedParameter> read_parameters(std::filesystem::path const& calibration);

struct TrueParameter {
  std::string name;
  double value = 0;
};

/// Parameters of the sites in `sites`. InputError for a folder without the files.
std::vector<TrueParameter> read_truth(std::filesystem::path const& folder,
                                      std::vector<std::string> const& sites);

struct Recovery {
  FittedParameter fitted;
  double truth = 0;
  bool identified = false;  // the log holds at least one event of it
  bool inside = false;
};

struct RecoveryTable {
  std::vector<Recovery> rows;
  std::size_t inside = 0;  // of all rows
  std::size_t identified = 0, identified_inside = 0;
};

RecoveryTable recover(std::vector<FittedParameter> const& fitted,
                      std::vector<TrueParameter> const& truth);

}  // namespace gridcast::calibration
