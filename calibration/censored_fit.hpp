// Maximum likelihood for positive durations of which some are only known to be longer than seen:
//   log L = sum over observed log f(x) + sum over censored log S(c)          (Klein &
//   Moeschberger 3.5)
// over the families of sim/base/distribution.hpp, two of them also with a fitted threshold. The
// families are compared by AICc with n = observed ones, and averaged by Akaike weight where the
// data cannot tell them apart (Burnham & Anderson 2002, ch. 4).
//
// A threshold is kept below the smallest observation by a gap of at least (median - minimum) / n,
// about what lies between a threshold and the first of n exponential values; without it the
// likelihood has no maximum (it grows without end as the threshold nears the first observation).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/distribution.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct Observation {
  double value = 0;
  bool censored = false;  // true: known to be larger than `value`
  double weight = 1;      // of its term in the likelihood
};
using Sample = std::vector<Observation>;

std::size_t count_events(Sample const& sample);

struct FamilyForm {
  Family family = Family::exponential;
  bool shifted = false;  // with a fitted threshold

  int parameters() const;
  std::string text() const;  // "shifted lognormal"
  auto operator<=>(FamilyForm const&) const = default;
};

/// Exponential, Weibull, gamma, lognormal, log-logistic, shifted Weibull, shifted lognormal.
std::vector<FamilyForm> const& all_forms();

struct FittedFamily {
  FamilyForm form;
  Distribution distribution;
  double log_likelihood = 0;
  double aicc = 0;    // +infinity with too few events for the number of parameters
  double weight = 0;  // Akaike weight among those within 4 of the best; 0 for the others
};

double log_likelihood(Sample const& sample, Distribution const& distribution);

/// From several starts, NLopt's Subplex in the logarithms of the parameters. Needs two events.
FittedFamily fit_family(Sample const& sample, FamilyForm form);
/// From one start, for resamples of a sample that is already fitted. `gap_factor` scales the least
/// gap below a threshold.
FittedFamily refit_family(Sample const& sample, FittedFamily const& start, double gap_factor = 1);

/// All forms, best first, with weights. Needs three events.
std::vector<FittedFamily> fit_families(Sample const& sample);

/// One draw of the distribution: family by Akaike weight, parameters by the weighted likelihood
/// bootstrap (Newton & Raftery 1994: each observation's term gets an independent exponential
/// weight, then maximum likelihood), which needs no resample to hold enough events. Where the least
/// gap decides on the threshold, it varies as the first of n exponential values does: by an
/// exponential factor (not below 1/4, where the likelihood begins to run away).
FittedFamily draw_distribution(Sample const& sample, std::vector<FittedFamily> const& fits,
                               RandomStream& stream);

}  // namespace gridcast::calibration
