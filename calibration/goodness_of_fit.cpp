#include "calibration/goodness_of_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/error.hpp"

namespace gridcast::calibration {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool complete(Sample const& sample) { return count_events(sample) == sample.size(); }

double distance(Sample const& sample, Distribution const& distribution, bool use_anderson_darling) {
  return use_anderson_darling ? anderson_darling(sample, distribution)
                              : kaplan_meier_distance(sample, distribution);
}

/// When each observation would have been cut short.
std::vector<double> censoring_limits(Sample const& sample) {
  double largest_event = 0;
  for (Observation const& x : sample) {
    if (!x.censored) largest_event = std::max(largest_event, x.value);
  }
  double common = infinity;
  for (Observation const& x : sample) {
    if (x.censored && x.value >= largest_event) common = std::min(common, x.value);
  }
  std::vector<double> limits;
  for (Observation const& x : sample) {
    limits.push_back(x.censored && x.value < largest_event ? x.value : common);
  }
  return limits;
}

Sample resample(std::vector<double> const& limits, Distribution const& distribution,
                RandomStream& stream) {
  Sample sample;
  for (double const limit : limits) {
    double const value = distribution.sample(stream);
    sample.push_back({std::min(value, limit), value > limit});
  }
  return sample;
}

}  // namespace

KaplanMeier::KaplanMeier(Sample const& sample) {
  Sample sorted = sample;
  // At the same time, events come before what is censored there.
  std::sort(sorted.begin(), sorted.end(), [](Observation const& a, Observation const& b) {
    return a.value != b.value ? a.value < b.value : a.censored < b.censored;
  });
  double left = 1;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i].censored) continue;
    double const at_risk = static_cast<double>(sorted.size() - i);
    left *= 1 - 1 / at_risk;
    if (!times.empty() && times.back() == sorted[i].value) {
      survival.back() = left;
    } else {
      times.push_back(sorted[i].value);
      survival.push_back(left);
    }
  }
}

double KaplanMeier::quantile(double p) const {
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (survival[i] <= 1 - p + 1e-12) return times[i];
  }
  return infinity;
}

double anderson_darling(Sample const& sample, Distribution const& distribution) {
  check(complete(sample), "Anderson-Darling is for samples without censoring");
  std::vector<double> u;
  for (Observation const& x : sample) {
    u.push_back(std::clamp(distribution.cdf(x.value), 1e-15, 1 - 1e-15));
  }
  std::sort(u.begin(), u.end());
  double const n = static_cast<double>(u.size());
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    double const odd = 2 * static_cast<double>(i) + 1;
    sum += odd * (std::log(u[i]) + std::log1p(-u[u.size() - 1 - i]));
  }
  return -n - sum / n;
}

double kaplan_meier_distance(Sample const& sample, Distribution const& distribution) {
  KaplanMeier const curve(sample);
  double largest = 0;
  double before = 1;
  for (std::size_t i = 0; i < curve.times.size(); ++i) {
    double const fitted = 1 - distribution.cdf(curve.times[i]);
    largest = std::max({largest, std::abs(before - fitted), std::abs(curve.survival[i] - fitted)});
    before = curve.survival[i];
  }
  return largest;
}

GoodnessOfFit goodness_of_fit(Sample const& sample, FittedFamily const& fit, std::size_t resamples,
                              RandomStream stream) {
  GoodnessOfFit result;
  result.anderson_darling = complete(sample);
  result.statistic = distance(sample, fit.distribution, result.anderson_darling);
  std::vector<double> const limits = censoring_limits(sample);
  std::size_t as_far = 0;
  std::size_t made = 0;
  while (made < resamples) {
    Sample const simulated = resample(limits, fit.distribution, stream);
    if (count_events(simulated) < 3) continue;
    FittedFamily const refitted = refit_family(simulated, fit);
    double const d = distance(simulated, refitted.distribution, result.anderson_darling);
    if (d >= result.statistic) ++as_far;
    ++made;
  }
  result.p_value = static_cast<double>(as_far + 1) / static_cast<double>(resamples + 1);
  return result;
}

}  // namespace gridcast::calibration
