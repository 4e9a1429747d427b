// A delay between two stamps of a log (match, setup, teardown, release ...) as a distribution with
// its doubt: gamma, lognormal or Weibull on top of an optional threshold, likelihood with rounding
// and censoring (rounded.hpp), slice sampling of the parameters, families by their weight
//   exp(best log likelihood), as all have two parameters (Burnham & Anderson 2002).
// Weak priors: ln shape ~ N(0, 1), ln scale ~ N(ln of a guess, 2^2), the threshold flat between
// zero and the shortest that was seen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "calibration/estimate.hpp"
#include "calibration/posterior.hpp"
#include "sim/base/distribution.hpp"

namespace gridcast::calibration {

struct Delay {
  double seconds = 0;     // between the stamps
  double known = 0;       // of which so many are something else
  bool censored = false;  // it lasted longer
};

struct DelayModel {
  std::string name;        // of the columns: NAME_family, NAME_shape, NAME_scale_s, NAME_shift_s
  std::string what;        // for the file
  bool threshold = false;  // with a fitted threshold
  double guess = 1;        // seconds; the prior's centre, and all there is without a delay
  double campaigns = 0;    // sd of ln(scale) between campaigns, in the draws only
  std::vector<Family> families = {Family::gamma, Family::lognormal, Family::weibull};
};

/// NAME_mean_s as a parameter, the four columns as draws.
Fit fit_delay(DelayModel const& model, std::vector<Delay> const& delays, double tick,
              std::size_t draws, RandomStream stream);

}  // namespace gridcast::calibration
