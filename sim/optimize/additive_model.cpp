#include "sim/optimize/additive_model.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "sim/base/statistics.hpp"

namespace gridcast::optimize {
namespace {

/// Campaigns whose noise is as large as an effect.
constexpr double prior_campaigns = 4;
/// Campaigns of a point that count as much as the prediction for it.
constexpr double model_campaigns = 20;
constexpr std::size_t features_of_a_number = 3;  // it is on, and a parabola

std::size_t features_of(Dimension const& dimension) {
  return dimension.scale == Scale::choice
             ? static_cast<std::size_t>(std::lround(dimension.high - dimension.low)) + 1
             : features_of_a_number;
}

std::vector<Point> better_half(Scoreboard const& board) {
  constexpr std::size_t fewest = 20;
  auto points = board.ranked(1);
  points.resize(std::min(points.size(), std::max(fewest, points.size() / 2)));
  return points;
}

}  // namespace

AdditiveModel::AdditiveModel(SearchSpace const& space, Scoreboard const& board)
    : AdditiveModel(space, board, better_half(board)) {}

AdditiveModel::AdditiveModel(SearchSpace const& space, Scoreboard const& board,
                             std::vector<Point> const& points)
    : space_(space), board_(board), first_{1} {
  for (std::size_t i = 0; i < space.size(); ++i) {
    first_.push_back(first_.back() + features_of(space.dimension(i)));
  }
  coefficients_.assign(first_.back(), 0.0);
  constexpr int rounds = 3;  // the replicas' shares and the effects depend on each other
  for (int round = 0; round < rounds; ++round) {
    set_shared(points);
    fit(points);
  }
}

std::vector<double> AdditiveModel::features(Point const& point) const {
  std::vector<double> x(coefficients_.size(), 0.0);
  x.front() = 1;
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (!point[i]) continue;
    Dimension const& dimension = space_.dimension(i);
    if (dimension.scale == Scale::choice) {
      x[first_[i] + static_cast<std::size_t>(std::lround(*point[i] - dimension.low))] = 1;
      continue;
    }
    double const place = 2 * space_.share_of(i, *point[i]) - 1;  // from -1 to 1
    x[first_[i]] = 1;
    x[first_[i] + 1] = place;
    x[first_[i] + 2] = place * place;
  }
  return x;
}

AdditiveModel::Seen AdditiveModel::seen(Point const& point) const {
  Seen result;
  auto const& scores = board_.scores(point);
  for (std::size_t k = 0; k < std::min(scores.size(), shared_.size()); ++k) {
    if (std::isnan(scores[k])) continue;
    result.mean += scores[k] - shared_[k];
    ++result.campaigns;
  }
  if (result.campaigns > 0) result.mean /= result.campaigns;
  return result;
}

void AdditiveModel::set_shared(std::vector<Point> const& points) {
  std::vector<double> sum, n;
  for (Point const& point : points) {
    auto const& scores = board_.scores(point);
    double const own = predicted(point);
    if (scores.size() > sum.size()) {
      sum.resize(scores.size(), 0.0);
      n.resize(scores.size(), 0.0);
    }
    for (std::size_t k = 0; k < scores.size(); ++k) {
      if (std::isnan(scores[k])) continue;
      sum[k] += scores[k] - own;
      ++n[k];
    }
  }
  shared_.assign(sum.size(), 0.0);
  for (std::size_t k = 0; k < sum.size(); ++k) {
    if (n[k] > 0) shared_[k] = sum[k] / n[k];
  }
}

void AdditiveModel::fit(std::vector<Point> const& points) {
  auto const n = static_cast<Eigen::Index>(coefficients_.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Identity(n, n) * prior_campaigns;
  Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
  for (Point const& point : points) {
    auto const of_point = features(point);
    Eigen::Map<Eigen::VectorXd const> const x(of_point.data(), n);
    auto const [mean, campaigns] = seen(point);
    b += campaigns * mean * x;
    a += campaigns * x * x.transpose();
  }
  Eigen::Map<Eigen::VectorXd>(coefficients_.data(), n) = a.llt().solve(b);
}

double AdditiveModel::predicted(Point const& point) const {
  auto const x = features(point);
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * coefficients_[i];
  return sum;
}

double AdditiveModel::estimated(Point const& point) const {
  auto const [mean, campaigns] = seen(point);
  return (campaigns * mean + model_campaigns * predicted(point)) / (campaigns + model_campaigns);
}

double AdditiveModel::estimated_gain(Point const& over, Point const& point,
                                     std::vector<double> const& gains) const {
  double const prediction = predicted(point) - predicted(over);
  double const n = count(gains.size());
  double const sum = gains.empty() ? 0 : n * mean(gains);
  return (sum + model_campaigns * prediction) / (n + model_campaigns);
}

}  // namespace gridcast::optimize
