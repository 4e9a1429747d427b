// How a step grows with the GPUs, the nodes and a smaller batch: one line whose coefficients are
// pooled over systems.
//
// A family (a machine and its software) has a step of s seconds for a batch of b0 samples on one
// GPU. For b samples on n GPUs of N nodes it takes
//   s (o + (1 - o) b/b0) (1 + d log2 n + c [N > 1])
//   o   overhead: the share of s that does not grow with the batch
//   d   loss for each doubling of the GPUs
//   c   loss on several nodes, once
// Each of the three is normal over families: its mean and spread are pooled by expectation
// maximisation (Dempster, Laird & Rubin 1977; the random-coefficient model of Swamy 1970). A prior
// counts as so many families. Families with one configuration show nothing of it and are left out.
//
// Residuals of ln(time) are Student's t with 4 degrees of freedom (Lange, Little & Taylor 1989,
// JASA 84): an odd row counts less the further it is off, so it does not carry the line away. The
// posterior of a family is the normal distribution at its mode, found by Gauss-Newton steps in
// which each row has its weight.
//
// Example: the published systems have o = 5 %, d = 2.4 % and c = 4.3 %. A system that was measured
// on one node only is forecast with these, and with their spread.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace gridcast::training {

struct line {
  enum Coefficient : std::size_t { step, overhead, doubling, crossing, coefficients };
};

/// Coefficients of one family; `step` is ln(s).
using LinePoint = std::array<double, line::coefficients>;

/// The three shares over families.
struct ScalingPrior {
  LinePoint mean = {};    // the step's is not used
  LinePoint spread = {};  // sd between families
  double noise = 0;       // scale of a row's t
  double families = 0;    // that it counts as
  bool operator==(ScalingPrior const&) const = default;
};

/// Pooled over the systems of calibration/data (MLPerf and Kempner); a test computes it again.
ScalingPrior published_scaling();

/// The rows of one family.
struct LineFamily {
  std::vector<double> log_times;
  /// ln(time) of a row at a point.
  std::function<double(std::size_t row, LinePoint const&)> model;
  double log_step = 0, log_step_sd = 1;  // prior
  double own_noise = 0;                  // sd of rows that contradict each other; 0: the common one
  bool teaches = false;                  // rows of several configurations, without contradiction
};

struct LineFit {
  LinePoint mean = {};
  std::array<LinePoint, line::coefficients> factor = {};  // Cholesky's, of the covariance
  double noise = 0;                                       // scale
  std::vector<double> weights;                            // of the rows, from 1 (on the line) to 0
};

/// The prior with what the families show.
ScalingPrior pooled(ScalingPrior const& prior, std::vector<LineFamily> const& families);

LineFit fit_line(ScalingPrior const& prior, LineFamily const& family);

}  // namespace gridcast::training
