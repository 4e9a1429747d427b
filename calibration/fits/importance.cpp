#include "calibration/fits/importance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <boost/math/special_functions/gamma.hpp>

#include "sim/base/random.hpp"

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

// The next round is around the weighted draws; where few weights rule, around a power of them.
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

}  // namespace gridcast::calibration
