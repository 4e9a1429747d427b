// The calibration file as text: what was fitted, from what, how sure, and the joint draws that the
// simulator lives in (sim/scenario/calibration.hpp reads it). Same document, same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibration/estimate.hpp"
#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"

namespace gridcast::calibration {

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

/// What the log itself says of a campaign that dated histories are of.
struct CampaignFacts {
  std::size_t jobs = 0;
  std::size_t attempts = 0;
  int epochs = 1;
  std::vector<Bytes> input_sizes;       // of a job's URLs; zero where unknown
  std::vector<std::string> input_urls;  // empty where unknown
  Seconds plugin_lifetime;              // after which hanging transfers ended; zero if none hung
  std::string executable;               // empty where unknown
  std::string arguments;
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
  std::optional<CampaignFacts> campaign;  // of dated histories: instead of epochs and input_size
  std::vector<ModelWeight> model_weights;
  Fit fit;
};

/// Numbers with six significant digits; strings quoted where YAML would read them otherwise.
std::string calibration_yaml(CalibrationDocument const& document);

}  // namespace gridcast::calibration
