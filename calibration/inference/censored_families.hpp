// Maximum likelihood for positive durations, in seconds, some of them only known to be longer than
// observed (Klein & Moeschberger, Survival Analysis, 3.5):
//   log L = sum over observed log f(x) + sum over censored log S(c)
// over the families of sim/base/random.hpp, two of them also with a fitted threshold. The families
// with k parameters and n observed (not censored) durations are compared by
//   AICc = -2 log L + 2 k + 2 k (k + 1) / (n - k - 1)
// and averaged by Akaike weight, exp(-(AICc - best) / 2) over their sum, where the data do not
// separate them (Burnham & Anderson 2002, 2.4 and ch. 4).
//
// A threshold is kept below the smallest observation by a gap of at least (median - minimum) / n,
// about the distance between a threshold and the first of n exponential values; without it the
// likelihood has no maximum (it grows without end as the threshold nears the first observation).
//
// Compares the fitted distribution with the data: a distance between the two, and how often
// data that the fit itself made (with the same censoring, fitted anew) lie as far off: the
// parametric bootstrap, since tables of critical values do not hold once parameters are fitted
// (Stephens 1974; Stute et al. 1993).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct Observation {
  double value = 0;
  bool censored = false;  // true: known to be larger than `value`
  double weight = 1;      // of its term in the likelihood
};
using Sample = std::vector<Observation>;

std::size_t count_events(Sample const& sample);

/// Values of `roundings` numbers that were rounded to whole steps differ by sqrt(roundings / 12)
/// steps at least, though it is not seen. If five or more uncensored values differ by less, they
/// are spread by it: for equal values the likeliest law would have no width at all.
Sample with_rounding(Sample sample, double step, int roundings, RandomStream stream);

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

/// All forms, best first, with weights. Needs three events.
std::vector<FittedFamily> fit_families(Sample const& sample);

/// One draw of the distribution: family by Akaike weight, parameters by the weighted likelihood
/// bootstrap (Newton & Raftery 1994: each observation's term gets an independent exponential
/// weight, then maximum likelihood), which needs no resample to hold enough events. If the least
/// gap determines the threshold, the threshold varies as the first of n exponential values does: by
/// an exponential factor (not below 1/4, where the likelihood begins to run away).
FittedFamily draw_distribution(Sample const& sample, std::vector<FittedFamily> const& fits,
                               RandomStream& stream);

/// The Kaplan-Meier estimate of the survival function: S(t) = product over event times up to t of
/// 1 - d/n, with d events among the n that have lasted so long (Kaplan & Meier 1958).
struct KaplanMeier {
  std::vector<double> times;     // of events, ascending
  std::vector<double> survival;  // just after each

  explicit KaplanMeier(Sample const& sample);
  /// Smallest time with S <= 1 - p; +infinity if the curve does not come down so far.
  double quantile(double p) const;
};

/// Anderson & Darling's statistic, only without censored observations; with u = F(x), ascending:
///   A^2 = -n - 1/n sum over i from 1 to n of (2 i - 1) (ln u_i + ln(1 - u_(n+1-i)))
double anderson_darling(Sample const& sample, Distribution const& distribution);
/// Largest distance between Kaplan-Meier and the distribution function, at the events.
double kaplan_meier_distance(Sample const& sample, std::function<double(double)> const& cdf);

struct GoodnessOfFit {
  bool anderson_darling = true;  // else the Kaplan-Meier distance, since there is censoring
  double statistic = 0;
  double p_value = 1;         // (1 + number of resamples as far off) / (resamples + 1)
  std::size_t resamples = 0;  // out of the requested ones, with three events at least
};

/// Resamples keep the censoring mechanism: a censored observation below the largest event keeps its
/// own limit (it was evicted then), the smallest one above it is the limit of all (a kill). Under
/// that limit a distribution may hardly ever show three events: then there are fewer resamples than
/// requested, or none.
GoodnessOfFit goodness_of_fit(Sample const& sample, FittedFamily const& fit, std::size_t resamples,
                              RandomStream stream);

}  // namespace gridcast::calibration
