// From job tables and a pool to a calibration: every fit, in order.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "calibration/file.hpp"
#include "calibration/simulated_fit.hpp"

namespace gridcast::calibration {

struct CalibrationRequest {
  std::vector<std::filesystem::path> tables;
  std::filesystem::path pool;
  std::string profile = "resnet50-imagenet";
  int epochs = 5;                   // the table does not say
  Bytes input_size = Bytes(137e9);  // nor this
  std::uint64_t seed = 1;
  std::string command;  // for the file's header
  std::string version;
  SimulatedFitOptions simulated;
};

/// InputError for bad tables or pool, a table without a success, or one with too little to fit;
/// CalibrationInterrupted on Ctrl-C.
CalibrationDocument calibrate(CalibrationRequest const& request);

}  // namespace gridcast::calibration
