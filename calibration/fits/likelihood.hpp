// What likelihoods are made, searched and weighed with: the terms of durations that a log shows in
// whole seconds, the minimum of a function that has no derivatives worth having, draws from a
// density that is known up to a factor (SliceSampler), the evidence of a model (ImportanceDraws),
// and whether durations are of two kinds. All times are in seconds.
//
// A duration between two stamps, each rounded down to a tick: d seconds between them mean anything
// from d - tick to d + tick, most likely d. With both ends anywhere in their ticks, a true duration
// x shows as d with probability max(0, 1 - |x - d| / tick), so
//   P(d) = integral of f(x) max(0, 1 - |x - d| / tick) dx
//        = (H(d + tick) - 2 H(d) + H(d - tick)) / tick,   H(k) = E max(0, k - X)
// which is an interval-censored likelihood (Klein & Moeschberger, Survival Analysis, 3.5) with the
// triangle that two ends make. Of a lognormal X, with z = (ln k - mu) / sigma and Phi the normal
// distribution function,
//   H(k) = k Phi(z) - exp(mu + sigma^2 / 2) Phi(z - sigma)
// (the price of an option to sell at k: Black & Scholes 1973).
//
// Evidence of a model and draws from its posterior, where the parameters are few: importance
// sampling from a Student t distribution of 5 degrees of freedom around what is known of the
// posterior (Geweke 1989, Econometrica 57, 6), found in rounds (Oh & Berger 1992). With target f,
// which is the likelihood times the prior, proposal q and x_i from q:
//   evidence = mean of f(x_i) / q(x_i),   draws: x_i with probability ~ f(x_i) / q(x_i)
// The effective number is (sum w)^2 / sum w^2.
//
// Two kinds of durations are a mixture of two lognormals, held against one lognormal. With y = ln
// t, n of them, and phi the normal density,
//   f(y) = (1 - w) phi(y; m1, s1) + w phi(y; m2, s2),   m1 <= m2
// by maximum likelihood: expectation maximisation from the split of the sorted y that leaves the
// least squares within (Dempster, Laird & Rubin 1977; McLachlan & Peel, Finite Mixture Models,
// 2000). A kind must be of four at least, and no narrower than a fifth of the whole, as a spread of
// zero has any likelihood. Two kinds are taken where the Bayesian information criterion is for
// them,
//   2 (ln L2 - ln L1) > 3 ln n
// the mixture having three parameters more.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

/// Of an average over a standard normal: Gauss-Hermite, nine points (Abramowitz & Stegun 25.10,
/// scaled).
inline constexpr std::array<double, 9> normal_nodes = {
    -4.512745863399783, -3.205429002856470, -2.076847978677830, -1.023255663789133, 0.0,
    1.023255663789133,  2.076847978677830,  3.205429002856470,  4.512745863399783};
inline constexpr std::array<double, 9> normal_weights = {
    2.234584400774658e-5, 2.789141321231769e-3, 4.991640676521787e-2,
    2.440975028949394e-1, 4.063492063492063e-1, 2.440975028949394e-1,
    4.991640676521787e-2, 2.789141321231769e-3, 2.234584400774658e-5};

/// Where a search may go.
struct SearchBox {
  std::vector<double> low = {};  // empty: anywhere
  std::vector<double> high = {};
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
};

/// Subplex (Rowan 1990: Nelder-Mead on subspaces; NLopt's LN_SBPLX) to 1e-6 in every parameter or
/// to the end of its evaluations; deterministic. What is not finite counts as very large.
Minimum minimise(std::function<double(std::vector<double> const&)> const& function,
                 std::vector<double> start, double first_step, SearchBox const& box = {},
                 int most_evaluations = 4000);

/// Draws from a density, one coordinate after the other: slice sampling with stepping out and
/// shrinkage (Neal 2003, Annals of Statistics 31, 3). For the coordinate x it takes a level
/// ln y = ln f(x) + ln u, widens an interval around x by steps of its width until f is below y at
/// both ends, and draws in it until f is above y, each draw that fails being the new end on its
/// side. No step has to be right: widths that are far off cost evaluations, not correctness.
///
/// Coordinates that hold one another back (a centre and what lies around it) may also be moved
/// together, all by the same amount: a slice along that direction.
class SliceSampler {
 public:
  /// Logarithm of the density at x, of which only the terms that x[changed] is in are needed; all
  /// where that is `several`.
  using LogDensity = std::function<double(std::vector<double> const& x, std::size_t changed)>;
  static constexpr auto several = static_cast<std::size_t>(-1);

  /// `start` has to have a finite log density; `widths` are about as wide as the posterior.
  SliceSampler(LogDensity density, std::vector<double> start, std::vector<double> widths,
               RandomStream stream);

  /// From now on sweeps also move these coordinates together, by steps as wide as the first one's.
  /// `changed` is what the density is told: one of them where all terms that any is in have it too.
  void move_together(std::vector<std::size_t> coordinates, std::size_t changed = several);

  /// x, so far along a curve through it. By a and then by b has to be by a + b, and no volume may
  /// change by it; then moving a uniform way keeps the density (Liu & Sabatti 2000, Biometrika 87,
  /// 2).
  using Curve = std::function<std::vector<double>(std::vector<double> x, double by)>;
  /// Draws anew, from their distribution given all others, what the density has integrated out.
  using Redraw = std::function<void(std::vector<double>& x, RandomStream& stream)>;
  /// ... and along it, by steps as wide.
  void move_along(Curve curve, double width, std::size_t changed, Redraw redraw = {});

  /// Moves every coordinate once, and each of those groups.
  void sweep();
  void sweep(std::size_t times);
  std::vector<double> const& at() const { return at_; }

  /// `count` draws, `thin` sweeps from one to the next, after a tenth of all sweeps (50 at least)
  /// that are left out.
  std::vector<std::vector<double>> draws(std::size_t count, std::size_t thin);

 private:
  struct Direction {
    std::vector<std::size_t> coordinates;
    std::size_t changed;
    Curve curve = {};  // else the coordinates together
    double width = 1;  // of its steps
    Redraw redraw = {};
  };

  /// With this value of the first of the coordinates, and the others as far from it as they are; so
  /// far along a curve.
  std::vector<double> moved(double value, Direction const& direction) const;
  double log_density(double value, Direction const& direction) const;
  void move(Direction const& direction);

  LogDensity density_;
  std::vector<double> at_, widths_;
  std::vector<Direction> directions_;
  RandomStream stream_;
};

/// Of values that have a normal distribution in common: its centre ~ N(mean, sd^2), its standard
/// deviation, the spread, half-normal with that scale and not below exp(log_smallest).
struct CommonPrior {
  static constexpr double log_smallest = -7;
  double mean = 0, sd = 1, spread = 1;
};

/// ln of the density of values whose centre and spread are integrated out.
double log_integrated(std::vector<double> const& values, CommonPrior const& prior);

/// A centre and a spread from their posterior, given the values. Three uniforms.
struct CommonDraw {
  double centre = 0, log_spread = 0;
};
CommonDraw draw_common(std::vector<double> const& values, CommonPrior const& prior,
                       RandomStream& stream);

/// Parameters of ln X.
struct LogNormal {
  double mu = 0;
  double sigma = 1;
};

/// ln P(d) of a lognormal duration on top of `shift`.
double log_rounded(LogNormal const& x, double shift, double d, double tick);
/// ln P(d) of any distribution, `known` seconds of the duration being known from elsewhere.
double log_rounded(Distribution const& x, double known, double d, double tick);
/// ln P(X + shift > c).
double log_longer(LogNormal const& x, double shift, double c);

/// The lognormal with mean m and variance v of a sum of independent ones (Fenton 1960, Wilkinson):
///   m = sum exp(mu_i + sigma_i^2 / 2),  v = sum m_i^2 (exp(sigma_i^2) - 1)
///   sigma^2 = ln(1 + v / m^2),  mu = ln m - sigma^2 / 2
class LogNormalSum {
 public:
  void add(LogNormal const& term);
  LogNormal total() const;

 private:
  double mean_ = 0, variance_ = 0;
};

/// ln of the mean of exp(x) over at least one x, some of them or all perhaps minus infinity.
double log_mean_exp(std::vector<double> const& logs);
/// Of log_mean_exp() of so many draws of a lognormal (Fenton 1960): how far the mean is off by
/// chance. As the large ones make the mean, their spread above the median counts, twice.
double variance_of_log_mean(std::vector<double> const& logs);
/// The same of draws of a chain, of which each resembles the one before: by the means of batches.
double variance_by_batches(std::vector<double> const& logs);
/// ln of the beta function B(a, b).
double log_beta(double a, double b);
/// Quantile of Beta(1/2, 1/2), the arcsine law.
double arcsine_quantile(double u);
/// ln of the standard normal distribution function, also far out.
double log_normal_cdf(double z);

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

/// A model whose evidence is known up to normal errors of its logarithm, some of which it has in
/// common with others.
struct UnsureEvidence {
  double log_posterior = 0;         // ln(prior x evidence), but for a common constant
  std::vector<std::size_t> errors;  // which of them it has
};

struct AveragedProbability {
  double log_probability = 0;  // of the mean over the errors
  Interval interval90;         // of the probabilities that they make, and of their mean
};

/// Posterior probabilities of rival models, averaged over the errors of their evidences: so many
/// draws of them. Evidences that are far apart, but not as far as they may be wrong, so leave none
/// sure.
std::vector<AveragedProbability> averaged_probabilities(std::vector<UnsureEvidence> const& models,
                                                        std::vector<double> const& error_variances,
                                                        std::size_t draws, RandomStream stream);

struct TwoKinds {
  double faster = 0, slower = 0;  // medians, in the unit of the durations
  double share_of_slower = 0;
  double sd_of_slower = 0;  // of the logarithms
};

/// Durations above zero. Nothing where they are of one kind, or too few to tell.
std::optional<TwoKinds> two_kinds(std::vector<double> const& durations);

}  // namespace gridcast::calibration
