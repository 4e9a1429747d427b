#include "calibration/fits/never_ending.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t share_nodes = 40;
constexpr double no_survival = 1e-12;

struct NodeOfShare {
  double q = 0, log_others = 0;  // ln(1 - q)
};

std::array<NodeOfShare, share_nodes> quantiles_of_share() {
  std::array<NodeOfShare, share_nodes> nodes;
  for (std::size_t i = 0; i < share_nodes; ++i) {
    double const q = arcsine_quantile((static_cast<double>(i) + 0.5) / share_nodes);
    nodes[i] = {q, std::log1p(-q)};
  }
  return nodes;
}

std::array<NodeOfShare, share_nodes> const nodes_of_share = quantiles_of_share();

}  // namespace

/// All of which nothing survives are one.
std::vector<NeverEnding::Lasting> NeverEnding::lasting(Distribution const& ends) const {
  std::vector<Lasting> all = {{0, 0}};
  for (auto const& [seconds, times] : open_) {
    double const survival = seconds > ends.shift ? std::exp(ends.log_survival(seconds)) : 1;
    if (survival < no_survival) {
      all.front().times += times;
    } else if (survival < 1) {
      all.push_back({survival, times});
    }
  }
  return all;
}

/// Factors are multiplied until they might be nothing: logarithms take most of the time.
std::vector<double> NeverEnding::log_likelihoods(std::vector<Lasting> const& open) const {
  constexpr double small = 1e-250;
  std::vector<double> logs;
  for (NodeOfShare const& node : nodes_of_share) {
    double sum = ended_ * node.log_others, product = 1;
    for (Lasting const& each : open) {
      double const factor = node.q + (1 - node.q) * each.survival;
      if (each.times == 1) {
        product *= factor;
      } else {
        sum += each.times * std::log(factor);
      }
      if (product < small) sum += std::log(std::exchange(product, 1));
    }
    logs.push_back(sum + std::log(product));
  }
  return logs;
}

double NeverEnding::log_likelihood(Distribution const& ends) const {
  return log_mean_exp(log_likelihoods(lasting(ends)));
}

double NeverEnding::known(Distribution const& ends) const {
  auto const open = lasting(ends);
  auto const logs = log_likelihoods(open);
  double const most = *std::max_element(logs.begin(), logs.end());
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    double const q = nodes_of_share[i].q, weight = std::exp(logs[i] - most);
    double of_node = 0;
    for (Lasting const& each : open) {
      of_node += each.times * (1 - each.survival) * q / (q + (1 - q) * each.survival);
    }
    sum += weight * of_node;
    weights += weight;
  }
  return sum / weights;
}

}  // namespace gridcast::calibration
