// The result of a fit: for each parameter a line of the calibration file (value, uncertainty,
// number of events, method), and joint draws, each row a world to simulate.
//
// Draws of a parameter whose distribution function F is known are a Latin hypercube (McKay, Beckman
// & Conover 1979, Technometrics 21, 2): draw i of n is F^-1((i + u_i) / n), u_i uniform, in random
// order; margins are even with a few hundred draws, and columns independent. Standard errors and
// 90 % intervals are the draws' standard deviation and their 5 % and 95 % quantiles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/scenario/calibration_file.hpp"

namespace gridcast::calibration {

using scenario::Estimate;
using scenario::HypothesisProbability;
using scenario::ModelTest;
using scenario::NotIdentified;
using scenario::Origin;

/// Joint draws: one row a ParameterDraw (columns as in sim/scenario/calibration.hpp).
struct DrawTable {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  /// Appends a column; one value a row (or the first column fixes the number of rows).
  void add(std::string column, std::vector<double> const& values);
  /// The values in all rows; empty if there is no such column.
  std::vector<double> column(std::string const& name) const;
};

/// The contribution of one fit to the file.
struct Fit {
  std::vector<Estimate> estimates;
  DrawTable draws;
  std::vector<ModelTest> tests;
  std::vector<NotIdentified> not_identified;
  std::vector<HypothesisProbability> hypotheses;
};

/// Standard deviations either way of the middle 90 % of a normal distribution: a factor of f either
/// way (90 %) is a standard deviation of ln f / 1.6449 of the logarithm.
inline constexpr double ninety_percent = 1.6449;

/// Which fit a random stream of the calibration belongs to. Values are part of the results: never
/// renumber. A parameter with a stream of its own needs none, its name will do.
enum class DrawsOf : std::uint32_t {
  epoch_time = 1,
  epoch_goodness = 2,
  unpack = 3,
  between_sites = 4,
  pilot_kill = 5,
  hold_on_failure = 6,
  spurious_404 = 7,
  not_found_rate = 8,
  not_found_hits = 9,
  network_down_rate = 10,
  network_down_hits = 11,
  corrupt_input = 12,
  corrupt_execution = 13,
  release_transfer = 14,
  release_other = 15,
  http_abort = 16,
  release_delay = 17,
  overhead = 18,
  gpus_in_link_fit = 25,
  stall_prior = 26,
  url_times = 27,
  url_failure = 28,
  url_hang = 29,
  speed = 30,
  crash = 31,
  evict = 32,
  disconnect = 34,
  reconnect = 35,
  suspend = 36,
  pilot_death = 37,
  match_delay = 38,
  setup = 39,
  teardown = 40,
  checkpoint = 41,
  reconnect_delay = 43,
  release_delay_in_log = 44,
  release = 45,
  most_holds = 46,
  suspension = 47,
  pilot_replacement = 48,
  outages = 50,
  outage_rows = 51,
  link_law = 52,
  not_found_lasts = 53,
  network_down_lasts = 54,
  reported_makespan = 55,
  stops = 59,
  removals = 62,
  plugin_start = 63,
  unseen_links = 64,
  most_left_held = 65,
};

/// The stream of one fit (at one site, for one draw).
RandomStream bootstrap_stream(RandomStreams const& streams, DrawsOf what, std::size_t site = 0,
                              std::size_t draw = 0);
/// That of a parameter, by the name of its column.
RandomStream bootstrap_stream(RandomStreams const& streams, std::string_view parameter);

/// n draws by inversion, one from each of n slices of equal probability, in random order.
std::vector<double> stratified_draws(RandomStream stream, std::size_t n,
                                     std::function<double(double)> const& quantile);

/// Sets standard error and 90 % interval to those of the draws.
void summarize(Estimate& estimate, std::vector<double> const& draws);
/// Adds the column and its line in the file. Standard error and 90 % interval are those of the
/// draws.
void add_parameter(Fit& fit, Estimate documentation, std::vector<double> const& draws);
/// The same, with the median of the draws as the estimate.
void add_posterior(Fit& fit, Estimate documentation, std::vector<double> const& draws);

/// The posterior of a share with Jeffreys' prior: Beta(hits + 1/2, others + 1/2).
void add_beta(Fit& fit, Estimate documentation, double hits, double others, std::size_t draws,
              RandomStream stream);

/// Appends all of `part`.
void append(Fit& fit, Fit const& part);

}  // namespace gridcast::calibration
