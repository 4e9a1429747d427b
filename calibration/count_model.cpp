#include "calibration/count_model.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/optimum.hpp"
#include "sim/base/distribution.hpp"
#include "sim/base/error.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

/// Attempts that fail before one succeeds, each failing with probability q.
double geometric_quantile(double u, double q) {
  return q <= 0 ? 0 : std::floor(std::log1p(-u) / std::log(q));
}

double log_likelihood(CountModel const& model, std::vector<double> const& counts) {
  double sum = 0;
  for (double const k : counts) sum += model.log_probability(k);
  return sum;
}

CountModel fit_hurdle(std::vector<double> const& counts) {
  double positive = 0;
  double sum = 0;
  for (double const k : counts) {
    if (k > 0) ++positive;
    sum += k;
  }
  double const zeros = 1 - positive / static_cast<double>(counts.size());
  return {CountFamily::hurdle, zeros, 1 - positive / sum};
}

CountModel fit_beta_geometric(std::vector<double> const& counts) {
  auto const model = [](std::vector<double> const& x) {
    return CountModel{CountFamily::beta_geometric, std::exp(x[0]), std::exp(x[1])};
  };
  // Between a point (all jobs alike) and two masses (always or never) in either parameter.
  Bounds const bounds{{-7, -7}, {12, 12}};
  Minimum const found =
      minimise([&](std::vector<double> const& x) { return -log_likelihood(model(x), counts); },
               {0, 0}, 0.5, bounds);
  return model(found.at);
}

}  // namespace

double CountModel::log_probability(double k) const {
  switch (family) {
    case CountFamily::geometric:
      return std::log1p(-first) + (k > 0 ? k * std::log(first) : 0);
    case CountFamily::hurdle:
      if (k == 0) return std::log(first);
      return std::log1p(-first) + std::log1p(-second) + (k > 1 ? (k - 1) * std::log(second) : 0);
    case CountFamily::beta_geometric:
      return log_beta(first + 1, second + k) - log_beta(first, second);
  }
  throw InternalError("a family of counts has a probability");
}

double CountModel::survival(double k) const {
  if (k < 0) return 1;
  switch (family) {
    case CountFamily::geometric:
      return std::pow(first, k + 1);
    case CountFamily::hurdle:
      return (1 - first) * std::pow(second, k);
    case CountFamily::beta_geometric:
      return std::exp(log_beta(first, second + k + 1) - log_beta(first, second));
  }
  throw InternalError("a family of counts has a survival function");
}

double CountModel::sample(RandomStream& stream) const {
  double const u = stream.uniform();
  switch (family) {
    case CountFamily::geometric:
      return geometric_quantile(u, first);
    case CountFamily::hurdle:
      return u < first ? 0 : 1 + geometric_quantile(stream.uniform(), second);
    case CountFamily::beta_geometric:
      return geometric_quantile(u, 1 - beta_quantile(stream.uniform(), first, second));
  }
  throw InternalError("a family of counts has draws");
}

CountModel fit_counts(CountFamily family, std::vector<double> const& counts) {
  double const average = mean(counts);
  check(average > 0, "a model of counts is fitted to some that are not zero");
  switch (family) {
    case CountFamily::geometric:
      return {family, average / (1 + average), 0};
    case CountFamily::hurdle:
      return fit_hurdle(counts);
    case CountFamily::beta_geometric:
      return fit_beta_geometric(counts);
  }
  throw InternalError("a family of counts has a fit");
}

double akaike(CountModel const& model, std::vector<double> const& counts) {
  return 2 * model.parameters() - 2 * log_likelihood(model, counts);
}

double kolmogorov_distance(CountModel const& model, std::vector<double> counts) {
  std::sort(counts.begin(), counts.end());
  double const n = static_cast<double>(counts.size());
  double largest = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    double const below = static_cast<double>(i) / n;
    double const up_to = static_cast<double>(i + 1) / n;
    if (i == 0 || counts[i] != counts[i - 1]) {
      largest = std::max(largest, std::abs(below - (1 - model.survival(counts[i] - 1))));
    }
    if (i + 1 == counts.size() || counts[i] != counts[i + 1]) {
      largest = std::max(largest, std::abs(up_to - (1 - model.survival(counts[i]))));
    }
  }
  return largest;
}

}  // namespace gridcast::calibration
