#include "calibration/recovery.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/scores.hpp"
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

/// Where the truth stands in the column's draws; NaN without them.
double rank_in(DrawTable const& draws, std::string const& column, double truth) {
  auto const found = std::find(draws.columns.begin(), draws.columns.end(), column);
  if (found == draws.columns.end()) return std::numeric_limits<double>::quiet_NaN();
  auto const c = static_cast<std::size_t>(found - draws.columns.begin());
  std::vector<double> values;
  for (auto const& row : draws.rows) values.push_back(row[c]);
  return rank_of(truth, values).middle();
}

/// A column's place in a record: what became of it, and its rank.
constexpr std::size_t numbers_a_column = 2;

}  // namespace

// P(D > d) = 2 sum over k of (-1)^(k-1) exp(-2 k^2 x^2), x = (sqrt(n) + 0.12 + 0.11 / sqrt(n)) d.
double uniform_ranks_p_value(std::vector<double> const& ranks) {
  std::vector<double> sorted = ranks;
  std::erase_if(sorted, [](double rank) { return std::isnan(rank); });
  if (sorted.empty()) return 1;
  std::sort(sorted.begin(), sorted.end());
  auto const n = static_cast<double>(sorted.size());
  double distance = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    auto const before = static_cast<double>(i);
    distance = std::max({distance, sorted[i] - before / n, (before + 1) / n - sorted[i]});
  }
  double const x = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  double sum = 0;
  for (int k = 1; k <= 100; ++k) {
    sum += (k % 2 == 1 ? 2 : -2) * std::exp(-2.0 * k * k * x * x);
  }
  return std::clamp(sum, 0.0, 1.0);
}

study::Record recover_campaign(scenario::Scenario const& scenario, FitOfCampaign const& fit,
                               std::uint64_t seed, std::uint32_t number) {
  scenario::Calibration const& calibration = scenario.calibration;
  std::size_t const row = number % calibration.draws.size();
  RandomStreams const streams(seed, number);
  Fit const fitted =
      fit(engine::simulate(scenario.pool, scenario.campaign, scenario.strategy(scenario.baseline),
                           calibration.draws[row], streams)
              .history);
  study::Record record;
  for (std::size_t c = 0; c < calibration.columns.size(); ++c) {
    bool const counts = !is_choice(calibration.columns[c]);
    double const truth = calibration.rows[row][c];
    record.push_back(counts ? held(fitted, calibration.columns[c], truth) : none);
    record.push_back(rank_in(fitted.draws, calibration.columns[c], truth));
  }
  return record;
}

RecoveryStudy recovery_of(scenario::Calibration const& calibration,
                          study::PoolResult const& played) {
  RecoveryStudy study;
  study.campaigns = played.records.size();
  study.failed = played.failed.size();
  study.interrupted = played.interrupted;
  for (std::size_t c = 0; c < calibration.columns.size(); ++c) {
    RecoveredParameter parameter{calibration.columns[c]};
    for (auto const& [campaign, record] : played.records) {
      auto const found = static_cast<Case>(static_cast<int>(record[numbers_a_column * c]));
      parameter.cases += found != none;
      parameter.inside += found == inside;
      parameter.below += found == above_truth;
      if (found != none) parameter.ranks.push_back(record[numbers_a_column * c + 1]);
    }
    if (parameter.cases > 0) study.parameters.push_back(std::move(parameter));
  }
  return study;
}

RecoveryStudy recover_simulated(scenario::Scenario const& scenario, FitOfCampaign const& fit,
                                RecoveryOptions const& options) {
  auto const task = [&](std::uint32_t i) {
    return recover_campaign(scenario, fit, options.seed, i);
  };
  return recovery_of(scenario.calibration, study::run_replicas(options.campaigns, options.processes,
                                                               task, options.progress));
}

}  // namespace gridcast::calibration
