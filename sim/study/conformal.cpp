#include "sim/study/conformal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace gridcast::study {
namespace {

/// How far on its side of the median: 1 at the interval's end.
double part_of_half(double beyond_median, double half) {
  if (beyond_median <= 0) return 0;
  return half > 0 ? beyond_median / half : std::numeric_limits<double>::infinity();
}

/// E.
double nonconformity(ScoredFigure const& figure) {
  auto values = figure.forecast;
  std::erase_if(values, [](double x) { return std::isnan(x); });
  auto const interval = central_interval(values, conformal_level);
  double const middle = median(std::move(values));
  return std::max(part_of_half(middle - figure.observed, middle - interval.low),
                  part_of_half(figure.observed - middle, interval.high - middle));
}

/// The conformal quantile; none of fewer values than it takes.
std::optional<double> conformal_quantile(std::vector<double> values) {
  auto const n = static_cast<double>(values.size());
  // 0.9 x 10 is a little above 9 in floating point.
  auto const rank = static_cast<std::size_t>(std::ceil(conformal_level * (n + 1) - 1e-9));
  if (rank > values.size()) return std::nullopt;
  std::sort(values.begin(), values.end());
  return values[rank - 1];
}

}  // namespace

ConformalTable conformal_table(std::vector<ScoredRecord> const& records) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<double>> of_figure;
  for (ScoredRecord const& record : records) {
    for (ScoredFigure const& figure : record.figures) {
      if (!counts(figure)) continue;
      auto& values = of_figure[figure.figure];
      if (values.empty()) order.push_back(figure.figure);
      values.push_back(nonconformity(figure));
    }
  }
  ConformalTable table;
  for (std::string const& figure : order) {
    auto const& values = of_figure.at(figure);
    auto const factor = conformal_quantile(values);
    if (!factor) continue;
    table.factors.push_back({figure, values.size(), *factor});
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto others = values;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      auto const without = conformal_quantile(std::move(others));
      if (!without) continue;
      ++table.cases;
      table.inside += values[i] <= *without ? 1 : 0;
    }
  }
  return table;
}

Summary corrected(Summary summary, double factor, Interval const& possible) {
  if (std::isinf(factor)) return summary;
  summary.p05 = std::max(summary.p50 - factor * (summary.p50 - summary.p05), possible.low);
  summary.p95 = std::min(summary.p50 + factor * (summary.p95 - summary.p50), possible.high);
  summary.p25 = std::max(summary.p25, summary.p05);
  summary.p75 = std::min(summary.p75, summary.p95);
  return summary;
}

}  // namespace gridcast::study
