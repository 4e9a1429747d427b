// The loss of efficiency in a scaling table, and its uncertainty:
//   T(n) = T(1)/n x (1 + loss(n)),  loss(n) = a f(n) + b g(n),  a, b >= 0
// T(1) is taken as measured, in seconds; a and b are fitted by least squares on y = n T(n)/T(1) - 1
// over the rows with n > 1, by the normal equations
//   a sum ff + b sum fg = sum fy,   a sum fg + b sum gg = sum gy
// and where one would be negative, the other carries all. The shapes are those that are in use:
//   serial        n - 1            a cost that more GPUs do not share (Amdahl 1967)
//   square root   sqrt(n) - 1
//   ring          2 (n - 1)/n      the bytes of a ring all-reduce
//   slowest rank  sqrt(2 ln n)     the largest of n normal times
//   tree          log2 n           the levels of a tree of messages
// and serial with each of the last three. A form is refuted where its best fit misses a measured
// efficiency by more than `refuted_points`.
#pragma once

#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"

namespace gridcast::training::published {

struct ScalingPoint {
  int gpus = 1;
  Seconds wall;
};

struct ScalingForm {
  std::string name;
  double (*first)(double n);
  double (*second)(double n);  // null: none
};
std::vector<ScalingForm> const& scaling_forms();
/// The form that the shipped profiles are fitted with: serial (a fixed cost an epoch) and log2.
ScalingForm const& preferred_form();

struct ScalingFit {
  ScalingForm form;
  Seconds one;  // T(1)
  double a = 0, b = 0;
  Seconds wall(int gpus) const;
  double efficiency(int gpus) const;  // T(1) / (n T(n))
};

/// `points` begin with one GPU and hold at least as many others as the form has shapes.
ScalingFit fit_scaling(ScalingForm const& form, std::vector<ScalingPoint> const& points);

/// Largest distance of efficiencies, in points of per cent.
double worst_efficiency(ScalingFit const& fit, std::vector<ScalingPoint> const& points);
/// Largest relative distance of wall times.
double worst_wall(ScalingFit const& fit, std::vector<ScalingPoint> const& points);

inline constexpr double refuted_points = 3;

struct ScalingOutlook {
  Seconds wall;         // by the preferred form
  Interval interval;    // of wall seconds: all forms that are not refuted, each with its worst miss
  Interval every_form;  // the refuted ones too
  std::vector<ScalingFit> fits;
};

/// The prediction of the forms, fitted on all points, for another number of GPUs.
ScalingOutlook scaling_outlook(std::vector<ScalingPoint> const& points, int gpus);

}  // namespace gridcast::training::published
