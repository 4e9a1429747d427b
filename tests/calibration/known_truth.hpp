// A calibration compared with the parameters of a test pool, which ran with known ones.
//
// A folder of the truth has sites.json (speeds, transfers, crashes by site; outages of its caches),
// campaign.json (hazards, people) and job.sub (`arguments = WORK EPOCHS MODE SIGMA`). Speeds count
// relative to their geometric mean: a log does not separate fast machines from little work.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"

namespace gridcast::calibration {

struct TrueParameter {
  std::string name;
  double value = 0;
};

/// Parameters of the sites in `sites`. InputError for a folder without the files.
std::vector<TrueParameter> read_truth(std::filesystem::path const& folder,
                                      std::vector<std::string> const& sites);

struct Recovery {
  Estimate fitted;
  double truth = 0;
  bool identified = false;  // the log holds at least one event of it
  bool inside = false;
};

struct RecoveryTable {
  std::vector<Recovery> rows;
  std::size_t inside = 0;  // of all rows
  std::size_t identified = 0, identified_inside = 0;
};

RecoveryTable recover(std::vector<Estimate> const& fitted, std::vector<TrueParameter> const& truth);

}  // namespace gridcast::calibration
