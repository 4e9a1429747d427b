// How much sites differ, from the few that are known: partial pooling (Gelman et al., Bayesian Data
// Analysis, ch. 5).
//   value at site s, seen with variance v_s:  y_s ~ N(mu + a_s, v_s),  a_s ~ N(0, tau^2)
// with a flat prior for mu and a half-normal(1) for tau. For given tau, mu is normal; tau is summed
// over a grid. Maximum likelihood would put tau at 0 with so few sites, and promise too much.
#pragma once

#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

class SiteSpread {
 public:
  /// At least one site.
  SiteSpread(std::vector<double> const& values, std::vector<double> const& variances);

  struct Draw {
    double center = 0;  // mu
    double spread = 0;  // tau
  };
  /// Three uniforms.
  Draw draw(RandomStream& stream) const;
  /// The value at a site of which nothing is known: mu + a. Four uniforms.
  double draw_site(RandomStream& stream) const;

 private:
  struct Node {
    double tau;
    double probability;
    double center;
    double center_sd;
  };
  std::vector<Node> nodes_;
};

}  // namespace gridcast::calibration
