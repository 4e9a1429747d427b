// Scores of forecasts: in twelve lines, in tables, as JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/study/forecast_scores.hpp"

namespace gridcast::report {

inline constexpr char validation_schema[] = "gridcast.validation/1";

/// The options of a validation.
struct ScoresFacts {
  std::string design;  // "against", "campaign", "site", "part", "pairs"
  std::string calibration;
  std::size_t replicas = 0;
  std::uint64_t seed = 1;
};

std::string brief_scores(study::ScoreTable const& table, Screen const& screen);
/// By figure and by campaign, then coverage and skill.
std::string scores_text(study::ScoreTable const& table, Screen const& screen);
std::string scores_json(ScoresFacts const& facts, study::ScoreTable const& table);

/// A row for each figure of each record.
std::string scores_csv(std::vector<study::ScoredRecord> const& records);

}  // namespace gridcast::report
