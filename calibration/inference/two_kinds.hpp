// Are durations of one kind or of two? A mixture of two lognormals against one lognormal. Let y =
// ln t, n values, and phi the normal density:
//   f(y) = (1 - w) phi(y; m1, s1) + w phi(y; m2, s2),   m1 <= m2
// by maximum likelihood: expectation maximisation from the split of the sorted y with the least
// squares within (Dempster, Laird & Rubin 1977; McLachlan & Peel, Finite Mixture Models, 2000). A
// kind has at least four members. It is no narrower than a fifth of the whole, since a spread of
// zero has an unbounded likelihood. Two kinds are taken if the Bayesian information criterion
// prefers them,
//   2 (ln L2 - ln L1) > 3 ln n
// since the mixture has three parameters more.
#pragma once

#include <optional>
#include <vector>

namespace gridcast::calibration {

struct TwoKinds {
  double faster = 0, slower = 0;  // medians, in the unit of the durations
  double share_of_slower = 0;
  double sd_of_slower = 0;  // standard deviation of the logarithms
};

/// Durations are positive. Empty if they are of one kind, or too few to decide.
std::optional<TwoKinds> two_kinds(std::vector<double> const& durations);

}  // namespace gridcast::calibration
