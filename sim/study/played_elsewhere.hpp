// Studies of replicas that other processes played, and by what it is known that they belong to one study.
#pragma once

#include <string>
#include <string_view>

#include "sim/study/comparison.hpp"
#include "sim/study/prediction.hpp"

namespace gridcast::study {

/// By what replicas are told apart from those of other studies: of scenario, pool and calibration, seed,
/// options, `what` (which tells studies of one scenario and seed apart) and the program, as
/// `computed_by` names it.
std::string study_fingerprint(scenario::Scenario const& scenario, StudyOptions const& options,
                              std::string const& what, std::string const& computed_by);
/// This program on this machine.
std::string computed_here();

/// What study_fingerprint() is told of a prediction under the strategy, and of a comparison.
std::string what_is_predicted(std::string const& strategy);
inline constexpr std::string_view what_is_compared = "compare";

/// As predict() gives it.
Prediction prediction_of(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                         StudyOptions const& options, PoolResult played);
/// As compare() gives it, without smaller runs. A replica of a strategy is numbered replica x strategies +
/// strategy.
Comparison comparison_of(scenario::Scenario const& scenario, StudyOptions const& options,
                         PoolResult played);

}  // namespace gridcast::study
