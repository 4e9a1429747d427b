// Draws from a posterior with independent normal priors, by adaptive importance sampling (population
// Monte Carlo: Cappe et al. 2008, Statistics and Computing 18): points are drawn from the prior and
// weighted by a power of the likelihood that keeps a twentieth of them alive; a Student t of 5 degrees
// of freedom with their mean and covariance is what the next points come from, one in ten from the
// prior still, until the power is 1. The mean weight of the last round estimates the evidence, by which
// rival candidates are compared. The points are spread evenly (a Kronecker sequence from a random start)
// and not independent, so that what comes out hardly depends on the seed. It needs no derivatives and no
// tuning, and a posterior that is as wide as the prior, of one measurement or none, is no special case.
// For up to a dozen parameters.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::training {

struct NormalPrior {
  double mean = 0;
  double sd = 1;
};

using LogLikelihood = std::function<double(std::vector<double> const&)>;

struct Posterior {
  std::vector<std::vector<double>> draws;
  std::vector<double> weights;  // add up to 1
  double log_evidence = 0;
  double effective = 0;  // draws of equal weight that would be worth as much

  double mean(std::size_t parameter) const;
  double variance(std::size_t parameter) const;
};

/// `draws` a round, until they are near enough to the posterior. `last` above 0: that many then, from
/// where those were, and only they count.
Posterior sample_posterior(std::vector<NormalPrior> const& priors,
                           LogLikelihood const& log_likelihood, std::size_t draws,
                           RandomStream stream, std::size_t last = 0);

/// So many indices, each about as often as its weight says (systematic resampling).
std::vector<std::size_t> resample(std::vector<double> const& weights, std::size_t count, double u);

/// Smallest value that at least a share p of the weight does not exceed; the weights add up to 1.
double weighted_quantile(std::vector<double> const& values, std::vector<double> const& weights,
                         double p);

}  // namespace gridcast::training
