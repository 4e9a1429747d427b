// Models of how often a job stalls before its transfer succeeds, with their maximum-likelihood
// fits.
//   geometric        every attempt of every job stalls with one probability q: P(k) = (1-q) q^k
//   hurdle           some jobs never meet the cause; who does stalls on with one probability:
//                    P(0) = z, P(k) = (1-z) (1-q) q^(k-1)
//   beta_geometric   every job has its own probability of success p ~ Beta(a, b):
//                    P(k) = B(a+1, b+k) / B(a, b)
#pragma once

#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

enum class CountFamily { geometric, hurdle, beta_geometric };

struct CountModel {
  CountFamily family = CountFamily::geometric;
  double first = 0;   // q | z | a
  double second = 0;  // - | q | b

  double log_probability(double k) const;
  double survival(double k) const;  // P(X > k), k a whole number from -1
  double sample(RandomStream& stream) const;
  int parameters() const { return family == CountFamily::geometric ? 1 : 2; }
};

/// Needs a count above zero.
CountModel fit_counts(CountFamily family, std::vector<double> const& counts);

double akaike(CountModel const& model, std::vector<double> const& counts);

/// Largest distance between the distribution functions of counts and model.
double kolmogorov_distance(CountModel const& model, std::vector<double> counts);

}  // namespace gridcast::calibration
