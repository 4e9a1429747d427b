#include "sim/report/page/shown.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace gridcast::report {
namespace {

double cost(ResultStrategy const& strategy) {
  double const middle = summary(strategy.metrics, "gpu_hours_per_success").p50;
  return std::isnan(middle) ? std::numeric_limits<double>::infinity() : middle;
}

}  // namespace

std::vector<ShownStrategy> shown_strategies(std::vector<Result> const& results) {
  std::vector<ShownStrategy> shown;
  std::map<std::string, int> times;
  for (auto const& result : results) {
    for (auto const& strategy : result.strategies) {
      shown.push_back({strategy.name, &strategy, &result});
      ++times[strategy.name];
    }
  }
  for (auto& each : shown) {
    if (times[each.label] > 1) each.label += " (" + each.result->source + ")";
  }
  auto const* first = shown.empty() ? nullptr : baseline(*shown.front().result);
  std::stable_partition(shown.begin(), shown.end(),
                        [&](ShownStrategy const& each) { return each.strategy == first; });
  return shown;
}

std::vector<ShownStrategy> drawn_strategies(std::vector<Result> const& results) {
  auto shown = shown_strategies(results);
  std::erase_if(shown, [](ShownStrategy const& each) {
    return each.strategy->rank == study::Rank::too_few_succeed &&
           each.strategy != baseline(*each.result);
  });
  if (shown.size() <= most_drawn) return shown;
  auto ranked = shown;
  std::stable_sort(ranked.begin() + 1, ranked.end(), [](auto const& a, auto const& b) {
    return cost(*a.strategy) < cost(*b.strategy);
  });
  ranked.resize(most_drawn);
  std::erase_if(shown, [&](ShownStrategy const& each) {
    return std::none_of(ranked.begin(), ranked.end(),
                        [&](auto const& kept) { return kept.strategy == each.strategy; });
  });
  return shown;
}

std::string left_out_words(std::vector<Result> const& results) {
  std::size_t const all = shown_strategies(results).size();
  std::size_t const drawn = drawn_strategies(results).size();
  if (drawn == all) return "";
  return fmt::format(
      "{} of {} strategies are drawn: the baseline and those with the fewest GPU hours for each "
      "success; of those under which too few jobs succeed, none. The table has all.",
      drawn, all);
}

ResultStrategy const* best_strategy(Result const& result) {
  ResultStrategy const* best = nullptr;
  double most = -1;
  for (auto const& strategy : result.strategies) {
    auto const found = strategy.probability_best.find("gpu_hours_per_success");
    if (found == strategy.probability_best.end() || !(found->second > most)) continue;
    most = found->second;
    best = &strategy;
  }
  return best;
}

std::string named_by_verdict(Result const& result) {
  if (!result.verdict || result.verdict->decision == study::Decision::no_success) return "";
  auto const& verdict = *result.verdict;
  bool const decided = verdict.decision == study::Decision::decided;
  return result.strategies[decided ? verdict.best : verdict.least_regret].name;
}

std::vector<Result const*> recorded(std::vector<Result> const& results) {
  std::vector<Result const*> list;
  for (auto const& result : results) {
    if (result.ledger && result.strategy.empty()) list.push_back(&result);
  }
  return list;
}

void add_picked(ReportFigure& figure, ReportFigure const& other) {
  figure.data.rows.insert(figure.data.rows.end(), other.data.rows.begin(), other.data.rows.end());
  figure.says_by.insert(figure.says_by.end(), other.says_by.begin(), other.says_by.end());
}

std::string source_text(std::vector<Result> const& results, Result const& result) {
  return results.size() > 1 ? " (" + one_line(result.source) + ")" : "";
}

std::string site_text(std::string const& site) { return site.empty() ? "(no site)" : site; }

}  // namespace gridcast::report
