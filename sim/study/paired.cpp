#include "sim/study/paired.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/numbers.hpp"

namespace gridcast::study {
namespace {

/// Of values that are alike there is none.
Interval error_of_mean(std::vector<double> const& values) {
  if (!(variance(values) > 0)) return {not_known, not_known};
  return mean_interval(values);
}

void add_range(PairedDifference& result, std::vector<double> differences) {
  constexpr std::array p = {0.05, 0.95};
  auto const q = quantiles(std::move(differences), p);
  result.p05 = q[0];
  result.p95 = q[1];
}

bool is_better(double x, double base, Wanted wanted) {
  return wanted == Wanted::more ? x > base : x < base;
}

double worst(Wanted wanted) { return wanted == Wanted::more ? -infinity : infinity; }

/// The replicas that both have, in their order.
struct RatioPairs {
  RatioColumns x, base;
};

RatioPairs complete_pairs(RatioColumns const& x, RatioColumns const& base) {
  check(x.top.size() == base.top.size(), "paired values come in pairs");
  RatioPairs pairs;
  for (std::size_t i = 0; i < x.top.size(); ++i) {
    if (std::isnan(x.top[i] + x.bottom[i] + base.top[i] + base.bottom[i])) continue;
    pairs.x.top.push_back(x.top[i]);
    pairs.x.bottom.push_back(x.bottom[i]);
    pairs.base.top.push_back(base.top[i]);
    pairs.base.bottom.push_back(base.bottom[i]);
  }
  return pairs;
}

/// How much each replica moves the pooled ratio.
std::vector<double> linearised(RatioColumns const& columns) {
  double const ratio = pooled(columns);
  double const usual = mean(columns.bottom);
  std::vector<double> moves;
  for (std::size_t i = 0; i < columns.top.size(); ++i) {
    moves.push_back((columns.top[i] - ratio * columns.bottom[i]) / usual);
  }
  return moves;
}

}  // namespace

Chance chance(double hits, std::size_t n) {
  if (n == 0) return {};
  constexpr double rounding = 1e-6;  // of shares that were added up
  double const low = std::clamp(std::floor(hits + rounding), 0.0, count(n));
  double const high = std::clamp(std::ceil(hits - rounding), 0.0, count(n));
  return {hits / count(n),
          {proportion_interval(static_cast<std::size_t>(low), n).low,
           proportion_interval(static_cast<std::size_t>(high), n).high},
          n};
}

PairedDifference paired_difference(std::vector<double> const& x, std::vector<double> const& base,
                                   Wanted wanted) {
  check(x.size() == base.size(), "paired values come in pairs");
  std::vector<double> a, b, differences;
  double better = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) || std::isnan(base[i])) continue;
    a.push_back(x[i]);
    b.push_back(base[i]);
    differences.push_back(x[i] - base[i]);
    better += is_better(x[i], base[i], wanted) ? 1 : 0;
  }
  double const of_pairs = variance(differences);
  PairedDifference result;
  result.n = differences.size();
  result.mean = mean(differences);
  result.ci95 = error_of_mean(differences);
  result.variance_ratio = of_pairs > 0 ? (variance(a) + variance(b)) / of_pairs : not_known;
  result.better = chance(better, result.n);
  add_range(result, std::move(differences));
  return result;
}

double pooled(RatioColumns const& columns) {
  double top = 0, bottom = 0;
  std::size_t n = 0;
  for (std::size_t i = 0; i < columns.top.size(); ++i) {
    if (std::isnan(columns.top[i] + columns.bottom[i])) continue;
    top += columns.top[i];
    bottom += columns.bottom[i];
    ++n;
  }
  if (n == 0) return not_known;
  return bottom > 0 ? top / bottom : std::numeric_limits<double>::infinity();
}

PooledRatio pooled_ratio(RatioColumns const& columns) {
  RatioColumns const known = complete_pairs(columns, columns).x;
  PooledRatio result{pooled(known), {not_known, not_known}};
  if (!std::isfinite(result.ratio)) return result;
  auto const error = error_of_mean(linearised(known));
  result.ci95 = {result.ratio + error.low, result.ratio + error.high};
  return result;
}

PairedDifference pooled_difference(RatioColumns const& x, RatioColumns const& base, Wanted wanted) {
  auto const pairs = complete_pairs(x, base);
  PairedDifference result;
  result.n = pairs.x.top.size();
  std::vector<double> differences;
  double better = 0;
  auto const ratio = [&](RatioColumns const& of, std::size_t i) {
    return of.bottom[i] > 0 ? of.top[i] / of.bottom[i] : worst(wanted);
  };
  for (std::size_t i = 0; i < result.n; ++i) {
    double const one = ratio(pairs.x, i), other = ratio(pairs.base, i);
    better += is_better(one, other, wanted) ? 1 : 0;
    if (std::isfinite(one) && std::isfinite(other)) differences.push_back(one - other);
  }
  result.better = chance(better, result.n);
  add_range(result, std::move(differences));
  double const of_x = pooled(pairs.x), of_base = pooled(pairs.base);
  if (!std::isfinite(of_x) || !std::isfinite(of_base)) return result;
  result.mean = of_x - of_base;
  auto const a = linearised(pairs.x), b = linearised(pairs.base);
  std::vector<double> moves;
  for (std::size_t i = 0; i < result.n; ++i) moves.push_back(a[i] - b[i]);
  auto const error = error_of_mean(moves);
  result.ci95 = {result.mean + error.low - mean(moves), result.mean + error.high - mean(moves)};
  double const of_pairs = variance(moves);
  result.variance_ratio = of_pairs > 0 ? (variance(a) + variance(b)) / of_pairs : not_known;
  return result;
}

}  // namespace gridcast::study
