// From a posterior distribution to a column of draws and a line of the calibration file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "calibration/estimate.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// Which fit a random stream of the calibration belongs to. Values are part of the results: append,
/// never renumber.
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
  stall_poisson = 19,
  stall_geometric = 20,
  stall_hurdle = 21,
  stall_beta_geometric = 22,
  stall_neighbours = 23,
  stall_equal_neighbours = 24,
  gpus_in_link_fit = 25,
  stall_prior = 26,
  url_times = 27,
  url_failure = 28,
  url_hang = 29,
  speed = 30,
  crash = 31,
  evict = 32,
  eviction_goodness = 33,
  disconnect = 34,
  reconnect = 35,
  suspend = 36,
  pilot_death = 37,
  match_delay = 38,
  setup = 39,
  teardown = 40,
  checkpoint = 41,
  requeue_delay = 42,
  reconnect_delay = 43,
  release_delay_dated = 44,
  release = 45,
  most_holds = 46,
  suspension = 47,
  pilot_replacement = 48,
  crash_between_campaigns = 49,
};

/// The stream of one fit (at one site, for one draw).
RandomStream bootstrap_stream(RandomStreams const& streams, DrawsOf what, std::size_t site = 0,
                              std::size_t draw = 0);

/// n draws by inversion, one from each of n slices of equal probability, in random order (Latin
/// hypercube): margins are even with a few hundred draws, and columns independent.
std::vector<double> stratified_draws(RandomStream stream, std::size_t n,
                                     std::function<double(double)> const& quantile);

/// Sets standard error and 90 % interval to those of the draws.
void summarize(Estimate& estimate, std::vector<double> const& draws);
/// Adds the column and its line in the file. Standard error and 90 % interval are those of the
/// draws.
void add_parameter(Fit& fit, Estimate documentation, std::vector<double> const& draws);
/// The same, with the median of the draws as the estimate.
void add_posterior(Fit& fit, Estimate documentation, std::vector<double> const& draws);

/// Appends estimates, columns, tests and gaps of `part`.
void append(Fit& fit, Fit const& part);

}  // namespace gridcast::calibration
