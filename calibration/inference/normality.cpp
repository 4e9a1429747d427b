#include "calibration/inference/normality.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "calibration/inference/special_functions.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {

namespace {

constexpr std::size_t least_whole = 5;

/// p-value of Kolmogorov's distance of n values whose mean and variance were fitted: Dallal and
/// Wilkinson (1986), "An analytic approximation to the distribution of Lilliefors's test statistic
/// for normality", good below 0.1.
double lilliefors_p(double distance, double n) {
  constexpr double most = 100;
  if (n > most) distance *= std::pow(n / most, 0.49);
  double const at = std::min(n, most), shifted = at + 2.78019;
  double const log_p = -7.01256 * distance * distance * shifted +
                       2.99587 * distance * std::sqrt(shifted) - 0.122119 +
                       0.974598 / std::sqrt(at) + 1.67997 / at;
  return std::min(1.0, std::exp(log_p));
}

Normality test_of_whole(Sample const& sample) {
  double const distance = kaplan_meier_distance(sample, normal_cdf);
  return {distance, sample.size(), lilliefors_p(distance, static_cast<double>(sample.size()))};
}

Sample joined(std::vector<Sample> const& at_places) {
  Sample all;
  for (Sample const& place : at_places) all.insert(all.end(), place.begin(), place.end());
  return all;
}

/// Value and derivatives of the log likelihood at 1 / sd and mean / sd.
struct Slopes {
  double value = 0, by_mean = 0, by_scale = 0;  // and, negative, the second ones:
  double mean_mean = 0, mean_scale = 0, scale_scale = 0;
};

Slopes slopes(Sample const& sample, double scale, double shift) {
  Slopes at;
  for (Observation const& x : sample) {
    if (!x.censored) {
      double const off = scale * x.value - shift;
      at.value += std::log(scale) - square(off) / 2;
      at.by_mean += off;
      at.by_scale += 1 / scale - off * x.value;
      at.mean_mean += 1;
      at.mean_scale -= x.value;
      at.scale_scale += 1 / square(scale) + square(x.value);
      continue;
    }
    double const u = shift - scale * x.value, log_above = log_normal_cdf(u);
    double const ratio = std::exp(-square(u) / 2 - std::log(2 * std::numbers::pi) / 2 - log_above);
    double const bend = ratio * (u + ratio);
    at.value += log_above;
    at.by_mean += ratio;
    at.by_scale -= x.value * ratio;
    at.mean_mean += bend;
    at.mean_scale -= x.value * bend;
    at.scale_scale += square(x.value) * bend;
  }
  return at;
}

/// Values of a normal distribution, cut short as those of the record.
class Resampler {
 public:
  explicit Resampler(std::vector<Sample> const& at_places) {
    for (Sample const& place : at_places) {
      Sample cuts = place;
      for (Observation& x : cuts) x.censored = !x.censored;
      places_.push_back({place.size(), KaplanMeier(cuts)});
    }
  }

  Sample draw(MeanAndSd const& normal, RandomStream& stream) const {
    Sample sample;
    for (Place const& place : places_) {
      for (std::size_t i = 0; i < place.values; ++i) {
        double const value = normal.mean + normal.sd * normal_quantile(stream.uniform());
        double const cut = place.cuts.quantile(stream.uniform());
        sample.push_back({std::min(value, cut), value > cut});
      }
    }
    return sample;
  }

 private:
  struct Place {
    std::size_t values = 0;
    KaplanMeier cuts;
  };
  std::vector<Place> places_;
};

double distance_from_normal(Sample const& sample, MeanAndSd const& normal) {
  return kaplan_meier_distance(sample,
                               [&](double x) { return normal_cdf((x - normal.mean) / normal.sd); });
}

/// How often a normal sample is as far off.
double bootstrapped_p(std::vector<Sample> const& at_places, MeanAndSd const& normal,
                      double distance, RandomStream stream) {
  constexpr int most = 999, enough = 20;
  Resampler const resampler(at_places);
  int as_far = 0;
  for (int made = 1; made <= most; ++made) {
    Sample const sample = resampler.draw(normal, stream);
    // A sample with too few complete values counts as equally far off.
    if (count_events(sample) < least_whole ||
        distance_from_normal(sample, likeliest_normal(sample)) >= distance) {
      ++as_far;
    }
    if (as_far == enough) return static_cast<double>(enough) / made;
  }
  return (as_far + 1.0) / (most + 1.0);
}

}  // namespace

MeanAndSd likeliest_normal(Sample const& sample) {
  constexpr int most_steps = 50;
  constexpr double most_scale = 1e3;  // of values that are all alike
  constexpr double still = 1e-9;
  std::vector<double> values;
  for (Observation const& x : sample) values.push_back(x.value);
  double scale = 1 / std::max(standard_deviation(values), 1 / most_scale);
  double shift = mean(values) * scale;
  Slopes at = slopes(sample, scale, shift);
  for (int i = 0; i < most_steps; ++i) {
    double const determinant = at.mean_mean * at.scale_scale - square(at.mean_scale);
    double by_shift = (at.by_mean * at.scale_scale - at.by_scale * at.mean_scale) / determinant;
    double by_scale = (at.by_scale * at.mean_mean - at.by_mean * at.mean_scale) / determinant;
    if (!std::isfinite(by_shift) || !std::isfinite(by_scale)) break;
    Slopes next;
    for (int half = 0; half < most_steps; ++half, by_shift /= 2, by_scale /= 2) {
      if (scale + by_scale <= 0) continue;
      next = slopes(sample, scale + by_scale, shift + by_shift);
      if (next.value >= at.value) break;
    }
    if (!(next.value >= at.value) || scale + by_scale > most_scale) break;
    scale += by_scale;
    shift += by_shift;
    bool const stands = next.value - at.value < still;
    at = next;
    if (stands) break;
  }
  return {shift / scale, 1 / scale};
}

std::optional<Normality> test_of_normality(std::vector<Sample> const& at_places,
                                           RandomStream stream) {
  Sample const all = joined(at_places);
  std::size_t const whole = count_events(all);
  if (whole < least_whole) return std::nullopt;
  if (whole == all.size()) return test_of_whole(all);
  MeanAndSd const normal = likeliest_normal(all);
  double const distance = distance_from_normal(all, normal);
  return Normality{distance, whole, bootstrapped_p(at_places, normal, distance, stream)};
}

std::string in_words(std::optional<Normality> const& test) {
  if (!test) return "";
  return fmt::format("Kolmogorov distance {:.3f}, n = {}, p = {}", test->distance, test->n,
                     test->p < 0.1 ? fmt::format("{:.2g}", test->p) : "0.1 or more");
}

std::string normality(std::vector<double> const& standardised) {
  if (standardised.size() < least_whole) return "";
  Sample whole;
  for (double const z : standardised) whole.push_back({z});
  return in_words(test_of_whole(whole));
}

}  // namespace gridcast::calibration
