// From runs that were measured to how long others take: the parameters of a step (step_time.hpp),
// each with its interval, from any number of rows.
//
// The rows of one family (a machine and its software) share
//   step time   of one GPU at the batch of the family's smallest run
//   overhead    the part of it that does not grow with the batch
//   losses      the shares that each doubling of the GPUs adds, and running on several nodes, once
// Families learn the last three from each other and from the published systems (training_fit.hpp).
// One row gives wide intervals, not none. An odd row loses its weight.
//
// A prediction's noise is that of a configuration, and grows beyond what was measured
// (forecast_sd).
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/profile.hpp"
#include "sim/training/fit/run_rows.hpp"
#include "sim/training/fit/storage_fit.hpp"
#include "sim/training/setup.hpp"

namespace gridcast::training {

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

/// The links of a fitted machine: the time of an exchange is part of the losses.
inline constexpr BytesPerSecond unlimited_link(1e15);

struct FamilyFit {
  std::string family, gpu;
  int batch = 1;  // to which the step time belongs
  std::vector<RunRow> rows;
  std::vector<double> weights;  // of the rows, from 1 to 0: an odd row counts little
  // Of equal weight. Their step is forward + backward of the smallest run, on one GPU.
  std::vector<scenario::StepDraw> draws;
};

struct TrainingFit {
  scenario::Profile base;  // the parts that are not fitted: gradients, data, readers
  ScalingPrior scaling;    // of a system that was not measured at several scales
  std::vector<FamilyFit> families;
};

struct FitOptions {
  std::uint64_t seed = 1;
  std::size_t draws = 4800;  // kept of each family
  ScalingPrior prior = published_scaling();
};

/// `rows` is not empty.
TrainingFit fit_training(std::vector<RunRow> const& rows, scenario::Profile const& base,
                         FitOptions const& options = {});

/// Epoch of a run if that draw were true, without noise.
Seconds epoch_of(scenario::StepDraw const& draw, int measured_batch, scenario::Profile const& base,
                 RunRow const& run);

struct EpochForecast {
  Seconds median;     // of the draws; noise widens the interval and does not move it
  Interval interval;  // 90 %, seconds, with the noise of a configuration
};
EpochForecast forecast(FamilyFit const& fit, scenario::Profile const& base, RunRow const& run);

std::vector<FittedParameter<scenario::StepDraw>> const& fitted_parameters();

// Rows of one family that cannot both be true of one machine and its software:
//   the same run twice   with times that differ by more than a quarter
//   too fast a run       on no fewer GPUs and nodes than another row's, a step takes no less than
//                        one of a batch that is no larger, and a sample no less than one of a batch
//                        that is no smaller: with b samples a step of s seconds, s >= s' min(1,
//                        b/b')
// More GPUs can be a little faster each, if their memory holds the data and that of fewer does not;
// beyond a quarter it is a contradiction. Such rows are reported and kept, and their differences
// are the noise of their family.

/// Times, by the logarithm of their ratio, that cannot both be true.
bool far_apart(double logarithm);

/// The notes on rows that contradict another one: a line for each.
std::vector<std::string> contradictions(std::string const& file, std::vector<RunRow> const& rows);
/// The same of a store: more accelerators are not served better by the same readers.
std::vector<std::string> contradictions(std::string const& file,
                                        std::vector<StorageRow> const& rows);

/// By how much rows of one family that contradict each other differ: sd of ln(time), of
/// ln(waiting); 0: none do.
double contradiction(std::vector<RunRow> const& rows);
double contradiction(std::vector<StorageRow> const& rows);

}  // namespace gridcast::training
