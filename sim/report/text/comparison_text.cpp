#include "sim/report/text/comparison_text.hpp"

#include <functional>
#include <vector>

#include <fmt/format.h>

#include "sim/ledger/metrics.hpp"
#include "sim/report/text/comparison_verdict.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/paragraph.hpp"
#include "sim/report/text/prediction_text.hpp"
#include "sim/report/text/study_plots.hpp"
#include "sim/report/text/table.hpp"

namespace gridcast::report {
namespace {

std::string title_of(study::ComparedFigure const& figure, TimeScale scale) {
  std::string const heading(ledger::find_metric(figure.name)->heading);
  Unit const unit = words_of(figure.name, scale).unit;
  return unit == Unit::jobs || unit == Unit::ratio ? heading
                                                   : heading + " " + std::string(unit_text(unit));
}

/// Of the baseline: what the strategies are shown in.
TimeScale scale_of(study::Comparison const& comparison) {
  return time_scale(comparison.samples[comparison.baseline]);
}

std::string header(study::Comparison const& comparison, std::size_t complete) {
  return fmt::format("{}\n{}{}\n{}: {} strategies, {} replicas each, seed {}\n{}\n",
                     comparison.title, comparison.question, comparison.question.empty() ? "" : "\n",
                     comparison.scenario, comparison.strategies.size(), complete, comparison.seed,
                     incomplete_text(comparison.interrupted, complete, comparison.requested,
                                     comparison.failed.size()));
}

/// A row a strategy, a column each of the compared figures.
std::string figure_table(
    study::Comparison const& comparison, std::string const& title,
    std::function<std::string(std::size_t, study::ComparedFigure const&)> const& cell,
    bool with_baseline, Screen const& screen) {
  std::vector<TextColumn> columns = {{title}};
  for (auto const& each : study::compared_figures()) {
    columns.push_back({title_of(each, scale_of(comparison)), Align::right});
  }
  TextTable table(std::move(columns));
  for (std::size_t s = 0; s < comparison.strategies.size(); ++s) {
    if (s == comparison.baseline && !with_baseline) continue;
    std::vector<std::string> row = {comparison.strategies[s]};
    for (auto const& figure : study::compared_figures()) row.push_back(cell(s, figure));
    table.add_row(std::move(row));
  }
  return table.str(screen);
}

std::string levels(study::Comparison const& comparison, Screen const& screen) {
  return figure_table(
      comparison, "strategy",
      [&](std::size_t s, study::ComparedFigure const& figure) {
        auto const summary = study::summarise(comparison.samples[s], figure.name);
        return spread_text(summary, words_of(figure.name, scale_of(comparison)).unit);
      },
      true, screen);
}

std::string differences(study::Comparison const& comparison, Screen const& screen) {
  auto const title = fmt::format("difference to {}", comparison.strategies[comparison.baseline]);
  return figure_table(
      comparison, title,
      [&](std::size_t s, study::ComparedFigure const& figure) {
        auto const paired = study::difference(comparison, s, figure.name);
        return mean_text(paired.mean, paired.ci95,
                         words_of(figure.name, scale_of(comparison)).unit);
      },
      false, screen);
}

std::string chances(study::Comparison const& comparison, Screen const& screen) {
  std::vector<std::vector<double>> by_figure;
  for (auto const& figure : study::compared_figures()) {
    by_figure.push_back(study::probability_best(comparison, figure));
  }
  return figure_table(
             comparison, "probability of being best",
             [&](std::size_t s, study::ComparedFigure const& figure) {
               auto const place = &figure - study::compared_figures().data();
               return share_text(by_figure[static_cast<std::size_t>(place)][s]);
             },
             true, screen) +
         fitted(
             "Makespan and badput: only where at least 90 % as many jobs succeed as under the "
             "baseline.\n",
             screen);
}

std::string by_hypothesis(study::Comparison const& comparison, Screen const& screen) {
  auto const names = study::hypotheses(comparison.samples[comparison.baseline]);
  Unit const unit = words_of("badput_s", scale_of(comparison)).unit;
  std::vector<TextColumn> columns = {{fmt::format("badput {}, difference", unit_text(unit))}};
  std::vector<study::Comparison> parts;
  for (auto const& each : names) {
    columns.push_back({std::string(hypothesis_title(each)), Align::right});
    parts.push_back(study::select_hypothesis(comparison, each));
  }
  for (auto const& each : names) {
    columns.push_back({fmt::format("best, {}", hypothesis_title(each)), Align::right});
  }
  TextTable table(std::move(columns));
  std::vector<std::vector<double>> best;
  for (auto const& part : parts) {
    best.push_back(study::probability_best(part, {"gpu_hours_per_success", false}));
  }
  for (std::size_t s = 0; s < comparison.strategies.size(); ++s) {
    std::vector<std::string> row = {comparison.strategies[s]};
    for (auto const& part : parts) {
      auto const paired = study::difference(part, s, "badput_s");
      row.push_back(s == comparison.baseline ? "" : mean_text(paired.mean, paired.ci95, unit));
    }
    for (auto const& shares : best) row.push_back(share_text(shares[s]));
    table.add_row(std::move(row));
  }
  return table.str(screen);
}

std::string hypotheses_legend(study::Comparison const& comparison) {
  std::string text;
  for (auto const& each : study::hypotheses(comparison.samples[comparison.baseline])) {
    text += fmt::format("{}: {}.\n", hypothesis_title(each), hypothesis_words(each));
  }
  return text + "best: share of these replicas with the fewest GPU hours for each success.\n";
}

}  // namespace

std::string comparison_text(study::Comparison const& all, Screen const& screen) {
  auto const paired = complete(all);
  std::size_t const replicas = paired.samples.empty() ? 0 : paired.samples.front().size();
  std::string const head = fitted(header(all, replicas), screen);
  if (replicas == 0) return head + "No replica was finished under every strategy.\n";
  auto const line = [&](std::string_view words) { return fitted(words, screen) + "\n"; };
  std::string const text = head + line(comparison_verdict(paired)) +
                           strategy_plots(all, paired, screen) + levels(all, screen) +
                           line("Median (5 %..95 %) over replicas.") + differences(paired, screen) +
                           line("Mean of the paired differences, ± 95 % interval.") +
                           chances(paired, screen);
  if (study::hypotheses(all.samples[all.baseline]).empty()) return text;
  return text + "\n" + by_hypothesis(paired, screen) + fitted(hypotheses_legend(all), screen);
}

}  // namespace gridcast::report
