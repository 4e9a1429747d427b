// Are stalls independent of each other? Models of how often a job stalls before its transfer
// succeeds, with their maximum-likelihood fits, and tests of independence; all p-values by seeded
// resampling where the distribution of the statistic is not known:
//   p = (1 + resamples at least as far off) / (resamples + 1)         (Davison & Hinkley 1997, 4.2)
//
// Models of the number k of stalls of a job:
//   geometric        every attempt of every job stalls with one probability q:
//                    P(k) = (1-q) q^k,  maximum at q = mean / (1 + mean)
//   hurdle           some jobs never meet the cause; who does stalls on with one probability
//                    (Mullahy 1986):  P(0) = z, P(k) = (1-z) (1-q) q^(k-1),
//                    maximum at z = share of zeros, q = 1 - jobs that stalled / stalls
//   beta_geometric   every job has its own probability of success p ~ Beta(a, b) (Weinberg & Gladen
//                    1986):  P(k) = B(a+1, b+k) / B(a, b), P(X > k) = B(a, b+k+1) / B(a, b)
// Poisson counts have the index of dispersion I = variance / mean near 1: (n - 1) I ~ chi^2 with
// n - 1 degrees of freedom (Fisher 1950). Whether stalled jobs stand next to each other: pairs of
// neighbours at a site that are alike, against the same jobs in random order.
#pragma once

#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/table_records.hpp"
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

/// Over the jobs that got their data in the end (who was held by a 404 had no time to stall).
std::vector<ModelTest> stall_tests(TableRecords const& records, RandomStreams const& streams);

}  // namespace gridcast::calibration
