// What a calibration file says of its fits: parameters, tests, what was not identified, and the
// files that it was made of. (The draws are read by sim/scenario/calibration.hpp.)
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "calibration/estimate.hpp"
#include "calibration/file.hpp"

namespace gridcast::calibration {

struct CalibrationContents {
  std::string profile;
  std::vector<CalibrationInput> inputs;
  int epochs = 1;
  std::vector<ModelWeight> model_weights;
  std::vector<Estimate> estimates;
  std::vector<ModelTest> tests;
  std::vector<NotIdentified> not_identified;
};

CalibrationContents read_calibration_contents(std::filesystem::path const& file);

}  // namespace gridcast::calibration
