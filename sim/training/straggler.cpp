#include "sim/training/straggler.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/distribution.hpp"
#include "sim/base/numbers.hpp"

namespace gridcast::training {
namespace {

/// P(exp(sd z) <= x).
double body(double x, double sd) {
  if (x <= 0) return 0;
  if (sd <= 0) return x >= 1 ? 1 : 0;
  return normal_cdf(std::log(x) / sd);
}

/// Values of 1 + e that are as likely as each other.
std::vector<double> slow_factors(scenario::ComputeSpec const& compute) {
  constexpr int count = 32;
  std::vector<double> factors;
  for (int i = 0; i < count; ++i) {
    double const z = normal_quantile((i + 0.5) / count);
    factors.push_back(1 + compute.slow_by * std::exp(compute.slow_spread * z));
  }
  return factors;
}

double mixture(scenario::ComputeSpec const& compute, std::vector<double> const& factors, double x,
               double sd) {
  double const fast = body(x, sd);
  if (compute.slow_share <= 0) return fast;
  double slow = 0;
  for (double const factor : factors) slow += body(x / factor, sd);
  return (1 - compute.slow_share) * fast +
         compute.slow_share * slow / static_cast<double>(factors.size());
}

double sd_of(scenario::ComputeSpec const& compute) {
  return std::hypot(compute.rank_spread, compute.spread);
}

/// Where the distribution has ended.
double end_of(scenario::ComputeSpec const& compute) {
  constexpr double far = 8;
  double const slow =
      compute.slow_share > 0 ? 1 + compute.slow_by * std::exp(far * 0.6 * compute.slow_spread) : 1;
  return slow * std::exp(far * sd_of(compute)) + 1e-9;
}

template <class Cdf>
double quantile_of(Cdf const& cdf, double p, double high) {
  double low = 0;
  for (int i = 0; i < 60; ++i) {
    double const middle = (low + high) / 2;
    (cdf(middle) < p ? low : high) = middle;
  }
  return high;
}

}  // namespace

bool has_persistence(scenario::ComputeSpec const& compute) {
  return compute.rank_spread > 0 || compute.slow_share > 0 || compute.steady_steps > 0;
}

double straggler_cdf(scenario::ComputeSpec const& compute, double x) {
  return mixture(compute, slow_factors(compute), x, sd_of(compute));
}

double straggler_cdf(scenario::ComputeSpec const& compute, double x, double own) {
  return mixture(compute, slow_factors(compute), x / own, compute.spread);
}

// P(k-th slowest of n <= x) = sum over fewer than k that are above x. The integral goes over ln x, with
// 4,000 steps of Simpson's rule between where nothing and everything has happened.
double expected_slowest(scenario::ComputeSpec const& compute, int n, int k) {
  auto const factors = slow_factors(compute);
  double const sd = sd_of(compute);
  auto const above = [&](double x) {
    double const f = mixture(compute, factors, x, sd);
    double sum = 0, ways = 1;
    for (int j = 0; j < k && j <= n; ++j) {
      sum += ways * std::pow(1 - f, j) * std::pow(f, n - j);
      ways *= static_cast<double>(n - j) / (j + 1);
    }
    return 1 - sum;
  };
  double const low = std::exp(-8 * sd - 1e-9), high = end_of(compute);
  constexpr int intervals = 4000;
  double const h = std::log(high / low) / intervals;
  double sum = 0;
  for (int i = 0; i <= intervals; ++i) {
    double const x = low * std::exp(h * i);
    double const weight = i == 0 || i == intervals ? 1 : (i % 2 == 1 ? 4 : 2);
    sum += weight * above(x) * x;
  }
  return low + sum * h / 3;
}

double slowest_quantile(scenario::ComputeSpec const& compute, int n, double p) {
  auto const factors = slow_factors(compute);
  double const sd = sd_of(compute);
  return quantile_of([&](double x) { return std::pow(mixture(compute, factors, x, sd), n); }, p,
                     end_of(compute));
}

double slowest_quantile(scenario::ComputeSpec const& compute, std::vector<double> const& own,
                        double p) {
  auto const factors = slow_factors(compute);
  double const most = own.empty() ? 1 : *std::max_element(own.begin(), own.end());
  return quantile_of(
      [&](double x) {
        double all = 1;
        for (double const factor : own) {
          all *= mixture(compute, factors, x / factor, compute.spread);
        }
        return all;
      },
      p, most * end_of(compute));
}

StragglerWalk::StragglerWalk(scenario::ComputeSpec const& compute, int ranks, RandomStream stream)
    : compute_(compute),
      stream_(stream),
      memory_(compute.steady_steps > 0 ? std::exp(-1 / compute.steady_steps) : 0),
      ranks_(static_cast<std::size_t>(ranks)) {
  for (Rank& rank : ranks_) {
    rank.own = compute_.rank_spread * normal();
    rank.changing = compute_.spread * normal();
    bool const slow = compute_.slow_share > 0 && stream_.chance(compute_.slow_share);
    if (slow) rank.excess = compute_.slow_by * std::exp(compute_.slow_spread * normal());
  }
}

double StragglerWalk::normal() { return normal_quantile(stream_.uniform()); }

// A spell ends with probability 1/slow_steps a step, and begins so often that the share is right:
// share = begin / (begin + end).
void StragglerWalk::move(Rank& rank) {
  rank.changing =
      memory_ * rank.changing + std::sqrt(1 - memory_ * memory_) * compute_.spread * normal();
  if (compute_.slow_share <= 0) return;
  double const end = 1 / std::max(1., compute_.slow_steps);
  double const begin = std::min(1., end * compute_.slow_share / (1 - compute_.slow_share));
  bool const ends = rank.excess > 0 && stream_.chance(end);
  if (ends) {
    rank.excess = 0;
  } else if (rank.excess <= 0 && stream_.chance(begin)) {
    rank.excess = compute_.slow_by * std::exp(compute_.slow_spread * normal());
  }
}

double StragglerWalk::next() {
  double slowest = 0;
  for (Rank& rank : ranks_) {
    slowest = std::max(slowest, std::exp(rank.own + rank.changing) * (1 + rank.excess));
    move(rank);
  }
  return slowest;
}

}  // namespace gridcast::training
