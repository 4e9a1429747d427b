#include "sim/study/balanced_forecast.hpp"

#include <limits>
#include <set>
#include <utility>

#include "sim/base/random.hpp"
#include "sim/engine/replica.hpp"
#include "sim/ledger/metrics.hpp"

namespace gridcast::study {

std::vector<double> replica_figures(history::JobHistory const& history) {
  std::vector<double> values;
  for (auto const& figure : ledger::metrics(ledger::account(history), ledger::ToldOf::replica)) {
    values.push_back(figure.available ? figure.value : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

Record balanced_replica(scenario::Scenario const& scenario, scenario::Strategy const& strategy,
                        Instrument const& instrument, BalancedOptions const& options,
                        std::uint32_t replica) {
  auto const& rows = scenario.calibration.draws;
  std::size_t const draw = replica / options.replicas_a_draw;
  auto const& world = rows[(2 * draw + 1) * rows.size() / (2 * options.draws)];
  auto const played = engine::simulate(scenario.pool, scenario.campaign, strategy, world,
                                       RandomStreams(options.seed, replica));
  return replica_figures(instrument(played.history));
}

BalancedForecast balanced_forecast(scenario::Scenario const& scenario,
                                   scenario::Strategy const& strategy, Instrument const& instrument,
                                   BalancedOptions const& options) {
  auto const task = [&](std::uint32_t replica) {
    return balanced_replica(scenario, strategy, instrument, options, replica);
  };
  return balanced_forecast_of(run_replicas(options.draws * options.replicas_a_draw,
                                           options.processes, task, options.progress),
                              options.replicas_a_draw);
}

BalancedForecast balanced_forecast_of(PoolResult played, std::size_t replicas_a_draw) {
  std::set<std::size_t> incomplete;
  for (auto const& failed : played.failed) incomplete.insert(failed.replica / replicas_a_draw);
  std::erase_if(played.records, [&](auto const& record) {
    return incomplete.contains(record.first / replicas_a_draw);
  });
  return {make_sample(ledger::metric_names(ledger::ToldOf::replica), std::move(played.records)),
          std::move(played.failed), played.interrupted};
}

BalancedForecast mixed(std::vector<BalancedForecast const*> const& parts,
                       std::size_t replicas_a_draw) {
  BalancedForecast all;
  all.sample.names = parts.front()->sample.names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto const& [sample, failed, interrupted] = *parts[i];
    for (std::size_t row = 0; row < sample.size(); ++row) {
      if (sample.replicas[row] / replicas_a_draw % parts.size() != i) continue;
      all.sample.replicas.push_back(static_cast<std::uint32_t>(all.sample.records.size()));
      all.sample.records.push_back(sample.records[row]);
    }
    all.failed.insert(all.failed.end(), failed.begin(), failed.end());
    all.interrupted = all.interrupted || interrupted;
  }
  return all;
}

}  // namespace gridcast::study
