// Probabilities of one thing at several sites, partially pooled (beta-binomial; Gelman et al.,
// Bayesian Data Analysis, 5.3):
//   hits_s ~ Binomial(trials_s, p_s),   p_s ~ Beta(m k, (1 - m) k),   k = 1 / (tau^2 m)
// so that sites differ by about tau in relative terms, as rates do in pooled_rate. m has Jeffreys'
// prior Beta(1/2, 1/2). tau has a Rayleigh(1.5) prior, which keeps it from zero (Chung et al. 2013,
// boundary-avoiding priors): that one site fails many times as often as the others (a black hole)
// is what to expect of a grid, and few failures cannot refute it. Both are summed over a grid, and
// each site's p given them is Beta(m k + hits, (1 - m) k + misses). Trials need not be whole: a
// trial that was cut short when a share u of its risk was behind it counts as u.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct SiteTrials {
  double hits = 0;
  double trials = 0;
};

class PooledShare {
 public:
  explicit PooledShare(std::vector<SiteTrials> const& sites);

  /// One joint draw, a probability for each site; one uniform, then one a site.
  std::vector<double> draw(RandomStream& stream) const;

 private:
  struct Node {
    double a, b;  // of the beta distribution between sites
    double probability;
  };
  std::vector<SiteTrials> sites_;
  std::vector<Node> nodes_;
};

}  // namespace gridcast::calibration
