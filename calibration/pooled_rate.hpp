// Rates of one kind of event at several sites, partially pooled (gamma-Poisson; Gelman et al.,
// Bayesian Data Analysis, 2.7):
//   events_s ~ Poisson(rate_s x exposure_s),  rate_s ~ Gamma with mean mu and relative spread tau
// with Jeffreys' prior mu^(-1/2) for the pooled rate and a half-normal(1) for tau. (mu, tau) are
// summed over a grid, rate_s given them is Gamma(1/tau^2 + events_s, 1/(mu tau^2) + exposure_s). A
// site without events or without exposure gets a rate near the others', with the doubt that belongs
// to it.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct SiteCount {
  double events = 0;
  double exposure = 0;
};

class PooledRate {
 public:
  /// Some exposure somewhere.
  explicit PooledRate(std::vector<SiteCount> const& sites);

  /// One joint draw, a rate for each site; one uniform, then one a site.
  std::vector<double> draw(RandomStream& stream) const;

 private:
  struct Node {
    double shape;  // of the gamma distribution of rates between sites
    double rate;
    double probability;
  };
  std::vector<SiteCount> sites_;
  std::vector<Node> nodes_;
};

}  // namespace gridcast::calibration
