#include "calibration/both/two_campaigns.hpp"

#include <algorithm>
#include <set>

#include "calibration/fits/estimate.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr int steps_of_tau = 200;
constexpr double widest_tau = 4;  // scales of its prior
constexpr double nearest_to_sure = 1e-9;

/// Given tau.
struct GivenTau {
  double tau = 0;
  double probability = 0;
  double center = 0;
  double variance = 0;
  double weight = 0;  // of the first
};

GivenTau given(double tau, ToldByRecord const& first, ToldByRecord const& second) {
  double const w1 = 1 / (square(first.sd) + square(tau) / first.campaigns);
  double const w2 = 1 / (square(second.sd) + square(tau) / second.campaigns);
  double const total = w1 + w2, harmonic = w1 * w2 / total;
  GivenTau node{tau};
  node.probability = (std::log(harmonic) - square(first.mean - second.mean) * harmonic) / 2;
  node.weight = w1 / total;
  node.center = node.weight * first.mean + (1 - node.weight) * second.mean;
  node.variance = 1 / total;
  return node;
}

std::vector<GivenTau> posterior_of_tau(ToldByRecord const& first, ToldByRecord const& second,
                                       CampaignsDiffer const& differ) {
  double const stated = differ.stated.value_or(0);
  if (differ.stated || differ.scale <= 0) {
    std::vector<GivenTau> one = {given(stated, first, second)};
    one.front().probability = 1;
    return one;
  }
  std::vector<GivenTau> nodes;
  for (int i = 0; i < steps_of_tau; ++i) {
    double const scales = widest_tau * (i + 0.5) / steps_of_tau;
    nodes.push_back(given(scales * differ.scale, first, second));
    nodes.back().probability -= square(scales) / 2;
  }
  to_probabilities(nodes, &GivenTau::probability);
  return nodes;
}

bool is_told(PoolingScale scale, double draw) {
  return std::isfinite(draw) && draw > 0 && (scale == PoolingScale::logarithm || draw < 1);
}

}  // namespace

double on_scale(PoolingScale scale, double value) {
  if (scale == PoolingScale::logarithm) return std::log(value);
  return base::logit(std::clamp(value, nearest_to_sure, 1 - nearest_to_sure));
}

double off_scale(PoolingScale scale, double value) {
  return scale == PoolingScale::logarithm ? std::exp(value) : inverse_logit(value);
}

double PooledRecords::p_value() const { return 2 * normal_cdf(-std::abs(apart)); }

PooledRecords pool_records(ToldByRecord const& first, ToldByRecord const& second,
                           CampaignsDiffer const& differ) {
  auto const nodes = posterior_of_tau(first, second, differ);
  PooledRecords pooled;
  double squares = 0;
  for (GivenTau const& node : nodes) {
    pooled.mean += node.probability * node.center;
    pooled.weight += node.probability * node.weight;
    squares += node.probability * square(node.tau);
  }
  double variance = 0;
  for (GivenTau const& node : nodes) {
    variance += node.probability * (node.variance + square(node.center - pooled.mean));
  }
  pooled.sd = std::sqrt(variance);
  pooled.next_sd = std::sqrt(variance + squares);
  pooled.tau = std::sqrt(squares);
  double const beforehand = differ.stated.value_or(differ.scale);
  pooled.apart = (first.mean - second.mean) /
                 std::sqrt(square(first.sd) + square(second.sd) +
                           square(beforehand) * (1 / first.campaigns + 1 / second.campaigns));
  return pooled;
}

std::optional<ToldByRecord> told_by_draws(PoolingScale scale, std::vector<double> const& draws) {
  constexpr std::size_t fewest = 10;
  std::vector<double> values;
  for (double const draw : draws) {
    if (is_told(scale, draw)) values.push_back(on_scale(scale, draw));
  }
  // Rows may come several times.
  if (std::set<double>(values.begin(), values.end()).size() < fewest) return std::nullopt;
  ToldByRecord const told{mean(values), standard_deviation(values)};
  return told;
}

std::vector<double> moved_to(PoolingScale scale, std::vector<double> draws, double mean,
                             double sd) {
  auto const told = told_by_draws(scale, draws);
  if (!told) return draws;
  for (double& draw : draws) {
    if (!is_told(scale, draw)) continue;
    draw = off_scale(scale, mean + (on_scale(scale, draw) - told->mean) * sd / told->sd);
  }
  return draws;
}

}  // namespace gridcast::calibration
