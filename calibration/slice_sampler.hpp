// Draws from a density that is known up to a factor, one coordinate after the other: slice sampling
// with stepping out and shrinkage (Neal 2003, Annals of Statistics 31, 3). It has no step that must
// be right: widths that are far off cost evaluations, not correctness.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/base/random.hpp"

namespace gridcast::calibration {

class SliceSampler {
 public:
  /// Logarithm of the density at x, of which only the terms that x[changed] is in are needed.
  using LogDensity = std::function<double(std::vector<double> const& x, std::size_t changed)>;

  /// `start` has to have a finite log density; `widths` are about as wide as the posterior.
  SliceSampler(LogDensity density, std::vector<double> start, std::vector<double> widths,
               RandomStream stream);

  /// Moves every coordinate once.
  void sweep();
  void sweep(std::size_t times);
  std::vector<double> const& at() const { return at_; }

  /// `count` draws, `thin` sweeps from one to the next, after a tenth of all sweeps (50 at least)
  /// that are left out.
  std::vector<std::vector<double>> draws(std::size_t count, std::size_t thin);

 private:
  double log_density(double value, std::size_t coordinate);
  void move(std::size_t coordinate);

  LogDensity density_;
  std::vector<double> at_, widths_;
  RandomStream stream_;
};

}  // namespace gridcast::calibration
