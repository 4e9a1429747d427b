#include "tests/training/published/scaling_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/error.hpp"

namespace gridcast::training::published {
namespace {

double serial(double n) { return n - 1; }
double root(double n) { return std::sqrt(n) - 1; }
double ring(double n) { return 2 * (n - 1) / n; }
double slowest(double n) { return std::sqrt(2 * std::log(n)); }
double tree(double n) { return std::log2(n); }

/// Sums of the normal equations of y = a f + b g.
struct Sums {
  double ff = 0, fg = 0, gg = 0, fy = 0, gy = 0;
};

Sums sums_of(ScalingForm const& form, std::vector<ScalingPoint> const& points) {
  Sums s;
  for (auto const& point : points) {
    if (point.gpus == 1) continue;
    double const n = point.gpus;
    double const y = n * (point.wall / points.front().wall) - 1;
    double const f = form.first(n), g = form.second != nullptr ? form.second(n) : 0;
    s.ff += f * f;
    s.fg += f * g;
    s.gg += g * g;
    s.fy += f * y;
    s.gy += g * y;
  }
  return s;
}

}  // namespace

std::vector<ScalingForm> const& scaling_forms() {
  static std::vector<ScalingForm> const forms = {
      {"log2 + serial", tree, serial},    {"slowest rank + serial", slowest, serial},
      {"ring + serial", ring, serial},    {"serial", serial, nullptr},
      {"square root", root, nullptr},     {"log2", tree, nullptr},
      {"slowest rank", slowest, nullptr}, {"ring", ring, nullptr}};
  return forms;
}

ScalingForm const& preferred_form() { return scaling_forms().front(); }

Seconds ScalingFit::wall(int gpus) const {
  double const n = gpus;
  double const loss =
      gpus == 1 ? 0 : a * form.first(n) + (form.second != nullptr ? b * form.second(n) : 0);
  return one * ((1 + loss) / n);
}

double ScalingFit::efficiency(int gpus) const { return one / (wall(gpus) * gpus); }

ScalingFit fit_scaling(ScalingForm const& form, std::vector<ScalingPoint> const& points) {
  check(points.size() > (form.second != nullptr ? 2U : 1U) && points.front().gpus == 1,
        "a scaling fit has a row of one GPU and enough others");
  Sums const s = sums_of(form, points);
  ScalingFit fit{form, points.front().wall};
  if (form.second == nullptr) {
    fit.a = std::max(0., s.fy / s.ff);
    return fit;
  }
  double const determinant = s.ff * s.gg - s.fg * s.fg;
  fit.a = (s.fy * s.gg - s.fg * s.gy) / determinant;
  fit.b = (s.ff * s.gy - s.fg * s.fy) / determinant;
  // A cost cannot be negative: where one is, the other carries all.
  if (fit.a < 0) {
    fit.a = 0;
    fit.b = std::max(0., s.gy / s.gg);
  } else if (fit.b < 0) {
    fit.b = 0;
    fit.a = std::max(0., s.fy / s.ff);
  }
  return fit;
}

double worst_efficiency(ScalingFit const& fit, std::vector<ScalingPoint> const& points) {
  double worst = 0;
  for (auto const& point : points) {
    double const measured = points.front().wall / (point.wall * point.gpus);
    worst = std::max(worst, 100 * std::abs(measured - fit.efficiency(point.gpus)));
  }
  return worst;
}

double worst_wall(ScalingFit const& fit, std::vector<ScalingPoint> const& points) {
  double worst = 0;
  for (auto const& point : points) {
    worst = std::max(worst, std::abs(fit.wall(point.gpus) / point.wall - 1));
  }
  return worst;
}

ScalingOutlook scaling_outlook(std::vector<ScalingPoint> const& points, int gpus) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ScalingOutlook outlook;
  outlook.interval = outlook.every_form = {infinity, -infinity};
  auto const cover = [](Interval& interval, double value, double miss) {
    interval.low = std::min(interval.low, value * (1 - miss));
    interval.high = std::max(interval.high, value * (1 + miss));
  };
  for (auto const& form : scaling_forms()) {
    ScalingFit const fit = fit_scaling(form, points);
    double const wall = fit.wall(gpus).value();
    cover(outlook.every_form, wall, worst_wall(fit, points));
    if (worst_efficiency(fit, points) <= refuted_points) {
      cover(outlook.interval, wall, worst_wall(fit, points));
    }
    outlook.fits.push_back(fit);
  }
  outlook.wall = outlook.fits.front().wall(gpus);
  return outlook;
}

}  // namespace gridcast::training::published
