// Forecasts that were scored: coverage, ranks and skill in words, each figure over all campaigns,
// each forecast over all figures, and the corrections of intervals that follow.
#pragma once

#include <string>
#include <vector>

#include "sim/report/view/section.hpp"
#include "sim/study/forecast_scores.hpp"

namespace gridcast::report {

/// `conformal`: of campaigns that were left out; null of others.
std::vector<Section> scores_sections(study::ScoreTable const& table,
                                     study::ConformalTable const* conformal);

/// Coverage, ranks and skill, a sentence each.
std::vector<std::string> score_sentences(study::ScoreTable const& table);

/// How much wider 90 % intervals have to be, by figure.
Section conformal_section(study::ConformalTable const& table);

}  // namespace gridcast::report
