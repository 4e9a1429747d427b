#include "sim/running/long_steps.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

constexpr double usual_sd = 0.2, sd_of_log_sd = 0.7, least_sd = 0.05, most_sd = 1.2;
constexpr double all_are_usual = 0.3;
constexpr int sds = 20, means = 31, shares = 12;  // of the grid
constexpr double tiny = 1e-300;

double log_of(Seconds length) { return std::log(std::max(1.0, length.value())); }

/// The evidence in sums: of ended steps, and of those that continue by twentieths of the logarithm.
struct StepSums {
  double weight = 0, mean = 0, squares = 0;  // of the ended; squares of the deviations
  double longest = 0;
  struct Continuing {
    double weight = 0, sum = 0;
  };
  std::map<long, Continuing> continuing;
};

StepSums sums_of(std::vector<SeenStep> const& seen) {
  StepSums sums;
  constexpr double bins = 20;
  bool const any_useful =
      std::ranges::any_of(seen, [](SeenStep const& step) { return step.ended && step.useful; });
  auto const is_length = [&](SeenStep const& step) {
    return step.ended && (step.useful || !any_useful);
  };
  for (SeenStep const& step : seen) {
    double const x = log_of(step.length);
    sums.longest = std::max(sums.longest, x);
    if (is_length(step)) {
      sums.weight += step.weight;
      sums.mean += step.weight * x;
    } else if (step.weight > 0) {
      StepSums::Continuing& bin = sums.continuing[std::lround(bins * x)];
      bin.weight += step.weight;
      bin.sum += step.weight * x;
    }
  }
  if (sums.weight > 0) sums.mean /= sums.weight;
  for (SeenStep const& step : seen) {
    if (is_length(step)) sums.squares += step.weight * square(log_of(step.length) - sums.mean);
  }
  return sums;
}

/// Calls `add(law, log density)` for the shares p of usual steps of one mean and sd.
void each_share(StepSums const& sums, double mean, double sd, double log_density, auto const& add) {
  std::vector<std::pair<double, double>> survival;  // weight, S
  for (auto const& [bin, of] : sums.continuing)
    survival.emplace_back(of.weight, normal_cdf((mean - of.sum / of.weight) / sd));
  for (int i = 0; i <= shares; ++i) {
    bool const all = i == shares;
    double const p = all ? 1 : (i + 0.5) / shares;
    double log_sum = log_density + sums.weight * std::log(p) +
                     std::log(all ? all_are_usual : (1 - all_are_usual) / shares);
    for (auto const& [weight, s] : survival)
      log_sum += weight * std::log(std::max(tiny, p * s + 1 - p));
    add(LongSteps{mean, sd, p}, log_sum);
  }
}

}  // namespace

double LongSteps::share_of_usual(Seconds age) const {
  double const usual_ones = usual * normal_cdf((mean - log_of(age)) / sd);
  return usual_ones / std::max(tiny, usual_ones + (1 - usual));
}

Seconds LongSteps::length_beyond(Seconds age, double u) const {
  double const z = (log_of(age) - mean) / sd;
  double const survival = normal_cdf(-z), left = std::max(u, 1e-12);
  // Far beyond, the rest of a normal variable is exponential with the rate z.
  constexpr double least = 1e-200;
  double const longer =
      survival > least ? -normal_quantile(survival * left) : z - std::log(left) / std::max(1.0, z);
  return std::max(age, Seconds(std::exp(mean + sd * longer)));
}

LongStepsPosterior::LongStepsPosterior(std::vector<SeenStep> const& seen) {
  StepSums const sums = sums_of(seen);
  if (!(sums.weight > 0)) return;
  double best = -infinity;
  auto const add = [&](LongSteps const& law, double log_density) {
    best = std::max(best, log_density);
    points_.push_back({law, log_density});
  };
  for (int i = 0; i < sds; ++i) {
    double const sd = least_sd * std::pow(most_sd / least_sd, static_cast<double>(i) / (sds - 1));
    double const first = sums.mean - 2 * sd;
    double const step = (std::max(sums.longest, sums.mean) + 2 * sd - first) / (means - 1);
    for (int j = 0; j < means; ++j) {
      double const mean = first + step * j;
      // Normal density of ln s, width of the cell, and the ended steps' density.
      double const log_density =
          -square(std::log(sd / usual_sd) / sd_of_log_sd) / 2 + std::log(step) -
          sums.weight * std::log(sd) -
          (sums.squares + sums.weight * square(sums.mean - mean)) / (2 * square(sd));
      each_share(sums, mean, sd, log_density, add);
    }
  }
  double sum = 0;
  for (Point& point : points_) point.share = sum += std::exp(point.share - best);
  for (Point& point : points_) point.share /= sum;
}

LongSteps LongStepsPosterior::draw(double u) const {
  if (points_.empty()) return {};
  auto const found = std::ranges::lower_bound(points_, u, {}, &Point::share);
  return found == points_.end() ? points_.back().law : found->law;
}

}  // namespace gridcast::running
