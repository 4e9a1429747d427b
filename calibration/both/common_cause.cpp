#include "calibration/both/common_cause.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::calibration {

namespace {

using Weights = std::map<std::string, double>;

/// B of each cause that the record knows.
Weights evidence(Fit const& fit) {
  double const half_a_draw =
      0.5 / static_cast<double>(std::max<std::size_t>(1, fit.draws.rows.size()));
  bool const exact = std::any_of(
      fit.hypotheses.begin(), fit.hypotheses.end(),
      [](HypothesisProbability const& line) { return line.name.find(", ") != std::string::npos; });
  Weights factors;
  for (HypothesisProbability const& line : fit.hypotheses) {
    std::string const cause = cause_of_line(line.name);
    if (cause.empty() || !(line.prior > 0)) continue;
    // A log's posterior is summed, not counted.
    double const share = exact ? line.probability : std::max(line.probability, half_a_draw);
    factors[cause] = share / line.prior;
  }
  return factors;
}

double factor(Weights const& factors, std::string const& cause) {
  auto const found = factors.find(cause);
  return found == factors.end() ? 1 : found->second;
}

std::optional<double> told_by(Fit const& fit, std::string const& cause) {
  for (HypothesisProbability const& line : fit.hypotheses) {
    if (cause_of_line(line.name) == cause) return line.probability;
  }
  return std::nullopt;
}

/// Systematic: n times the share, and the fraction that is left as often as it says.
std::vector<std::size_t> how_many(std::vector<double> const& shares, std::size_t n, double u) {
  std::vector<std::size_t> counts;
  double sum = 0;
  auto const below = [&](double share) {
    double const at = share * static_cast<double>(n) - u;
    return static_cast<std::size_t>(std::clamp(std::ceil(at), 0.0, static_cast<double>(n)));
  };
  std::size_t before = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    sum += shares[i];
    std::size_t const until = i + 1 == shares.size() ? n : below(sum);
    counts.push_back(until - before);
    before = until;
  }
  return counts;
}

std::vector<std::size_t> shuffled(std::vector<std::size_t> rows, RandomStream& stream) {
  for (std::size_t i = rows.size(); i > 1; --i) {
    std::swap(rows[i - 1], rows[stream.below(static_cast<std::uint32_t>(i))]);
  }
  return rows;
}

/// Rows with a cause, each once before one comes twice.
class RowsByCause {
 public:
  RowsByCause(DrawTable const& draws, RandomStream& stream) {
    auto const causes = causes_of_rows(draws);
    std::vector<std::size_t> all(draws.rows.size());
    std::iota(all.begin(), all.end(), 0);
    all = shuffled(std::move(all), stream);
    for (std::size_t const row : all) {
      any_.rows.push_back(row);
      if (!causes.empty()) of_[causes[row]].rows.push_back(row);
    }
  }

  bool knows(std::string const& cause) const { return of_.contains(cause); }
  std::size_t next(std::string const& cause) {
    return knows(cause) ? of_.at(cause).next() : any_.next();
  }

 private:
  struct Turn {
    std::vector<std::size_t> rows;
    std::size_t at = 0;
    std::size_t next() { return rows[at++ % rows.size()]; }
  };
  std::map<std::string, Turn> of_;
  Turn any_;
};

}  // namespace

std::string cause_of_line(std::string const& name) {
  if (name == "congestion" || name.starts_with(no_outage)) return no_outage;
  if (!name.starts_with("dead") && !name.starts_with("slow ") && !name.starts_with("slow,")) {
    return "";
  }
  std::string cause = name;
  std::erase(cause, ',');
  return cause;
}

std::vector<std::string> causes_of_rows(DrawTable const& draws) {
  auto const scopes = draws.column("outage_scope"), kinds = draws.column("outage_kind");
  std::vector<std::string> causes;
  if (kinds.empty()) return causes;
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    auto const scope = static_cast<scenario::OutageScope>(static_cast<int>(scopes[i]));
    causes.push_back(scope == scenario::OutageScope::none
                         ? no_outage
                         : fmt::format("{} {}", kinds[i] < 0.5 ? "dead" : "slow", name(scope)));
  }
  return causes;
}

CommonCause common_cause(Fit const& table, Fit const& log) {
  CommonCause common;
  if (table.hypotheses.empty() || log.hypotheses.empty()) return common;
  Weights const by_table = evidence(table), by_log = evidence(log);
  double both = 0, table_alone = 0, log_alone = 0;
  for (HypothesisProbability const& line : log.hypotheses) {
    std::string const cause = cause_of_line(line.name);
    double const b = factor(by_table, cause), own = factor(by_log, cause);
    both += line.prior * b * own;
    table_alone += line.prior * b;
    log_alone += line.prior * own;
    HypothesisProbability combined = line;
    combined.probability = line.prior * b * own;
    combined.by_table = told_by(table, cause);
    combined.by_log = line.probability;
    common.lines.push_back(combined);
  }
  check(both > 0, "some cause is possible");
  common.log_bayes_factor = std::log(both) - std::log(table_alone) - std::log(log_alone);
  for (HypothesisProbability& line : common.lines) {
    line.probability /= both;
    line.interval90 = {line.probability, line.probability};
    double const odds = line.probability / (1 - line.probability);
    line.log_bayes_factor =
        std::log(std::max(odds, 1e-300)) - std::log(line.prior / (1 - line.prior));
  }
  return common;
}

std::vector<RowPair> pair_rows(Fit const& table, Fit const& log, CommonCause const& cause,
                               RandomStreams const& streams) {
  RandomStream stream = bootstrap_stream(streams, "rows of both records");
  RowsByCause table_rows(table.draws, stream), log_rows(log.draws, stream);
  std::size_t const n = log.draws.rows.size();
  std::vector<RowPair> pairs;
  if (cause.lines.empty()) {
    bool const table_alone = !table.hypotheses.empty();
    for (std::size_t i = 0; i < n; ++i) {
      pairs.push_back({table_rows.next(""), i, table_alone && i % 2 == 0});
    }
    return pairs;
  }
  std::vector<double> shares;
  for (HypothesisProbability const& line : cause.lines) shares.push_back(line.probability);
  auto const counts = how_many(shares, n, stream.uniform());
  for (std::size_t h = 0; h < counts.size(); ++h) {
    std::string const name = cause_of_line(cause.lines[h].name);
    bool const of_table = !log_rows.knows(name) && table_rows.knows(name);
    for (std::size_t i = 0; i < counts[h]; ++i) {
      pairs.push_back({table_rows.next(name), log_rows.next(name), of_table});
    }
  }
  return pairs;
}

}  // namespace gridcast::calibration
