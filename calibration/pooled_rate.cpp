#include "calibration/pooled_rate.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/distribution.hpp"
#include "sim/base/error.hpp"

namespace gridcast::calibration {
namespace {

constexpr int mu_nodes = 80;
constexpr int tau_nodes = 40;
constexpr double largest_tau = 3;

/// Of the events of all sites, rates integrated out (negative binomial), up to a constant.
double log_marginal(std::vector<SiteCount> const& sites, double shape, double rate) {
  double sum = 0;
  for (SiteCount const& site : sites) {
    sum += std::lgamma(shape + site.events) - std::lgamma(shape) + shape * std::log(rate) -
           (shape + site.events) * std::log(rate + site.exposure);
  }
  return sum;
}

}  // namespace

PooledRate::PooledRate(std::vector<SiteCount> const& sites) : sites_(sites) {
  double events = 0;
  double exposure = 0;
  for (SiteCount const& site : sites) {
    events += site.events;
    exposure += site.exposure;
  }
  check(exposure > 0, "a rate needs exposure");
  // Five decades around the pooled rate, equal steps in ln mu.
  double const center = std::log((events + 0.5) / exposure);
  double const reach = std::log(10.0) * 2.5;
  std::vector<double> logs;
  for (int i = 0; i < mu_nodes; ++i) {
    double const log_mu = center + reach * (2 * (i + 0.5) / mu_nodes - 1);
    for (int j = 0; j < tau_nodes; ++j) {
      double const tau = largest_tau * (j + 0.5) / tau_nodes;
      double const shape = 1 / (tau * tau);
      double const rate = shape / std::exp(log_mu);
      // Jeffreys' mu^(-1/2), times mu for steps in its logarithm.
      double const log_prior = log_mu / 2 - tau * tau / 2;
      nodes_.push_back({shape, rate, 0});
      logs.push_back(log_marginal(sites, shape, rate) + log_prior);
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

std::vector<double> PooledRate::draw(RandomStream& stream) const {
  double u = stream.uniform();
  std::size_t i = 0;
  while (i + 1 < nodes_.size() && u >= nodes_[i].probability) u -= nodes_[i++].probability;
  std::vector<double> rates;
  for (SiteCount const& site : sites_) {
    double const scale = 1 / (nodes_[i].rate + site.exposure);
    rates.push_back(gamma_quantile(stream.uniform(), nodes_[i].shape + site.events, scale));
  }
  return rates;
}

}  // namespace gridcast::calibration
