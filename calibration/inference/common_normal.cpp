#include "calibration/inference/common_normal.hpp"

#include <cmath>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

struct SpreadSteps {
  double step = 0;
  std::vector<double> log_spreads, logs;  // log density at each spread
};

SpreadSteps spread_steps(std::vector<double> const& values, CommonPrior const& prior) {
  constexpr int parts = 100;
  double const n = static_cast<double>(values.size()), centre = mean(values);
  double squares = 0;
  for (double const each : values) squares += square(each - centre);
  SpreadSteps all;
  all.step = (std::log(5 * prior.spread) - CommonPrior::log_smallest) / parts;
  for (int i = 0; i < parts; ++i) {
    double const log_spread = CommonPrior::log_smallest + (i + 0.5) * all.step;
    double const variance = std::exp(2 * log_spread);
    double const of_centre = square(prior.sd) + variance / n;
    all.log_spreads.push_back(log_spread);
    all.logs.push_back(-(n * std::log(2 * M_PI) + std::log(of_centre * n)) / 2 -
                       square(centre - prior.mean) / of_centre / 2 - (n - 1) * log_spread -
                       squares / variance / 2 + log_spread - variance / square(prior.spread) / 2 -
                       std::log(prior.spread) + std::log(2 / M_PI) / 2);
  }
  return all;
}

}  // namespace

double log_integrated(std::vector<double> const& values, CommonPrior const& prior) {
  SpreadSteps const all = spread_steps(values, prior);
  return log_mean_exp(all.logs) + std::log(static_cast<double>(all.logs.size()) * all.step);
}

CommonDraw draw_common(std::vector<double> const& values, CommonPrior const& prior,
                       RandomStream& stream) {
  SpreadSteps const all = spread_steps(values, prior);
  double const log_mean = log_mean_exp(all.logs);
  double left = stream.uniform() * static_cast<double>(all.logs.size());
  std::size_t i = 0;
  while (i + 1 < all.logs.size() && (left -= std::exp(all.logs[i] - log_mean)) > 0) ++i;
  CommonDraw drawn;
  drawn.log_spread = all.log_spreads[i] + (stream.uniform() - 0.5) * all.step;
  double const of_mean = std::exp(2 * drawn.log_spread) / static_cast<double>(values.size());
  double const own = square(prior.sd) / (square(prior.sd) + of_mean);
  drawn.centre = prior.mean + own * (mean(values) - prior.mean) +
                 std::sqrt(own * of_mean) * normal_quantile(stream.uniform());
  return drawn;
}

}  // namespace gridcast::calibration
