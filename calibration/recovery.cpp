#include "calibration/recovery.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>
#include <string_view>

#include "sim/base/random.hpp"
#include "sim/base/statistics.hpp"
#include "sim/engine/replica.hpp"

namespace gridcast::calibration {
namespace {

enum Case { none, inside, above_truth, below_truth };

using Row = std::vector<double>;

constexpr std::size_t missing = std::numeric_limits<std::size_t>::max();

std::size_t place_of(std::vector<std::string> const& columns, std::string const& name) {
  auto const found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? missing : static_cast<std::size_t>(found - columns.begin());
}

/// What of a distribution is recovered: its parameters mean another thing in each family.
enum class Of { column, median, width };

/// A column that is a number, or a number that the columns of a distribution give.
struct Quantity {
  std::string name;
  std::string column;  // whose line tells the events: itself, or the distribution's scale
  Of of = Of::column;
};

/// The columns of one distribution, by that of its scale ("epoch_scale_s.SITE").
struct Law {
  std::string stem, site;  // "epoch", ".SITE"; empty: of no distribution

  Law(std::vector<std::string> const& columns, std::string const& of_scale) {
    std::string const scale = "_scale_s";
    auto const at = of_scale.find(scale);
    if (at == std::string::npos) return;
    stem = of_scale.substr(0, at);
    site = of_scale.substr(at + scale.size());
    if (place_of(columns, column("_family")) == missing) stem.clear();
  }

  std::string column(std::string const& of) const { return stem + of + site; }

  Distribution in(std::vector<std::string> const& columns, Row const& row) const {
    auto const value = [&](std::string const& of, double otherwise) {
      std::size_t const place = place_of(columns, column(of));
      return place == missing ? otherwise : row[place];
    };
    return {static_cast<Family>(static_cast<int>(value("_family", 0))), value("_shape", 1),
            value("_scale_s", 0), value("_shift_s", 0)};
  }
};

// Indices of choices have no interval.
std::vector<Quantity> quantities_of(std::vector<std::string> const& columns) {
  std::vector<Quantity> quantities;
  std::set<std::string> of_laws;
  for (std::string const& column : columns) {
    Law const law(columns, column);
    if (law.stem.empty()) continue;
    for (char const* const of : {"_family", "_shape", "_scale_s", "_shift_s"}) {
      of_laws.insert(law.column(of));
    }
    quantities.push_back({law.column("_median_s"), column, Of::median});
    quantities.push_back({law.column("_p95_over_p5"), column, Of::width});
  }
  for (std::string const& column : columns) {
    bool const choice = column.starts_with("outage_");
    if (!choice && !of_laws.contains(column)) quantities.push_back({column, column});
  }
  return quantities;
}

/// NaN where there is no such column.
double value_of(Quantity const& quantity, std::vector<std::string> const& columns, Row const& row) {
  std::size_t const place = place_of(columns, quantity.column);
  if (place == missing) return std::numeric_limits<double>::quiet_NaN();
  if (quantity.of == Of::column) return row[place];
  Distribution const law = Law(columns, quantity.column).in(columns, row);
  return quantity.of == Of::median ? law.quantile(0.5) : law.quantile(0.95) / law.quantile(0.05);
}

std::vector<double> draws_of(Quantity const& quantity, DrawTable const& draws) {
  std::vector<double> values;
  for (Row const& row : draws.rows) values.push_back(value_of(quantity, draws.columns, row));
  return values;
}

/// Whether the parameter does anything in the campaign that is the truth; of what does not, no event can
/// tell. Where nothing is out of order there are no bad periods, dead connections have no rate, slow ones
/// do not stop, and a shock that lasts for a time has no number of hits.
bool acts(std::string const& name, scenario::ParameterDraw const& truth) {
  auto const is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  scenario::OutageParameters const& outages = truth.outages;
  bool const none = outages.scope == scenario::OutageScope::none;
  if (is_one_of({"stall_bad_fraction", "stall_bad_duration_s", "stall_when_bad", "luck_holds_s"})) {
    return !none;
  }
  bool const slow = outages.kind == scenario::OutageKind::slow;
  if (name == "slow_fraction") return !none && slow;
  if (is_one_of({"slow_before_stall", "slow_duration_s"})) return !none && !slow;
  if (name == "not_found_mean_hits") return truth.not_found.lasts <= Seconds();
  if (name == "network_down_mean_hits") return truth.network_down.lasts <= Seconds();
  return true;
}

Case held(Fit const& fit, Quantity const& quantity, std::vector<double> const& draws,
          double truth) {
  auto const found =
      std::find_if(fit.estimates.begin(), fit.estimates.end(),
                   [&](Estimate const& line) { return line.name == quantity.column; });
  if (found == fit.estimates.end() || found->events == 0 || !std::isfinite(truth)) return none;
  Interval interval = found->interval90;
  if (quantity.of != Of::column) interval = {quantile(draws, 0.05), quantile(draws, 0.95)};
  if (truth < interval.low) return above_truth;
  return truth > interval.high ? below_truth : inside;
}

/// Where the truth stands in the draws; NaN without them.
double rank_in(std::vector<double> const& draws, double truth) {
  if (draws.empty() || std::isnan(draws.front())) return std::numeric_limits<double>::quiet_NaN();
  return rank_of(truth, draws).middle();
}

/// A quantity's place in a record: what became of it, and its rank.
constexpr std::size_t numbers_a_quantity = 2;

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
  for (Quantity const& quantity : quantities_of(calibration.columns)) {
    double const truth = value_of(quantity, calibration.columns, calibration.rows[row]);
    auto const draws = draws_of(quantity, fitted.draws);
    record.push_back(
        acts(quantity.name, calibration.draws[row]) ? held(fitted, quantity, draws, truth) : none);
    record.push_back(rank_in(draws, truth));
  }
  return record;
}

bool is_possible_recovery(scenario::Calibration const& calibration, study::Record const& record) {
  std::size_t const quantities = quantities_of(calibration.columns).size();
  if (record.size() != numbers_a_quantity * quantities) return false;
  for (std::size_t q = 0; q < quantities; ++q) {
    double const found = record[numbers_a_quantity * q];
    double const rank = record[numbers_a_quantity * q + 1];
    auto const is = [found](Case each) { return found == static_cast<double>(each); };
    bool const is_case = is(none) || is(inside) || is(above_truth) || is(below_truth);
    bool const is_rank = std::isnan(rank) || (rank >= 0 && rank <= 1);
    if (!is_case || !is_rank) return false;
  }
  return true;
}

RecoveryStudy recovery_of(scenario::Calibration const& calibration,
                          study::PoolResult const& played) {
  RecoveryStudy study;
  study.campaigns = played.records.size();
  study.failed = played.failed.size();
  study.interrupted = played.interrupted;
  auto const quantities = quantities_of(calibration.columns);
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    RecoveredParameter parameter{quantities[q].name};
    for (auto const& [campaign, record] : played.records) {
      auto const found = static_cast<Case>(static_cast<int>(record[numbers_a_quantity * q]));
      parameter.cases += found != none;
      parameter.inside += found == inside;
      parameter.below += found == above_truth;
      if (found != none) parameter.ranks.push_back(record[numbers_a_quantity * q + 1]);
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
