// What a comparison decides: the best strategy, the cost and the regret of each choice under each
// explanation, the observations that would tell the explanations apart, and the strategies that
// are not ranked.
#pragma once

#include <string>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/view/section.hpp"

namespace gridcast::report {

/// The headline, and all that follows; empty without a verdict.
Section verdict(Result const& result);
/// What each choice costs under each explanation.
Section regrets(Result const& result);
/// What would tell the explanations apart; empty where nothing would.
Section observations(Result const& result);

/// Sentences of an answer: the verdict and the best observation.
std::vector<std::string> verdict_sentences(Result const& result);
/// What it would cost to be wrong: empty where nothing, or where it is not ranked.
std::string regret_sentence(Result const& result, std::size_t strategy);
/// One for each strategy that is not ranked, and where no job ever ran; none otherwise.
std::vector<std::string> standing_sentences(Result const& result);

/// "The calibration leaves open 71 % of the makespan's variance over campaigns, ...": empty where
/// the replicas do not show it.
std::string spread_sentence(Result const& result, ResultStrategy const& strategy);
/// The spread sentence, or what it takes where the replicas are too few; may be empty.
std::string spread_doubt(Result const& result, ResultStrategy const& strategy);

}  // namespace gridcast::report
