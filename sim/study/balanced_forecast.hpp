// A forecast in which ignorance and luck can be told apart: some draws of the calibration, evenly chosen
// among its rows, each played several times (balanced one-way design); and seen as a record would
// show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/replica_pool.hpp"
#include "sim/study/sample.hpp"

namespace gridcast::study {

/// What would be left of a simulated campaign in the record that the forecast is held against. Called
/// in child processes.
using Instrument = std::function<history::JobHistory(history::JobHistory const& simulated)>;

struct BalancedOptions {
  std::size_t draws = 100;
  std::size_t replicas_a_draw = 2;
  std::uint64_t seed = 1;
  unsigned processes = 1;
  Progress progress = {};
};

struct BalancedForecast {
  StudySample sample;  // the metrics of a replica, of draws all of whose replicas were played
  std::vector<FailedReplica> failed;
  bool interrupted = false;
};

/// One replica of such a forecast, by its number: draw x replicas_a_draw + k.
Record balanced_replica(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                        Instrument const& instrument, BalancedOptions const& options,
                        std::uint32_t replica);
/// The forecast that all of its replicas make. A draw that lost one of them is left out, else which rows
/// are of one draw would not be known.
BalancedForecast balanced_forecast_of(PoolResult played, std::size_t replicas_a_draw);

/// Several forecasts as one, of as many draws of each: the first draw of the first, the second of the second.
/// They have the same metrics.
BalancedForecast mixed(std::vector<BalancedForecast const*> const& parts,
                       std::size_t replicas_a_draw);

BalancedForecast balanced_forecast(scenario::Scenario const& scenario,
                                   scenario::Strategy const& strategy, Instrument const& instrument,
                                   BalancedOptions const& options);

/// The metrics of a replica of a campaign that took place, in the same order; NaN where they are not
/// known.
std::vector<double> replica_figures(history::JobHistory const& history);

}  // namespace gridcast::study
