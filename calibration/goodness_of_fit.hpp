// Does the fitted distribution look like the data? A distance between the two, and how often data
// that the fit itself made (with the same censoring, fitted anew) lie as far off: the parametric
// bootstrap, since tables of critical values do not hold once parameters are fitted
// (Stephens 1974; Stute et al. 1993).
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/censored_fit.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// The Kaplan-Meier estimate of the survival function: S(t) = product over event times of 1 - d/n.
struct KaplanMeier {
  std::vector<double> times;     // of events, ascending
  std::vector<double> survival;  // just after each

  explicit KaplanMeier(Sample const& sample);
  /// Smallest time with S <= 1 - p; +infinity if the curve does not come down so far.
  double quantile(double p) const;
};

/// Anderson-Darling A^2; only without censored observations.
double anderson_darling(Sample const& sample, Distribution const& distribution);
/// Largest distance between Kaplan-Meier and the distribution, at the events.
double kaplan_meier_distance(Sample const& sample, Distribution const& distribution);

struct GoodnessOfFit {
  bool anderson_darling = true;  // else the Kaplan-Meier distance, since there is censoring
  double statistic = 0;
  double p_value = 1;  // (1 + number of resamples as far off) / (resamples + 1)
};

/// Resamples keep the censoring mechanism: a censored observation below the largest event keeps its
/// own limit (it was evicted then), the smallest one above it is the limit of all (a kill).
GoodnessOfFit goodness_of_fit(Sample const& sample, FittedFamily const& fit, std::size_t resamples,
                              RandomStream stream);

}  // namespace gridcast::calibration
