#include "calibration/between_sites.hpp"

#include <cmath>

#include "sim/base/distribution.hpp"
#include "sim/base/error.hpp"

namespace gridcast::calibration {
namespace {

constexpr int grid_size = 60;
constexpr double largest_tau = 3;  // three standard deviations of its prior

}  // namespace

SiteSpread::SiteSpread(std::vector<double> const& values, std::vector<double> const& variances) {
  check(!values.empty() && values.size() == variances.size(), "the spread between sites needs one");
  double total = 0;
  for (int i = 0; i < grid_size; ++i) {
    double const tau = largest_tau * (i + 0.5) / grid_size;
    double precision = 0;
    double weighted = 0;
    double log_density = -tau * tau / 2;  // the prior
    for (std::size_t s = 0; s < values.size(); ++s) {
      double const w = 1 / (variances[s] + tau * tau);
      precision += w;
      weighted += w * values[s];
      log_density += std::log(w) / 2;
    }
    double const center = weighted / precision;
    for (std::size_t s = 0; s < values.size(); ++s) {
      double const off = values[s] - center;
      log_density -= off * off / (variances[s] + tau * tau) / 2;
    }
    double const density = std::exp(log_density - std::log(precision) / 2);
    nodes_.push_back({tau, density, center, 1 / std::sqrt(precision)});
    total += density;
  }
  for (Node& node : nodes_) node.probability /= total;
}

SiteSpread::Draw SiteSpread::draw(RandomStream& stream) const {
  double u = stream.uniform();
  std::size_t i = 0;
  while (i + 1 < nodes_.size() && u >= nodes_[i].probability) u -= nodes_[i++].probability;
  double const within = (stream.uniform() - 0.5) * largest_tau / grid_size;
  double const center = nodes_[i].center + nodes_[i].center_sd * normal_quantile(stream.uniform());
  return {center, nodes_[i].tau + within};
}

double SiteSpread::draw_site(RandomStream& stream) const {
  Draw const between = draw(stream);
  return between.center + between.spread * normal_quantile(stream.uniform());
}

}  // namespace gridcast::calibration
