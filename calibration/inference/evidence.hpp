// Evidence and posterior of a model with few parameters, by importance sampling, and probabilities
// of rival models. The proposal is a Student t distribution of 5 degrees of freedom around a guess
// of the posterior (Geweke 1989, Econometrica 57, 6), refined in rounds (Oh & Berger 1992). For the
// target f, the likelihood times the prior, proposal q and x_i from q:
//   evidence = mean of f(x_i) / q(x_i),   draws: x_i with probability ~ f(x_i) / q(x_i)
// The effective number is (sum w)^2 / sum w^2.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

/// Variance of log_mean_exp() of the logarithms of this many lognormal draws (Fenton 1960). The
/// largest values dominate the mean, so the spread above the median counts, twice.
double variance_of_log_mean(std::vector<double> const& logs);
/// The same for draws of a chain, in which neighbours are correlated: by batch means.
double variance_by_batches(std::vector<double> const& logs);

struct ImportanceDraws {
  std::vector<std::vector<double>> at;
  std::vector<double> weights;  // add up to one
  double log_evidence = 0;
  double effective = 0;

  /// n draws, each in proportion to its weight (systematic resampling).
  std::vector<std::size_t> resampled(std::size_t n, RandomStream& stream) const;
};

using LogTarget = std::function<double(std::vector<double> const&)>;

struct ImportanceProposal {
  std::vector<double> center;
  std::vector<std::vector<double>> draws;  // they give the covariance; if empty, `sd` does
  std::vector<double> sd;
};

/// One round. Each draw uses one uniform for each dimension and one more.
ImportanceDraws importance_sample(LogTarget const& target, ImportanceProposal const& proposal,
                                  std::size_t count, RandomStream& stream);

/// A proposal for the target, in rounds of `count` draws, each around the draws of the previous
/// one.
ImportanceProposal adapted_proposal(LogTarget const& target, ImportanceProposal proposal,
                                    std::size_t count, RandomStream& stream);

/// A model whose log evidence has normal errors. Models may share an error.
struct UnsureEvidence {
  double log_posterior = 0;         // ln(prior x evidence), up to a common constant
  std::vector<std::size_t> errors;  // indices of its errors
};

struct AveragedProbability {
  double log_probability = 0;  // of the mean over the errors
  Interval interval90;         // of the probabilities under the errors, including their mean
};

/// Posterior probabilities of rival models, averaged over draws of the errors of their evidences.
/// So no model is certain if its lead is smaller than the errors.
std::vector<AveragedProbability> averaged_probabilities(std::vector<UnsureEvidence> const& models,
                                                        std::vector<double> const& error_variances,
                                                        std::size_t draws, RandomStream stream);

}  // namespace gridcast::calibration
