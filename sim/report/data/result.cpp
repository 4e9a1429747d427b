#include "sim/report/data/result.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::report {

std::string_view name(ResultKind kind) {
  switch (kind) {
    case ResultKind::ledger:
      return "ledger";
    case ResultKind::prediction:
      return "prediction";
    case ResultKind::replay:
      return "replay";
    case ResultKind::comparison:
      return "comparison";
  }
  return "";
}

double figure(ResultFigures const& figures, std::string_view name) {
  auto const found = figures.find(std::string(name));
  return found == figures.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

study::Summary summary(ResultSummaries const& summaries, std::string_view name) {
  auto const found = summaries.find(std::string(name));
  return found == summaries.end() ? study::summarise(std::vector<double>()) : found->second;
}

ResultStrategy const* baseline(Result const& result) {
  for (auto const& strategy : result.strategies) {
    if (strategy.name == result.baseline) return &strategy;
  }
  return result.strategies.empty() ? nullptr : &result.strategies.front();
}

std::size_t jobs(Result const& result) {
  auto const* strategy = baseline(result);
  double n = std::numeric_limits<double>::quiet_NaN();
  if (result.ledger) n = figure(result.ledger->metrics, "jobs");
  if (strategy != nullptr) n = summary(strategy->metrics, "jobs").mean;
  return std::isfinite(n) && n > 0 ? static_cast<std::size_t>(std::lround(n)) : 0;
}

}  // namespace gridcast::report
