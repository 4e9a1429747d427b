#include "sim/training/fit/hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "sim/base/statistics.hpp"

namespace gridcast::training {
namespace {

constexpr double t_freedom = 5;
constexpr double from_prior = 0.1;
constexpr int most_rounds = 12;

/// Mean and spread that points are drawn from, in units of the prior's standard deviations.
struct Proposal {
  Eigen::VectorXd mean;
  Eigen::MatrixXd factor;  // lower triangle of the covariance's Cholesky factors
  bool is_prior = true;
};

double log_normal_density(Eigen::VectorXd const& z) {
  return -0.5 * z.squaredNorm() -
         0.5 * static_cast<double>(z.size()) * std::log(2 * std::numbers::pi);
}

double log_t_density(Eigen::VectorXd const& x, Proposal const& from) {
  auto const k = static_cast<double>(x.size());
  Eigen::VectorXd const y = from.factor.triangularView<Eigen::Lower>().solve(x - from.mean);
  double const log_determinant = from.factor.diagonal().array().log().sum();
  return std::lgamma((t_freedom + k) / 2) - std::lgamma(t_freedom / 2) -
         0.5 * k * std::log(t_freedom * std::numbers::pi) - log_determinant -
         0.5 * (t_freedom + k) * std::log1p(y.squaredNorm() / t_freedom);
}

/// Points that fill the unit cube more evenly than random ones: multiples of the inverse powers of
/// the root of x^(d + 1) = x + 1, modulo 1 (Roberts 2018, "The unreasonable effectiveness of
/// quasirandom sequences"; a Kronecker sequence), from a random start.
class EvenPoints {
 public:
  EvenPoints(std::size_t dimensions, RandomStream& stream) {
    double root = 2;
    constexpr int settled = 60;  // steps; each brings it nearer by a factor of d + 1
    for (int i = 0; i < settled; ++i) {
      root = std::pow(1 + root, 1 / (static_cast<double>(dimensions) + 1));
    }
    for (std::size_t k = 0; k < dimensions; ++k) {
      at_.push_back(stream.uniform());
      by_.push_back(std::pow(root, -static_cast<double>(k + 1)));
    }
  }

  /// In (0, 1)^d.
  std::vector<double> const& next() {
    constexpr double least = 0x1p-40;
    for (std::size_t k = 0; k < at_.size(); ++k) {
      at_[k] += by_[k];
      at_[k] = std::clamp(at_[k] - std::floor(at_[k]), least, 1 - least);
    }
    return at_;
  }

 private:
  std::vector<double> at_, by_;
};

/// The points of a round, on the scale of the prior, with the logarithms of their weights.
class Round {
 public:
  Round(Proposal const& from, Eigen::Index size, std::size_t count, RandomStream& stream) {
    constexpr std::size_t beside = 2;  // a t's chi-squared, and whether a point is of the prior
    EvenPoints even(static_cast<std::size_t>(size) + beside, stream);
    for (std::size_t i = 0; i < count; ++i) {
      points_.push_back(draw(from, size, even.next()));
      Eigen::VectorXd const& z = points_.back();
      double const prior = log_normal_density(z);
      double proposal = prior;
      if (!from.is_prior) {
        proposal = log_sum_exp(std::log(from_prior) + prior,
                               std::log(1 - from_prior) + log_t_density(z, from));
      }
      log_prior_over_proposal_.push_back(prior - proposal);
    }
  }

  std::vector<Eigen::VectorXd> const& points() const { return points_; }
  void add_likelihood(double value) {
    log_likelihood_.push_back(std::isfinite(value) ? value : -1e300);
  }

  /// Weights under the likelihood to that power, adding up to 1.
  std::vector<double> weights(double power) const {
    std::vector<double> log_weights;
    double high = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      log_weights.push_back(log_prior_over_proposal_[i] + power * log_likelihood_[i]);
      high = std::max(high, log_weights.back());
    }
    double sum = 0;
    for (double& weight : log_weights) sum += weight = std::exp(weight - high);
    for (double& weight : log_weights) weight /= sum;
    return log_weights;
  }

 private:
  static Eigen::VectorXd draw(Proposal const& from, Eigen::Index size,
                              std::vector<double> const& u) {
    Eigen::VectorXd z(size);
    auto const k = static_cast<std::size_t>(size);
    for (std::size_t i = 0; i < k; ++i) z[static_cast<Eigen::Index>(i)] = normal_quantile(u[i]);
    if (from.is_prior || u[k] < from_prior) return z;
    double const chi = gamma_quantile(u[k + 1], t_freedom / 2, 2);
    return from.mean + from.factor * z * std::sqrt(t_freedom / chi);
  }

  std::vector<Eigen::VectorXd> points_;
  std::vector<double> log_prior_over_proposal_, log_likelihood_;
};

double effective_size(std::vector<double> const& weights) {
  auto const squares = sum_of<double>(weights, [](double const weight) { return weight * weight; });
  return 1 / squares;
}

/// The largest power of the likelihood that leaves so many effective points.
double power_that_keeps(Round const& round, double wanted) {
  if (effective_size(round.weights(1)) >= wanted) return 1;
  double low = 0, high = 1;
  for (int i = 0; i < 40; ++i) {
    double const middle = (low + high) / 2;
    (effective_size(round.weights(middle)) >= wanted ? low : high) = middle;
  }
  return low;
}

Proposal around(Round const& round, std::vector<double> const& weights) {
  Eigen::Index const size = round.points().front().size();
  Proposal proposal{Eigen::VectorXd::Zero(size), {}, false};
  for (std::size_t i = 0; i < weights.size(); ++i) proposal.mean += weights[i] * round.points()[i];
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Eigen::VectorXd const off = round.points()[i] - proposal.mean;
    covariance += weights[i] * off * off.transpose();
  }
  constexpr double least = 1e-8;  // of a parameter that the points do not spread in
  covariance.diagonal().array() += least;
  proposal.factor = covariance.llt().matrixL();
  return proposal;
}

/// A value and its uncertainty.
struct Estimate {
  double precision = 0;
  double mean = 0;
};

class Fitter {
 public:
  Fitter(Hierarchy const& hierarchy, std::size_t points, RandomStreams const& streams)
      : model_(hierarchy),
        points_(points),
        streams_(streams),
        evidences_(hierarchy.families.size(), std::vector<Estimate>(hierarchy.priors.size())) {}

  std::vector<Posterior> run() {
    constexpr int rounds = 3;
    auto const teachers = std::ranges::count_if(
        model_.families, [](HierarchyFamily const& family) { return family.teaches; });
    for (int i = 0; teachers > 1 && i < rounds; ++i) learn();
    std::vector<Posterior> posteriors;
    for (std::size_t f = 0; f < model_.families.size(); ++f) {
      posteriors.push_back(posterior(f, priors_of(f), final_points(f)));
    }
    return posteriors;
  }

 private:
  /// Share of the variance between families that is between those of one group.
  static constexpr double of_group = 0.25;

  /// A sum that several parameters share, as a time a step and a share of it do, is a long ridge
  /// that few points meet. Many rows leave less of it, and take their time.
  std::size_t points_of_last_round(std::size_t family, std::size_t times) const {
    constexpr std::size_t few_rows = 12;
    return model_.families[family].rows <= few_rows ? times * points_ : 0;
  }
  std::size_t final_points(std::size_t family) const {
    constexpr std::size_t few = 4, times = 8;
    bool const many = model_.families[family].teaches || model_.families.size() <= few;
    return many ? points_of_last_round(family, times) : 0;
  }

  /// Adds the evidence of the other families, of the same group or of others, that lie around the
  /// value by that variance.
  void learn_from(std::size_t family, std::size_t parameter, bool same_group, double variance,
                  Estimate& value) const {
    for (std::size_t other = 0; other < model_.families.size(); ++other) {
      bool const same = model_.families[other].group == model_.families[family].group;
      Estimate const& evidence = evidences_[other][parameter];
      if (other == family || same != same_group || evidence.precision <= 0) continue;
      double const precision = 1 / (variance + 1 / evidence.precision);
      value.mean += precision / (value.precision + precision) * (evidence.mean - value.mean);
      value.precision += precision;
    }
  }

  std::vector<NormalPrior> priors_of(std::size_t family) const {
    std::vector<NormalPrior> priors;
    for (std::size_t p = 0; p < model_.priors.size(); ++p) {
      WidePrior const& wide = model_.priors[p];
      double const variance = wide.between * wide.between;
      Estimate common{1 / (wide.common * wide.common), wide.median};
      learn_from(family, p, false, variance, common);
      Estimate of_its{1 / (1 / common.precision + (1 - of_group) * variance), common.mean};
      learn_from(family, p, true, of_group * variance, of_its);
      priors.push_back({of_its.mean, std::sqrt(1 / of_its.precision + of_group * variance)});
      auto const& own = model_.families[family].own;
      if (p < own.size() && own[p]) priors.back() = *own[p];
    }
    return priors;
  }

  Posterior posterior(std::size_t family, std::vector<NormalPrior> const& priors,
                      std::size_t last) const {
    return sample_posterior(
        priors,
        [this, family](std::vector<double> const& point) {
          return model_.log_likelihood(family, point);
        },
        points_, streams_.stream(Purpose::bootstrap, static_cast<std::uint32_t>(family)), last);
  }

  /// Each family that teaches, given the evidence of the others before.
  void learn() {
    auto evidences = evidences_;
    for (std::size_t f = 0; f < model_.families.size(); ++f) {
      if (!model_.families[f].teaches) continue;
      auto const priors = priors_of(f);
      constexpr std::size_t times = 4;
      Posterior const own = posterior(f, priors, points_of_last_round(f, times));
      for (std::size_t p = 0; p < priors.size(); ++p) {
        evidences[f][p] = evidence_of(own.mean(p), own.variance(p), priors[p]);
      }
    }
    evidences_ = std::move(evidences);
  }

  /// The rest of a parameter's posterior when the prior is taken out of it.
  static Estimate evidence_of(double mean, double variance, NormalPrior const& prior) {
    double const before = 1 / (prior.sd * prior.sd);
    double const after = 1 / std::max(1e-6, variance);
    constexpr double of_sampler = 0.1;  // a smaller gain may be its noise
    if (after < (1 + of_sampler) * before) return {};
    double const precision = after - before;
    return {precision, (after * mean - before * prior.mean) / precision};
  }

  Hierarchy const& model_;
  std::size_t points_;
  RandomStreams const& streams_;
  std::vector<std::vector<Estimate>> evidences_;  // by family and parameter
};

}  // namespace

double Posterior::mean(std::size_t parameter) const {
  double sum = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) sum += weights[i] * draws[i][parameter];
  return sum;
}

double Posterior::variance(std::size_t parameter) const {
  double const middle = mean(parameter);
  double sum = 0;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    sum += weights[i] * (draws[i][parameter] - middle) * (draws[i][parameter] - middle);
  }
  return sum;
}

Posterior sample_posterior(std::vector<NormalPrior> const& priors,
                           LogLikelihood const& log_likelihood, std::size_t draws,
                           RandomStream stream, std::size_t last) {
  auto const size = static_cast<Eigen::Index>(priors.size());
  Proposal from;
  bool near = false;
  for (int i = 1;; ++i) {
    std::size_t const count = near ? last : draws;
    Round round(from, size, count, stream);
    std::vector<std::vector<double>> points;
    for (Eigen::VectorXd const& z : round.points()) {
      std::vector<double>& point = points.emplace_back();
      for (std::size_t k = 0; k < priors.size(); ++k) {
        point.push_back(priors[k].mean + priors[k].sd * z[static_cast<Eigen::Index>(k)]);
      }
      round.add_likelihood(log_likelihood(point));
    }
    double const wanted = 0.05 * static_cast<double>(count);
    double const power = power_that_keeps(round, wanted);
    bool const good = power == 1 && effective_size(round.weights(1)) >= 4 * wanted;
    if (near || ((good || i == most_rounds) && last == 0)) {
      Posterior posterior{.draws = std::move(points), .weights = round.weights(1)};
      posterior.effective = effective_size(posterior.weights);
      return posterior;
    }
    near = good || i == most_rounds;
    from = around(round, round.weights(power));
  }
}

std::vector<std::size_t> resample(std::vector<double> const& weights, std::size_t count, double u) {
  std::vector<std::size_t> chosen;
  double passed = 0;
  std::size_t i = 0;
  for (std::size_t k = 0; k < count; ++k) {
    double const at = (static_cast<double>(k) + u) / static_cast<double>(count);
    while (i + 1 < weights.size() && passed + weights[i] < at) passed += weights[i++];
    chosen.push_back(i);
  }
  return chosen;
}

double weighted_quantile(std::vector<double> const& values, std::vector<double> const& weights,
                         double p) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order,
                    [&values](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  double passed = 0;
  for (std::size_t const i : order) {
    passed += weights[i];
    if (passed >= p) return values[i];
  }
  return values[order.back()];
}

std::vector<Posterior> fit_hierarchy(Hierarchy const& hierarchy, std::size_t points,
                                     RandomStreams const& streams) {
  return Fitter(hierarchy, points, streams).run();
}

}  // namespace gridcast::training
