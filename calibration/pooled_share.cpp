#include "calibration/pooled_share.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/distribution.hpp"

namespace gridcast::calibration {

namespace {

constexpr int m_nodes = 80;
constexpr int tau_nodes = 40;
constexpr double wide = 1.5;  // where the prior of tau has its mode
constexpr double largest_tau = 6;

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

}  // namespace

PooledShare::PooledShare(std::vector<SiteTrials> const& sites) : sites_(sites) {
  std::vector<double> logs;
  for (int i = 0; i < m_nodes; ++i) {
    // Equal shares of Jeffreys' prior: the arcsine law.
    double const root = std::sin(M_PI_2 * (i + 0.5) / m_nodes);
    double const m = root * root;
    for (int j = 0; j < tau_nodes; ++j) {
      double const tau = largest_tau * (j + 0.5) / tau_nodes;
      double const k = 1 / (tau * tau * m);
      Node const node{m * k, (1 - m) * k, 0};
      double log = std::log(tau) - tau * tau / (2 * wide * wide);
      for (SiteTrials const& site : sites_) {
        log += log_beta(node.a + site.hits, node.b + std::max(0.0, site.trials - site.hits)) -
               log_beta(node.a, node.b);
      }
      nodes_.push_back(node);
      logs.push_back(log);
    }
  }
  double const best = *std::max_element(logs.begin(), logs.end());
  double total = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].probability = std::exp(logs[i] - best);
    total += nodes_[i].probability;
  }
  for (Node& node : nodes_) node.probability /= total;
}

std::vector<double> PooledShare::draw(RandomStream& stream) const {
  double left = stream.uniform();
  auto node = nodes_.begin();
  while (node + 1 != nodes_.end() && left > node->probability) left -= (node++)->probability;
  std::vector<double> shares;
  for (SiteTrials const& site : sites_) {
    double const a = node->a + site.hits;
    double const b = node->b + std::max(0.0, site.trials - site.hits);
    shares.push_back(std::clamp(beta_quantile(stream.uniform(), a, b), 0.0, 1.0));
  }
  return shares;
}

}  // namespace gridcast::calibration
