// What a comparison decides, in words and tables: costs and regrets under each explanation, what would
// tell them apart, and which strategies are not to choose.
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

/// For a terminal: the verdict, its table, what would decide, and who is not ranked.
std::string verdict_text(Result const& result, Screen const& screen);

/// Sentences of an answer: the verdict and the best observation.
std::vector<std::string> verdict_sentences(Result const& result);
/// What it would cost to be wrong: empty where nothing, or where it is not ranked.
std::string regret_sentence(Result const& result, std::size_t strategy);
/// One each for strategies that are not ranked, and where no job ever ran; none otherwise.
std::vector<std::string> standing_sentences(Result const& result);

/// "a run of timer-never with 100 jobs", "one starter's log of an attempt that was ended".
std::string observation_words(Result const& result, study::Observation const& observation);
/// "no byte came (42 %): upgrade, bytes came (58 %): timer-never".
std::string outcome_words(Result const& result, study::Observation const& observation);

/// "Of the makespan's variance over campaigns 71 % is what the calibration leaves open, ...": empty where
/// the replicas do not tell.
std::string spread_sentence(Result const& result, ResultStrategy const& strategy);
/// For a terminal, as a line; where the replicas are too few to tell, what it takes.
std::string spread_line(Result const& result, ResultStrategy const& strategy, Screen const& screen);

}  // namespace gridcast::report
