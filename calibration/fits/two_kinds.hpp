// Are durations of two kinds? A mixture of two lognormals against one lognormal. With y = ln t, n of
// them, and phi the normal density,
//   f(y) = (1 - w) phi(y; m1, s1) + w phi(y; m2, s2),   m1 <= m2
// by maximum likelihood: expectation maximisation from the split of the sorted y that leaves the least
// squares within (Dempster, Laird & Rubin 1977; McLachlan & Peel, Finite Mixture Models, 2000). A kind
// must be of four at least, and no narrower than a fifth of the whole, as a spread of zero has
// any likelihood. Two kinds are taken where the Bayesian information criterion is for them,
//   2 (ln L2 - ln L1) > 3 ln n
// the mixture having three parameters more.
#pragma once

#include <optional>
#include <vector>

namespace gridcast::calibration {

struct TwoKinds {
  double faster = 0, slower = 0;  // medians, in the unit of the durations
  double share_of_slower = 0;
  double sd_of_slower = 0;  // of the logarithms
};

/// Durations above zero. Nothing where they are of one kind, or too few to tell.
std::optional<TwoKinds> two_kinds(std::vector<double> const& durations);

}  // namespace gridcast::calibration
