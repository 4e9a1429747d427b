#include "calibration/recovery.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/engine/replica.hpp"

namespace gridcast::calibration {
namespace {

enum Case { none, inside, above_truth, below_truth };

bool is_choice(std::string const& column) {
  return column.starts_with("outage_") || column.find("_family") != std::string::npos;
}

// Of what does not happen in the campaign that is the truth, no event can tell.
Case held(Fit const& fit, std::string const& column, double truth) {
  if (column == "slow_fraction" && truth == 0) return none;
  auto const found = std::find_if(fit.estimates.begin(), fit.estimates.end(),
                                  [&](Estimate const& line) { return line.name == column; });
  if (found == fit.estimates.end() || found->events == 0 || !std::isfinite(truth)) return none;
  if (truth < found->interval90.low) return above_truth;
  return truth > found->interval90.high ? below_truth : inside;
}

}  // namespace

RecoveryStudy recover_simulated(scenario::Scenario const& scenario, FitOfCampaign const& fit,
                                RecoveryOptions const& options) {
  scenario::Calibration const& calibration = scenario.calibration;
  auto const task = [&](std::uint32_t i) {
    std::size_t const row = i % calibration.draws.size();
    RandomStreams const streams(options.seed, i);
    Fit const fitted =
        fit(engine::simulate(scenario.pool, scenario.campaign, scenario.strategy(scenario.baseline),
                             calibration.draws[row], streams)
                .history);
    study::Record record;
    for (std::size_t c = 0; c < calibration.columns.size(); ++c) {
      bool const counts = !is_choice(calibration.columns[c]);
      record.push_back(counts ? held(fitted, calibration.columns[c], calibration.rows[row][c])
                              : none);
    }
    return record;
  };
  study::PoolResult const played =
      study::run_replicas(options.campaigns, options.processes, task, options.progress);
  RecoveryStudy study;
  study.campaigns = played.records.size();
  study.failed = played.failed.size();
  for (std::size_t c = 0; c < calibration.columns.size(); ++c) {
    RecoveredParameter parameter{calibration.columns[c]};
    for (auto const& [campaign, record] : played.records) {
      auto const found = static_cast<Case>(static_cast<int>(record[c]));
      parameter.cases += found != none;
      parameter.inside += found == inside;
      parameter.below += found == above_truth;
    }
    if (parameter.cases > 0) study.parameters.push_back(std::move(parameter));
  }
  return study;
}

}  // namespace gridcast::calibration
