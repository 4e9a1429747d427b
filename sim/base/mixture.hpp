// A duration of several kinds: with probability share_k it is of distribution_k.
#pragma once

#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::inline base {

class DistributionMixture {
 public:
  struct Part {
    Distribution distribution;
    double share = 1;
  };

  DistributionMixture(Distribution const& only) : parts_{{only}} {}
  /// Shares above 0, in any unit.
  explicit DistributionMixture(std::vector<Part> parts);

  std::vector<Part> const& parts() const { return parts_; }
  double cdf(double x) const;
  double quantile(double u) const;  // u in (0, 1)

 private:
  std::vector<Part> parts_;
};

}  // namespace gridcast::inline base
