// What a calibration's file tells of the record behind it: how probable the rival explanations are
// (`model_weights`), and how many jobs were recorded. It is shown beside an answer and decides nothing:
// what is drawn are the rows of the draws.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::scenario {

class YamlDocument;

struct HypothesisWeight {
  Hypothesis hypothesis = Hypothesis::overload;
  double prior = 0;
  double log_bayes_factor = 0;  // natural, against all others together
  double posterior = 0;
};

struct CalibrationRecord {
  /// Empty where the file has none that is known here. An explanation that has a line of its own counts as
  /// that says; of others, kinds and scopes are summed up.
  std::vector<HypothesisWeight> weights = {};
  /// Rows of tables, jobs of logs; nothing where the file does not tell.
  std::optional<std::size_t> jobs = {};
};

/// Of a calibration's file, a map.
CalibrationRecord record_in(YamlDocument const& file);

/// The explanation that a line of `model_weights` is of: by its own name; or, of a fit that tells
/// scopes apart, by kind and scope ("dead, cache", "none ..."). Nothing for other words.
std::optional<Hypothesis> hypothesis_of_weight(std::string_view name);

}  // namespace gridcast::scenario
