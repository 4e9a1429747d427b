// Scores of forecasts as JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "sim/study/conformal.hpp"

namespace gridcast::report {

inline constexpr char validation_schema[] = "gridcast.validation/1";

/// What was scored, and with what.
struct ScoresFacts {
  std::string design;  // "against", "campaign", "site", "part", "pairs"
  std::string calibration;
  std::size_t replicas = 0;
  std::uint64_t seed = 1;
};

/// `conformal`: of campaigns that were left out; null of others.
std::string scores_json(ScoresFacts const& facts, study::ScoreTable const& table,
                        study::ConformalTable const* conformal = nullptr);

/// A row for each figure of each record.
std::string scores_csv(std::vector<study::ScoredRecord> const& records);

}  // namespace gridcast::report
