#include "calibration/inference/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <boost/math/special_functions/gamma.hpp>

#include "calibration/inference/special_functions.hpp"

namespace gridcast::calibration {

namespace {

constexpr double degrees = 5;

/// A multivariate Student t.
class StudentT {
 public:
  StudentT(Eigen::VectorXd center, Eigen::MatrixXd const& covariance)
      : center_(std::move(center)), root_(covariance.llt().matrixL()) {
    auto const d = static_cast<double>(center_.size());
    log_scale_ = boost::math::lgamma((degrees + d) / 2) - boost::math::lgamma(degrees / 2) -
                 d / 2 * std::log(degrees * M_PI);
    for (Eigen::Index i = 0; i < center_.size(); ++i) log_scale_ -= std::log(root_(i, i));
  }

  std::vector<double> draw(RandomStream& stream) const {
    Eigen::VectorXd z(center_.size());
    for (Eigen::Index i = 0; i < z.size(); ++i) z(i) = normal_quantile(stream.uniform());
    double const chi2 = gamma_quantile(stream.uniform(), degrees / 2, 2);
    Eigen::VectorXd const x = center_ + root_ * z * std::sqrt(degrees / chi2);
    return {x.data(), x.data() + x.size()};
  }

  double log_density(std::vector<double> const& at) const {
    Eigen::VectorXd const x =
        Eigen::Map<Eigen::VectorXd const>(at.data(), static_cast<Eigen::Index>(at.size())) -
        center_;
    Eigen::VectorXd const z = root_.triangularView<Eigen::Lower>().solve(x);
    auto const d = static_cast<double>(at.size());
    return log_scale_ - (degrees + d) / 2 * std::log1p(z.squaredNorm() / degrees);
  }

 private:
  Eigen::VectorXd center_;
  Eigen::MatrixXd root_;
  double log_scale_ = 0;
};

StudentT around(ImportanceProposal const& proposal) {
  auto const d = static_cast<Eigen::Index>(proposal.center.size());
  Eigen::VectorXd const center = Eigen::Map<Eigen::VectorXd const>(proposal.center.data(), d);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(d, d);
  for (auto const& draw : proposal.draws) {
    Eigen::VectorXd const x = Eigen::Map<Eigen::VectorXd const>(draw.data(), d) - center;
    covariance += x * x.transpose() / static_cast<double>(proposal.draws.size());
  }
  for (Eigen::Index i = 0; i < d; ++i) {
    auto const own = static_cast<std::size_t>(i);
    if (proposal.draws.empty()) covariance(i, i) = proposal.sd[own] * proposal.sd[own];
    covariance(i, i) = covariance(i, i) * 1.2 + 1e-4;
  }
  return {center, covariance};
}

/// The next round is around the weighted draws. If few weights dominate, it uses a power of them.
ImportanceProposal next_round(ImportanceDraws const& draws, RandomStream& stream) {
  ImportanceDraws tempered = draws;
  double power = 1;
  double const enough = 8.0 * static_cast<double>(draws.at.front().size());
  auto const effective = [&] {
    double sum = 0, squares = 0;
    for (double const w : tempered.weights) sum += w, squares += w * w;
    return sum * sum / squares;
  };
  while (effective() < enough && power > 0.05) {
    power *= 0.7;
    for (std::size_t i = 0; i < draws.weights.size(); ++i) {
      tempered.weights[i] = std::pow(draws.weights[i], power);
    }
  }
  double const sum = std::accumulate(tempered.weights.begin(), tempered.weights.end(), 0.0);
  for (double& w : tempered.weights) w /= sum;
  ImportanceProposal next;
  next.center.assign(draws.at.front().size(), 0.0);
  for (std::size_t i = 0; i < draws.at.size(); ++i) {
    for (std::size_t k = 0; k < next.center.size(); ++k) {
      next.center[k] += tempered.weights[i] * draws.at[i][k];
    }
  }
  for (std::size_t const i : tempered.resampled(draws.at.size(), stream)) {
    next.draws.push_back(draws.at[i]);
  }
  return next;
}

}  // namespace

double variance_of_log_mean(std::vector<double> const& logs) {
  constexpr double most = 600;  // exp() of it is finite
  auto const n = static_cast<double>(logs.size());
  double const middle = median(logs);
  double upper = 0;
  for (double const log : logs) upper += square(std::max(0.0, log - middle)) * 2 / n;
  return std::max(0.0, upper - most) + std::log1p(std::expm1(std::min(upper, most)) / n);
}

double variance_by_batches(std::vector<double> const& logs) {
  constexpr std::size_t batches = 10;
  double const log_mean = log_mean_exp(logs);
  std::vector<double> means;
  for (std::size_t k = 0; k < batches; ++k) {
    auto const at = [&](std::size_t i) {
      return logs.begin() + static_cast<std::ptrdiff_t>(i * logs.size() / batches);
    };
    std::vector<double> const batch(at(k), at(k + 1));
    if (!batch.empty()) means.push_back(std::exp(log_mean_exp(batch) - log_mean));
  }
  return variance(means) / static_cast<double>(means.size());
}

std::vector<std::size_t> ImportanceDraws::resampled(std::size_t n, RandomStream& stream) const {
  std::vector<std::size_t> chosen;
  double const step = 1.0 / static_cast<double>(n);
  double u = stream.uniform() * step, sum = weights.empty() ? 1 : weights[0];
  std::size_t i = 0;
  for (std::size_t k = 0; k < n; ++k, u += step) {
    while (sum < u && i + 1 < weights.size()) sum += weights[++i];
    chosen.push_back(i);
  }
  return chosen;
}

ImportanceDraws importance_sample(LogTarget const& target, ImportanceProposal const& proposal,
                                  std::size_t count, RandomStream& stream) {
  StudentT const from = around(proposal);
  ImportanceDraws draws;
  double largest = -HUGE_VAL;
  for (std::size_t i = 0; i < count; ++i) {
    draws.at.push_back(from.draw(stream));
    double const f = target(draws.at.back());
    draws.weights.push_back(std::isfinite(f) ? f - from.log_density(draws.at.back()) : -HUGE_VAL);
    largest = std::max(largest, draws.weights.back());
  }
  double sum = 0, squares = 0;
  for (double& w : draws.weights) {
    w = std::isfinite(largest) ? std::exp(w - largest) : 1;
    sum += w;
    squares += w * w;
  }
  for (double& w : draws.weights) w /= sum;
  draws.log_evidence = largest + std::log(sum / static_cast<double>(count));
  draws.effective = sum * sum / squares;
  return draws;
}

ImportanceProposal adapted_proposal(LogTarget const& target, ImportanceProposal proposal,
                                    std::size_t count, RandomStream& stream) {
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    proposal = next_round(importance_sample(target, proposal, count, stream), stream);
  }
  return proposal;
}

std::vector<AveragedProbability> averaged_probabilities(std::vector<UnsureEvidence> const& models,
                                                        std::vector<double> const& error_variances,
                                                        std::size_t draws, RandomStream stream) {
  std::vector<std::vector<double>> logs(models.size());
  for (std::size_t i = 0; i < draws; ++i) {
    std::vector<double> errors, drawn;
    for (double const variance : error_variances) {
      errors.push_back(std::sqrt(variance) * normal_quantile(stream.uniform()));
    }
    for (UnsureEvidence const& one : models) {
      drawn.push_back(one.log_posterior);
      for (std::size_t const error : one.errors) drawn.back() += errors[error];
    }
    double const total = log_mean_exp(drawn) + std::log(static_cast<double>(drawn.size()));
    for (std::size_t m = 0; m < models.size(); ++m) logs[m].push_back(drawn[m] - total);
  }
  std::vector<AveragedProbability> averaged;
  for (auto const& of_model : logs) {
    double const log_mean = log_mean_exp(of_model), mean = std::exp(log_mean);
    averaged.push_back({log_mean,
                        {std::min(mean, std::exp(quantile(of_model, 0.05))),
                         std::max(mean, std::exp(quantile(of_model, 0.95)))}});
  }
  return averaged;
}

}  // namespace gridcast::calibration
