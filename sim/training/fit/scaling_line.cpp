#include "sim/training/fit/scaling_line.hpp"

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace gridcast::training {
namespace {

constexpr double row_freedom = 4;

double noise_of(ScalingPrior const& prior, LineFamily const& family) {
  return std::hypot(prior.noise, family.own_noise);
}

/// From (freedom + 1)/freedom on the line to 0 far from it.
double t_weight(double residual, double scale) {
  double const z = residual / scale;
  return (row_freedom + 1) / (row_freedom + z * z);
}

Eigen::Vector4d slope(LineFamily const& family, std::size_t row, LinePoint const& at,
                      double value) {
  constexpr double small = 1e-5;
  Eigen::Vector4d slope;
  for (std::size_t k = 0; k < at.size(); ++k) {
    LinePoint moved = at;
    moved[k] += small;
    slope[static_cast<Eigen::Index>(k)] = (family.model(row, moved) - value) / small;
  }
  return slope;
}

/// A row as the posterior sees it.
struct Seen {
  double residual = 0, weight = 1;
  Eigen::Vector4d slope;
};

struct Posterior4 {
  LinePoint mean = {};
  Eigen::Matrix4d covariance;
  std::vector<Seen> rows;
};

Eigen::Vector4d vector_of(LinePoint const& point) { return Eigen::Vector4d(point.data()); }

/// One Gauss-Newton step from `at`, half of it: whole ones can swing between two sets of weights.
Posterior4 step_from(LinePoint const& at, ScalingPrior const& prior, LineFamily const& family) {
  double const noise = noise_of(prior, family);
  Eigen::Vector4d before = vector_of(prior.mean), spread = vector_of(prior.spread);
  before[line::step] = family.log_step;
  spread[line::step] = family.log_step_sd;
  Eigen::Matrix4d precision = spread.array().square().inverse().matrix().asDiagonal();
  Eigen::Vector4d pull = precision * before;
  Posterior4 posterior;
  for (std::size_t i = 0; i < family.log_times.size(); ++i) {
    double const value = family.model(i, at);
    Seen seen{family.log_times[i] - value, 0, slope(family, i, at, value)};
    seen.weight = t_weight(seen.residual, noise);
    double const weight = seen.weight / (noise * noise);
    precision += weight * seen.slope * seen.slope.transpose();
    pull += weight * (seen.residual + seen.slope.dot(vector_of(at))) * seen.slope;
    posterior.rows.push_back(std::move(seen));
  }
  posterior.covariance = precision.llt().solve(Eigen::Matrix4d::Identity());
  Eigen::Vector4d const next = (posterior.covariance * pull + vector_of(at)) / 2;
  for (std::size_t k = 0; k < at.size(); ++k) {
    posterior.mean[k] = next[static_cast<Eigen::Index>(k)];
  }
  return posterior;
}

Posterior4 posterior_of(ScalingPrior const& prior, LineFamily const& family) {
  LinePoint at = prior.mean;
  at[line::step] = family.log_step;
  constexpr int most = 200;
  constexpr double settled = 1e-9;
  for (int i = 0;; ++i) {
    Posterior4 posterior = step_from(at, prior, family);
    double moved = 0;
    for (std::size_t k = 0; k < at.size(); ++k) moved += std::abs(posterior.mean[k] - at[k]);
    if (i == most || moved < settled) return posterior;
    at = posterior.mean;
  }
}

/// The prior whose spread is at least this wide, however alike a few families are.
constexpr double least_spread = 1e-3;

}  // namespace

ScalingPrior published_scaling() {
  return {{0, 0.0499, 0.0245, 0.0434}, {0, 0.0293, 0.0231, 0.0454}, 0.0229, 6};
}

ScalingPrior pooled(ScalingPrior const& prior, std::vector<LineFamily> const& families) {
  constexpr int rounds = 100;
  ScalingPrior now = prior;
  for (int round = 0; round < rounds; ++round) {
    double count = prior.families, rows = prior.families;
    double squares = prior.families * prior.noise * prior.noise;
    std::vector<Posterior4> all;
    for (LineFamily const& family : families) {
      if (!family.teaches) continue;
      all.push_back(posterior_of(now, family));
      for (Seen const& row : all.back().rows) {
        double const unsure = row.slope.dot(all.back().covariance * row.slope);
        squares += row.weight * (row.residual * row.residual + unsure);
        ++rows;
      }
    }
    count += static_cast<double>(all.size());
    now.noise = std::sqrt(squares / rows);
    for (std::size_t k = line::overhead; k < line::coefficients; ++k) {
      double sum = prior.families * prior.mean[k];
      for (auto const& posterior : all) sum += posterior.mean[k];
      now.mean[k] = sum / count;
      double variance = prior.families * (prior.spread[k] * prior.spread[k] +
                                          std::pow(prior.mean[k] - now.mean[k], 2));
      for (auto const& posterior : all) {
        auto const at = static_cast<Eigen::Index>(k);
        variance += std::pow(posterior.mean[k] - now.mean[k], 2) + posterior.covariance(at, at);
      }
      now.spread[k] = std::max(least_spread, std::sqrt(variance / count));
    }
    now.families = count;
  }
  return now;
}

LineFit fit_line(ScalingPrior const& prior, LineFamily const& family) {
  Posterior4 const posterior = posterior_of(prior, family);
  LineFit fit{posterior.mean, {}, noise_of(prior, family), {}};
  Eigen::Matrix4d const factor = posterior.covariance.llt().matrixL();
  for (std::size_t i = 0; i < line::coefficients; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      fit.factor[i][k] = factor(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k));
    }
  }
  for (Seen const& row : posterior.rows) {
    fit.weights.push_back(row.weight * row_freedom / (row_freedom + 1));
  }
  return fit;
}

}  // namespace gridcast::training
