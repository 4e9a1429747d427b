// Families of measurements that share a model but not its parameters.
//
// A parameter of a family lies around a common value, normally in the parameter's own scale (most
// are logarithms): with variance v between families, three quarters of it between groups (GPU
// models, host systems) and a quarter between the families of a group. The common value has a prior
// too. The evidence of each family is taken as a normal likelihood, its posterior with the prior
// divided out: a family learns from the others, and most from those of its group (empirical Bayes
// in closed form; the normal-normal hierarchy of DerSimonian & Laird 1986, Controlled Clinical
// Trials 7, with v assumed, as a handful of families does not determine it). Only families with
// several scales teach.
//
// A posterior, with independent normal priors, comes from draws by adaptive importance sampling
// (population Monte Carlo: Cappe et al. 2008, Statistics and Computing 18): points are drawn
// from the prior and weighted by a power of the likelihood that keeps a twentieth of them alive.
// The next points come from a Student t of 5 degrees of freedom with their mean and covariance,
// one in ten from the prior still, until the power is 1. The points are spread evenly (a
// Kronecker sequence from a random start) and not independent: the result hardly depends on the
// seed. It needs no derivatives and no tuning, and a posterior that is as wide as the prior, of
// one measurement or none, is no special case. For up to a dozen parameters.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
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
  double effective = 0;         // draws of equal weight that would be worth as much

  double mean(std::size_t parameter) const;
  double variance(std::size_t parameter) const;
};

/// `draws` a round, until they are near enough to the posterior. `last` above 0: that many then,
/// from where those were, and only they count.
Posterior sample_posterior(std::vector<NormalPrior> const& priors,
                           LogLikelihood const& log_likelihood, std::size_t draws,
                           RandomStream stream, std::size_t last = 0);

/// So many indices, each about as often as its weight (systematic resampling).
std::vector<std::size_t> resample(std::vector<double> const& weights, std::size_t count, double u);

/// Smallest value that at least a share p of the weight does not exceed; the weights add up to 1.
double weighted_quantile(std::vector<double> const& values, std::vector<double> const& weights,
                         double p);

/// The prior of a parameter.
struct WidePrior {
  double median = 0;
  double common = 1;   // sd with which the common value is known
  double between = 0;  // sd of families around it
};

struct HierarchyFamily {
  std::string group;
  bool teaches = false;
  std::vector<std::optional<NormalPrior>> own;  // by parameter: known of this family by itself
  std::size_t rows = 1;                         // measured
};

struct Hierarchy {
  std::vector<WidePrior> priors;  // by parameter
  std::vector<HierarchyFamily> families;
  /// Log likelihood of a family at a point.
  std::function<double(std::size_t family, std::vector<double> const&)> log_likelihood;
};

/// By family. `points` a round of the sampler; four to eight times as many in the last one of
/// families of few rows that teach, and of each where they are few.
std::vector<Posterior> fit_hierarchy(Hierarchy const& hierarchy, std::size_t points,
                                     RandomStreams const& streams);

}  // namespace gridcast::training
