// How good forecasts of campaigns were that took place: figures, records, and the verdict in words.
#pragma once

#include <string>
#include <vector>

#include "sim/report/text/characters.hpp"
#include "sim/study/forecast_scores.hpp"

namespace gridcast::report {

/// Coverage, ranks and skill, a sentence each.
std::vector<std::string> score_sentences(study::ScoreTable const& table);
/// What the intervals behind these are, and what was not counted.
std::vector<std::string> score_remarks(study::ScoreTable const& table);

std::string scores_text(study::ScoreTable const& table, Screen const& screen);

/// How much wider 90 % intervals have to be, by figure; what it takes where there is none.
std::string conformal_text(study::ConformalTable const& table, Screen const& screen);
/// What the corrected intervals held.
std::string conformal_sentence(study::ConformalTable const& table);

}  // namespace gridcast::report
