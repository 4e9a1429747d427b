// Are standardised values a normal sample? By Kolmogorov's distance of Phi(z) from uniform, mean
// and variance having been fitted (Lilliefors 1967).
//
// If some values are only known to exceed the time at which they were cut short, the complete ones
// are no sample of all: with a limit, they are a sample of the smaller ones alone. Then the
// distance is that between the product-limit curve (Kaplan & Meier 1958) and the likeliest normal
// distribution, up to the largest value that is known whole, and how often a normal sample is as
// far off is a parametric bootstrap (Stute, Gonzalez Manteiga & Presedo Quindimil 1993): values of
// that distribution, cut short as the record's are, and fitted anew. The record does not show at
// which time a complete value would have been cut. Each therefore gets a cut from the product-limit
// curve of the cuts at its place, for which complete values are censored; beyond the last observed
// cut there is none. Resamples are made until 20 are as far off (p is 20 over their number; Besag &
// Clifford 1991), or 999.
//
// The likeliest normal distribution of values y, some of them only known to exceed c, by Newton's
// steps in 1 / sd and mean / sd, in which the log likelihood is concave (Olsen 1978, Econometrica
// 46, 5):
//   sum over y of (ln(1 / sd) - (y / sd - mean / sd)^2 / 2) + sum over c of ln Phi(mean / sd - c /
//   sd)
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "calibration/inference/censored_families.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct Normality {
  double distance = 0;
  std::size_t n = 0;  // known whole
  double p = 1;
};

/// Nothing for fewer than five that are known whole. `at_places`: those of a place are cut short
/// alike.
std::optional<Normality> test_of_normality(std::vector<Sample> const& at_places,
                                           RandomStream stream);
/// In words; empty for none.
std::string in_words(std::optional<Normality> const& test);
/// The test for uncensored values; empty for fewer than five.
std::string normality(std::vector<double> const& standardised);

struct MeanAndSd {
  double mean = 0, sd = 1;
};
/// At least two values are uncensored.
MeanAndSd likeliest_normal(Sample const& sample);

}  // namespace gridcast::calibration
