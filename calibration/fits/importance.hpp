// Evidence of a model and draws from its posterior, where the parameters are few: importance sampling
// from a Student t distribution of 5 degrees of freedom around what is known of the posterior
// (Geweke 1989, Econometrica 57, 6), found in rounds (Oh & Berger 1992). With target f, which is the
// likelihood times the prior, proposal q and x_i from q:
//   evidence = mean of f(x_i) / q(x_i),   draws: x_i with probability ~ f(x_i) / q(x_i)
// The effective number is (sum w)^2 / sum w^2.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct ImportanceDraws {
  std::vector<std::vector<double>> at;
  std::vector<double> weights;  // add up to one
  double log_evidence = 0;
  double effective = 0;

  /// n draws, as many of each as its weight says (systematic resampling).
  std::vector<std::size_t> resampled(std::size_t n, RandomStream& stream) const;
};

using LogTarget = std::function<double(std::vector<double> const&)>;

struct ImportanceProposal {
  std::vector<double> center;
  std::vector<std::vector<double>> draws;  // its covariance is theirs; `sd` where there are none
  std::vector<double> sd;
};

/// One round. A uniform for each dimension and one more, for each draw.
ImportanceDraws importance_sample(LogTarget const& target, ImportanceProposal const& proposal,
                                  std::size_t count, RandomStream& stream);

/// A proposal for the target, in rounds of `count`, each around what the one before found.
ImportanceProposal adapted_proposal(LogTarget const& target, ImportanceProposal proposal,
                                    std::size_t count, RandomStream& stream);

}  // namespace gridcast::calibration
