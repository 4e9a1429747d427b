// The value of information about single parameters of the calibration: how much better the choice
// between strategies would be if a parameter were known before it. The rival explanations of the
// record are such a parameter. One starter's log of a transfer that was ended shows a part of it:
// no byte came (overload, bad path), or bytes came (slow, congestion).
//
// Each replica i has a score u(a, i) under strategy a for the goal that decides; more is better:
// the share of finished jobs, deadline met (1) or not (0), 1 / makespan (0 for "never"), successes
// per GPU hour or per unit of money. Perfect information about a parameter x is worth
//   EVPPI(x) = E_x[ max_a E(u(a) | x) ] - max_a E(u(a))
// given as a share of max_a E(u(a)). As replicas draw all parameters at once, E(u(a) | x) is the
// mean over the replicas in a bin of x (Strong & Oakley 2013, Medical Decision Making 33, 755). The
// bins hold equal numbers of replicas, 2 to 10 bins with about 40 each, or the replicas of an
// explanation.
//
// A maximum of noisy means is too large. Draws are therefore divided into 20 folds: a strategy is
// chosen for each bin from the other folds, and its scores come from the fold itself. They are
// compared with the best strategy of all replicas. The estimate therefore errs low. Its error is
// the t interval of the folds. A parameter is listed if its interval excludes zero, with a level
// that holds for all parameters together (Bonferroni), and if its value is 0.1 % at least: between
// two strategies that are almost the same, a difference of 1e-7 can be certain.
//
// Candidates are the strategies that are equal in the goals before the deciding one, and under
// which enough jobs succeed. Parameters depend on each other, so their values do not add up.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/study/choice.hpp"
#include "sim/study/comparison.hpp"

namespace gridcast::study {

/// The best strategy for values of a parameter from the end of the range before to `upto`, or for
/// the explanation or observation `name`.
struct BestInRange {
  double upto = infinity;
  std::size_t choice = 0;  // index of a strategy
  std::string name = {};   // empty for a number
};

struct ParameterValue {
  std::string name;     // the column of the calibration's draws, "explanation" or "starter_log"
  std::string meaning;  // with the unit
  double share = 0;     // by which the score would rise
  Interval ci95 = {not_known, not_known};
  std::vector<BestInRange> ranges = {};
};

/// The parameters whose value is not zero, the largest value first.
std::vector<ParameterValue> parameter_values(Comparison const& complete, Choice const& choice);

}  // namespace gridcast::study
