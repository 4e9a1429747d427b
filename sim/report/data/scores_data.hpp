// Scores of forecasts as JSON and CSV, and the corrections of intervals from them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/report/data/result.hpp"
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

/// `conformal`: if campaigns were left out; else null.
std::string scores_json(ScoresFacts const& facts, study::ScoreTable const& table,
                        study::ConformalTable const* conformal = nullptr);

/// A row for each figure of each record.
std::string scores_csv(std::vector<study::ScoredRecord> const& records);

// Conformal corrections (sim/study/forecast_scores.hpp) as `gridcast calibrate --check` writes them
// and `gridcast forecast` reads them: conformal.csv with the columns figure, campaigns, factor
// ("inf": no interval is wide enough).

inline constexpr char conformal_file[] = "conformal.csv";

std::string conformal_csv(study::ConformalTable const& table);

/// InputError with all problems of the file.
std::vector<study::ConformalFactor> read_conformal(std::filesystem::path const& file);

/// Corrects the 90 % intervals of a prediction's figures.
void correct(Result& prediction, std::vector<study::ConformalFactor> const& factors);

}  // namespace gridcast::report
