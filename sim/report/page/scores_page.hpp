// How good forecasts of campaigns were that took place, as a page: coverage, ranks and skill in words,
// each figure over all campaigns, each campaign over all figures, and each figure of each campaign in
// its intervals.
#pragma once

#include <string>
#include <vector>

#include "sim/report/page/document.hpp"
#include "sim/study/forecast_scores.hpp"

namespace gridcast::report {

struct ScoresRequest {
  std::string title, created_by, command;
  study::ScoreTable const& table;
  std::vector<study::ScoredRecord> const& records;
  std::vector<InputFileFact> inputs = {};
  study::ConformalTable const* conformal = nullptr;  // of campaigns that were left out
};

ReportDocument scores_page(ScoresRequest const& request);

}  // namespace gridcast::report
