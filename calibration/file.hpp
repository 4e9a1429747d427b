// The calibration file as text: what was fitted, from what, how sure, and the joint draws that the
// simulator lives in (sim/scenario/calibration.hpp reads it). Same document, same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "calibration/estimate.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"

namespace gridcast {

struct CalibrationInput {
  std::string file;  // as given on the command line
  std::string sha256;
  std::size_t rows = 0;
};

/// How much the data speak for one of several rival models.
struct ModelWeight {
  std::string name;
  double weight = 0;
  Interval interval90;
};

struct CalibrationDocument {
  std::string profile;  // the workload, e.g. "resnet50-imagenet"
  std::string version;  // of the program, without the commit: the bytes must not change with it
  std::string command;  // makes this very file
  std::vector<CalibrationInput> inputs;
  std::string pool_file;
  std::string pool_sha256;
  int epochs = 1;
  Bytes input_size;
  std::uint64_t seed = 1;
  std::vector<ModelWeight> model_weights;
  Fit fit;
};

/// Numbers with six significant digits; strings quoted where YAML would read them otherwise.
std::string calibration_yaml(CalibrationDocument const& document);

}  // namespace gridcast
