// What of several results a page shows: their strategies in one list, the best of them in figures,
// each time line of the ledger with its words.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/report/data/result.hpp"
#include "sim/report/page/document.hpp"
#include "sim/report/text/figure_words.hpp"

namespace gridcast::report {

struct ShownStrategy {
  std::string label;  // its name; with the file where two results have the same
  ResultStrategy const* strategy = nullptr;
  Result const* result = nullptr;
};

/// The first result's baseline first, then as the results have them.
std::vector<ShownStrategy> shown_strategies(std::vector<Result> const& results);

inline constexpr std::size_t most_drawn = 10;
/// At most `most_drawn`: the baseline and those that are best, by GPU hours for each success. Not those
/// under which too few jobs succeed: what little they do would flatten the scale for all others.
std::vector<ShownStrategy> drawn_strategies(std::vector<Result> const& results);
/// "10 of 1000 strategies are drawn: ..."; empty if all are.
std::string left_out_words(std::vector<Result> const& results);

/// The strategy that a study finds best by GPU hours for each success; null where none is told.
ResultStrategy const* best_strategy(Result const& result);

/// The strategy that the verdict names, decided or not; empty without one.
std::string named_by_verdict(Result const& result);

/// Recorded campaigns among the results.
std::vector<Result const*> recorded(std::vector<Result> const& results);

/// The same figure of another strategy, as one that can be picked.
void add_picked(ReportFigure& figure, ReportFigure const& other);

/// " (c1.json)": what tells a result from the others; empty of a single one.
std::string source_text(std::vector<Result> const& results, Result const& result);
/// A site's name, or that there was none.
std::string site_text(std::string const& site);

/// The first site of those with the largest `value`, and that value; no site if none is above `least`.
template <class Sites, class Value>
std::pair<std::string, double> largest(Sites const& sites, double least, Value const& value) {
  std::pair<std::string, double> most{"", least};
  for (auto const& [site, figures] : sites) {
    double const of_site = value(figures);
    if (of_site > most.second) most = {site, of_site};
  }
  return most;
}

}  // namespace gridcast::report
