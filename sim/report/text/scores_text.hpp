// How good forecasts of campaigns were that took place: figures, records, and the verdict in words.
#pragma once

#include <string>

#include "sim/report/text/characters.hpp"
#include "sim/study/forecast_scores.hpp"

namespace gridcast::report {

std::string scores_text(study::ScoreTable const& table, Screen const& screen);

}  // namespace gridcast::report
