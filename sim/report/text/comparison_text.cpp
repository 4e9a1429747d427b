#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "sim/ledger/metrics.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_plots.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

// The one figure that cannot be won by giving up early: holding a job costs little and yields
// nothing.
constexpr std::string_view deciding = "gpu_hours_per_success";

/// A strategy that has fewer successes than this share of the baseline's has bought its figures
/// dear.
constexpr double few_successes = 0.9;

/// The strategies that are best equally often, and how often that is.
struct Lead {
  std::vector<std::string> strategies;
  double probability = 0;
};

double share_best(ResultStrategy const& strategy, std::string_view figure) {
  return strategy.probability_best.at(std::string(figure));
}

Lead leader(std::vector<ResultStrategy> const& strategies, std::string_view figure) {
  constexpr double alike = 1e-9;
  Lead lead;
  for (auto const& each : strategies) {
    lead.probability = std::max(lead.probability, share_best(each, figure));
  }
  for (auto const& each : strategies) {
    if (share_best(each, figure) >= lead.probability - alike) lead.strategies.push_back(each.name);
  }
  return lead;
}

/// "cool-down, best in 63 %".
std::string in_words(Lead const& lead) {
  constexpr std::size_t most_named = 3;
  auto const& names = lead.strategies;
  std::string const share = share_text(lead.probability);
  if (names.size() == 1) return fmt::format("{}, best in {}", names.front(), share);
  if (names.size() <= most_named) {
    return fmt::format("{} alike, each best in {}", fmt::join(names, ", "), share);
  }
  return fmt::format("{} and {} others alike, each best in {}", names.front(), names.size() - 1,
                     share);
}

std::string under_each(Result const& result, Lead const& overall) {
  std::string text;
  bool changes = false;
  if (result.hypotheses.empty()) return "";
  for (auto const& hypothesis : result.hypotheses) {
    auto const lead = leader(hypothesis.strategies, deciding);
    if (lead.strategies.empty()) continue;
    auto const& names = lead.strategies;
    bool const same =
        std::find(names.begin(), names.end(), overall.strategies.front()) != names.end();
    changes = changes || !same;
    text += fmt::format("  {:<9} ({} of the replicas): {}\n", hypothesis_title(hypothesis.name),
                        share_text(hypothesis.posterior), in_words(lead));
  }
  return (changes ? "The answer depends on what makes transfers stall:\n"
                  : "It is the same whatever makes transfers stall:\n") +
         text;
}

/// Says so where the strategy with the least badput finishes few jobs.
std::string hollow_victory(Result const& result) {
  auto const median = [](ResultStrategy const& strategy, std::string_view figure) {
    return study::summarise(strategy.complete, figure).p50;
  };
  auto const* least = &result.strategies.front();
  for (auto const& each : result.strategies) {
    if (median(each, "badput_s") < median(*least, "badput_s")) least = &each;
  }
  auto const& base = *baseline(result);
  double const of_baseline = median(base, "succeeded");
  double const of_least = median(*least, "succeeded");
  if (of_least >= few_successes * of_baseline) return "";
  return fmt::format(
      "{} has the least badput only because few of its jobs succeed:\n{} in the median, {} under "
      "{}.\n",
      least->name, number_text(of_least, Unit::jobs), number_text(of_baseline, Unit::jobs),
      base.name);
}

/// Of a comparison with at least one complete replica.
std::string verdict(Result const& result) {
  auto const lead = leader(result.strategies, deciding);
  if (lead.strategies.empty()) return "No strategy brings a job to its end.\n";
  return fmt::format("Fewest GPU hours for each success: {} of the replicas.\n", in_words(lead)) +
         under_each(result, lead) +
         fmt::format("Most successes: {}.\n", in_words(leader(result.strategies, "succeeded"))) +
         hollow_victory(result);
}

std::string title_of(std::string_view figure, TimeScale scale) {
  std::string const heading(ledger::find_metric(figure)->heading);
  Unit const unit = words_of(figure, scale).unit;
  return unit == Unit::jobs || unit == Unit::ratio ? heading
                                                   : heading + " " + std::string(unit_text(unit));
}

std::string header(Result const& result) {
  return fmt::format("{}\n{}{}\n{}: {} strategies, {} replicas each, seed {}\n{}\n", result.title,
                     result.question, result.question.empty() ? "" : "\n", result.scenario,
                     result.strategies.size(), result.replicas, *result.seed,
                     incomplete_text(result));
}

/// A row a strategy, a column each of the compared figures, in the figure's unit.
using Cell = std::function<std::string(ResultStrategy const&, std::string const&, Unit)>;
std::string figure_table(Result const& result, std::string const& title, Cell const& cell,
                         Screen const& screen, ResultStrategy const* left_out = nullptr) {
  TimeScale const scale = time_scale(result);
  std::vector<TextColumn> columns = {{title}};
  for (auto const& each : study::compared_figures()) {
    columns.push_back({title_of(each.name, scale), Align::right});
  }
  TextTable table(std::move(columns));
  for (auto const& strategy : result.strategies) {
    if (&strategy == left_out) continue;
    std::vector<TextCell> row = {strategy.name};
    for (auto const& figure : study::compared_figures()) {
      row.emplace_back(cell(strategy, std::string(figure.name), words_of(figure.name, scale).unit));
    }
    table.add_row(std::move(row));
  }
  return table.str(screen);
}

std::string levels(Result const& result, Screen const& screen) {
  return figure_table(
      result, "strategy",
      [](ResultStrategy const& strategy, std::string const& figure, Unit unit) {
        return spread_text(summary(strategy.metrics, figure), unit);
      },
      screen);
}

std::string difference_cell(ResultStrategy const& strategy, std::string const& figure, Unit unit) {
  auto const& paired = strategy.versus_baseline.at(figure);
  return mean_text(paired.mean, paired.ci95, unit);
}

std::string differences(Result const& result, Screen const& screen) {
  return figure_table(result, "difference to " + result.baseline, difference_cell, screen,
                      baseline(result));
}

std::string chances(Result const& result, Screen const& screen) {
  return figure_table(
             result, "probability of being best",
             [](ResultStrategy const& strategy, std::string const& figure, Unit) {
               return share_text(share_best(strategy, figure));
             },
             screen) +
         fitted(
             "Makespan and badput: only where at least 90 % as many jobs succeed as under the "
             "baseline.\n",
             screen);
}

std::string by_hypothesis(Result const& result, Screen const& screen) {
  Unit const unit = words_of("badput_s", time_scale(result)).unit;
  std::vector<TextColumn> columns = {{fmt::format("badput {}, difference", unit_text(unit))}};
  for (auto const& each : result.hypotheses) {
    columns.push_back({std::string(hypothesis_title(each.name)), Align::right});
  }
  for (auto const& each : result.hypotheses) {
    columns.push_back({fmt::format("best, {}", hypothesis_title(each.name)), Align::right});
  }
  TextTable table(std::move(columns));
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    auto const& name = result.strategies[s].name;
    std::vector<TextCell> row = {name};
    for (auto const& each : result.hypotheses) {
      row.emplace_back(name == result.baseline
                           ? std::string()
                           : difference_cell(each.strategies[s], "badput_s", unit));
    }
    for (auto const& each : result.hypotheses) {
      row.emplace_back(share_text(share_best(each.strategies[s], deciding)));
    }
    table.add_row(std::move(row));
  }
  return table.str(screen);
}

std::string legend(Result const& result) {
  std::string text;
  for (auto const& each : result.hypotheses) {
    text += fmt::format("{}: {}.\n", hypothesis_title(each.name), hypothesis_words(each.name));
  }
  return text + "best: share of these replicas with the fewest GPU hours for each success.\n";
}

}  // namespace

std::string comparison_text(Result const& result, Screen const& screen) {
  std::string const head = fitted(header(result), screen);
  if (result.replicas == 0) return head + "No replica was finished under every strategy.\n";
  auto const line = [&](std::string_view words) { return fitted(words, screen) + "\n"; };
  std::string const text =
      head + line(verdict(result)) + strategy_plots(result, screen) + levels(result, screen) +
      line("Median (5 %..95 %) over replicas.") + differences(result, screen) +
      line("Mean of the paired differences, ± 95 % interval.") + chances(result, screen);
  if (result.hypotheses.empty()) return text;
  return text + "\n" + by_hypothesis(result, screen) + fitted(legend(result), screen);
}

}  // namespace gridcast::report
