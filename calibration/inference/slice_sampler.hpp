// Draws from a density that is known up to a factor, one coordinate after the other: slice sampling
// with stepping out and shrinkage (Neal 2003, Annals of Statistics 31, 3).
//
// For a coordinate x the sampler takes a level ln y = ln f(x) + ln u. It widens an interval around
// x by steps of its width until f is below y at both ends. Then it draws in the interval until f is
// above y; each draw that fails is the new end on its side. A wrong width costs evaluations, not
// correctness.
//
// Strongly correlated coordinates (a centre and the values around it) may also move together, all
// by the same amount: a slice along that direction.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

class SliceSampler {
 public:
  /// Logarithm of the density at x. Only the terms that contain x[changed] are needed, or all terms
  /// if `changed` is `several`.
  using LogDensity = std::function<double(std::vector<double> const& x, std::size_t changed)>;
  static constexpr auto several = static_cast<std::size_t>(-1);

  /// The log density at `start` is finite. `widths` are about as wide as the posterior.
  SliceSampler(LogDensity density, std::vector<double> start, std::vector<double> widths,
               RandomStream stream);

  /// From now on sweeps also move these coordinates together, by steps as wide as the first one's.
  /// The density receives `changed`: one of them, if each term with any of them contains it too.
  void move_together(std::vector<std::size_t> coordinates, std::size_t changed = several);

  /// Moves x along a curve by a distance. Moves by a and by b equal a move by a + b and preserve
  /// volume; a uniform move therefore preserves the density (Liu & Sabatti 2000, Biometrika 87, 2).
  using Curve = std::function<std::vector<double>(std::vector<double> x, double by)>;
  /// Draws the parameters that the density integrates out from their distribution given the others.
  using Redraw = std::function<void(std::vector<double>& x, RandomStream& stream)>;
  /// From now on sweeps also move along this curve, by steps of this width.
  void move_along(Curve curve, double width, std::size_t changed, Redraw redraw = {});

  /// Moves every coordinate, every group and along every curve once.
  void sweep();
  void sweep(std::size_t times);
  std::vector<double> const& at() const { return at_; }

  /// `count` draws, `thin` sweeps apart. The first tenth of all sweeps (at least 50) is left out.
  std::vector<std::vector<double>> draws(std::size_t count, std::size_t thin);

 private:
  struct Direction {
    std::vector<std::size_t> coordinates;
    std::size_t changed;
    Curve curve = {};  // if empty, the coordinates move together
    double width = 1;  // of a step along the curve
    Redraw redraw = {};
  };

  /// Moves to the point whose first moved coordinate has this value, the others at their distances
  /// from it; or to the point at this distance along the curve.
  void go(double value, Direction const& direction);
  /// There; the point stays where it is.
  double log_density(double value, Direction const& direction);
  void move(Direction const& direction);

  LogDensity density_;
  std::vector<double> at_, widths_;
  std::vector<double> kept_;  // coordinates that a trial moves
  std::vector<Direction> directions_;
  RandomStream stream_;
};

}  // namespace gridcast::calibration
