#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/ledger/metrics.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/study/comparison.hpp"

namespace gridcast::report {
namespace {

using Shown = std::vector<ShownStrategy>;

/// Null for the baseline itself, and if it is not known.
study::PairedDifference const* difference(ShownStrategy const& each, std::string_view figure) {
  if (each.strategy == baseline(*each.result)) return nullptr;
  return find_in(each.strategy->versus_baseline, std::string(figure));
}

/// How surely strategies differ from the baseline in a figure.
std::string differences_say(Shown const& shown, std::string_view figure) {
  std::size_t less = 0, more = 0, others = 0;
  for (auto const& each : shown) {
    auto const* found = difference(each, figure);
    if (found == nullptr) continue;
    ++others;
    less += found->ci95.high < 0 ? 1U : 0U;
    more += found->ci95.low > 0 ? 1U : 0U;
  }
  return fmt::format(
      "In {}, {} of {} other strategies are below the baseline and {} above it, beyond chance "
      "(95 % interval without zero).",
      words_of(figure).words, less, others, more);
}

/// The page's unit of a figure, and the factor that brings its values to that unit.
struct Shape {
  std::string unit;
  double scale = 1;
};

Shape shape_of(std::string_view figure) {
  if (figure == ledger::deciding_metric) return {"h"};
  if (figure.ends_with("_s")) return {"s"};
  Unit const unit = words_of(figure).unit;
  return {std::string(unit_text(unit)), unit == Unit::percent ? 100.0 : 1.0};
}

/// The makespan is left out: a strategy under which the wanted jobs never finish has no difference.
/// Goodput is the complement of badput.
bool is_drawn(std::string_view figure) {
  return figure != "makespan_s" && figure != "goodput_fraction";
}

ReportFigure differences(Shown const& shown) {
  ReportFigure figure{"paired-differences",
                      "Difference to the baseline, campaign by campaign",
                      "paired_differences",
                      {columns(text_column("strategy"), text_column("metric", "figure"),
                               text_column("unit"), number_column("mean", "mean difference"),
                               number_column("lo", "Monte-Carlo error of the mean, 95 %, low"),
                               number_column("hi", "Monte-Carlo error of the mean, 95 %, high"),
                               number_column("p05", "campaign by campaign, 5 %"),
                               number_column("p95", "campaign by campaign, 95 %"),
                               number_column("pairs", "pairs of campaigns"),
                               number_column("better", "better in this share of the campaigns"),
                               number_column("better_lo", "95 % interval, low"),
                               number_column("better_hi", "95 % interval, high"))},
                      differences_say(shown, "badput_s")};
  for (auto const& compared : study::compared_figures()) {
    if (!is_drawn(compared.name)) continue;
    for (auto const& each : shown) {
      auto const* found = difference(each, compared.name);
      if (found == nullptr || std::isnan(found->mean)) continue;
      auto const [symbol, scale] = shape_of(compared.name);
      figure.data.rows.push_back({each.label, std::string(words_of(compared.name).words), symbol,
                                  scale * found->mean, scale * found->ci95.low,
                                  scale * found->ci95.high, scale * found->p05, scale * found->p95,
                                  static_cast<double>(found->n), found->better.share,
                                  found->better.ci95.low, found->better.ci95.high});
    }
  }
  return figure;
}

/// Median and central 90 %. The makespan is the time until the wanted jobs have finished.
study::Spread level_of(ShownStrategy const& each, std::string_view figure) {
  if (figure == "makespan_s") return outcome_of(*each.result, *each.strategy).makespan;
  auto const sum = summary(each.strategy->metrics, figure);
  double const scale = shape_of(figure).scale;
  return {scale * sum.p05, scale * sum.p50, scale * sum.p95};
}

std::string level_name(Shown const& shown, std::string_view figure) {
  if (figure != "makespan_s") return std::string(words_of(figure).words);
  auto const& first = shown.front();
  auto const wanted = outcome_of(*first.result, *first.strategy).wanted;
  return wanted == 0 ? "time until the wanted jobs finish"
                     : fmt::format("time until {} jobs finish", wanted);
}

ReportTable levels(Shown const& shown) {
  ReportTable table{"strategies",
                    "The strategies",
                    {columns(text_column("strategy"), number_column("replicas", "campaigns"))},
                    "Medians over the simulated campaigns, and the range of 90 % of them."};
  for (auto const& compared : study::compared_figures()) {
    std::string const name(compared.name == "makespan_s" ? "wanted_s" : compared.name);
    std::string const words = level_name(shown, compared.name);
    ReportColumn column = number_column(name, words, shape_of(compared.name).unit);
    column.days = compared.name == "makespan_s";
    add_range(table.data, column, words + ", ");
  }
  for (auto const& each : shown) {
    std::vector<ReportCell> row = {
        each.label, static_cast<double>(each.strategy->replicas > 0 ? each.strategy->replicas
                                                                    : each.result->replicas)};
    for (auto const& compared : study::compared_figures()) {
      add_range(row, level_of(each, compared.name));
    }
    table.data.rows.push_back(std::move(row));
  }
  return table;
}

/// Each strategy that can be chosen under each explanation, a row each.
ReportTable explanation_rows(Result const& result) {
  ReportTable table{
      "explanations",
      "The strategies under each explanation",
      {columns(text_column("strategy"), text_column("explanation"),
               number_column("posterior", "probability", "%"),
               number_column("cost", with_hours_name("GPU hours for each success, sum over sum",
                                                     result.without_gpus)),
               number_column("badput_s", "lost slot time, median", "s"),
               number_column("succeeded", "successes, median", "jobs"), text_column("standing"))},
      "Best: for the goal, among the campaigns of that explanation."};
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    if (result.strategies[s].rank == study::Rank::too_few_succeed) continue;
    for (std::size_t h = 0; h < result.hypotheses.size(); ++h) {
      auto const& explanation = result.hypotheses[h];
      auto const& strategy = explanation.strategies[s];
      bool const few = strategy.rank == study::Rank::too_few_succeed;
      auto const cost = strategy.pooled.find(ledger::deciding_metric);
      table.data.rows.push_back(
          {strategy.name, std::string(hypothesis_title(explanation.name)),
           100 * explanation.posterior,
           cost == strategy.pooled.end() ? study::not_known : cost->second.ratio,
           summary(strategy.metrics, "badput_s").p50, summary(strategy.metrics, "succeeded").p50,
           std::string(is_best_under(result, s, h) ? "best"
                       : few                       ? "too few succeed"
                                                   : "")});
    }
  }
  return table;
}

ReportTable parameter_rows(Result const& result) {
  ReportTable table{
      "parameters",
      "Parameters of the calibration that would change the choice",
      {columns(text_column("parameter"), text_column("meaning"),
               number_column("share", "value", "%"), number_column("lo", "95 % interval, low", "%"),
               number_column("hi", "95 % interval, high", "%"),
               text_column("ranges", "best strategy by its value"))},
      value_of_parameters_sentence(result)};
  for (auto const& value : result.parameter_values) {
    table.data.rows.push_back({value.name, value.meaning, 100 * value.share, 100 * value.ci95.low,
                               100 * value.ci95.high, best_by_value(result, value)});
  }
  return table;
}

std::string mark_of(Result const& result, ResultStrategy const& strategy) {
  if (strategy.name == named_by_verdict(result)) return "best";
  return &strategy == baseline(result) ? "baseline" : "other";
}

std::string intervals_say(Result const& result, std::size_t drawn) {
  std::string text;
  for (auto const& each : result.strategies) {
    auto const mark = mark_of(result, each);
    if (mark == "other") continue;
    bool const both = mark == "best" && &each == baseline(result);
    auto const range = [&](std::string_view figure) {
      return range_text(figure, summary(each.metrics, figure), time_scale(result));
    };
    auto const outcome = outcome_of(result, each);
    text += fmt::format(
        "{}{} ({}): {}; {} for each success {}.", text.empty() ? "" : " ", each.name,
        both ? "best, and the baseline" : mark,
        to_text(outcome, result.choice ? time_words(*result.choice) : time_words(outcome)),
        outcome.hours, range(ledger::deciding_metric));
  }
  if (drawn == result.strategies.size()) return text;
  return text + fmt::format(
                    " {} of {} strategies are drawn: not those under which too few jobs "
                    "succeed, and at most {}.",
                    drawn, result.strategies.size(), most_drawn);
}

/// A row for each figure that the reader may pick, that which the verdict goes by first.
void add_intervals(ReportFigure& figure, Result const& result, ResultStrategy const& strategy) {
  for (ledger::Metric const* metric : ledger::metrics_shown(ledger::ShownIn::page)) {
    if (metric->name == "makespan_s") continue;  // "never" has no place on an axis of times
    auto const words = words_of(metric->name);
    auto const sum = summary(strategy.metrics, metric->name);
    if (sum.n == 0) continue;
    auto const [unit, scale] = shape_of(metric->name);
    figure.data.rows.push_back({strategy.name, std::string(words.words), mark_of(result, strategy),
                                unit, scale * sum.p05, scale * sum.p25, scale * sum.p50,
                                scale * sum.p75, scale * sum.p95});
  }
}

/// The strategies that are worth drawing.
ReportFigure intervals(std::vector<Result> const& results, Result const& result) {
  ReportFigure figure{
      "intervals",
      "The strategies: median, middle half and central 90 % of the campaigns",
      "strategy_intervals",
      {columns(text_column("strategy"), text_column("metric", "figure"), text_column("mark"),
               text_column("unit"), number_column("p05", "5 %"), number_column("p25", "25 %"),
               number_column("p50", "median"), number_column("p75", "75 %"),
               number_column("p95", "95 %"))}};
  std::size_t drawn = 0;
  for (auto const& each : drawn_strategies(results)) {
    if (each.result != &result) continue;
    ++drawn;
    add_intervals(figure, result, *each.strategy);
  }
  figure.says = intervals_say(result, drawn);
  return figure;
}

ReportFigure coverage(study::RecordComparison const& against, std::size_t number) {
  ReportFigure figure{
      fmt::format("coverage-{}", number),
      "Each observed figure in its predicted interval",
      "coverage",
      {columns(text_column("figure"), number_column("observed"),
               number_column("lo", "predicted, 5 %"), number_column("hi", "predicted, 95 %"),
               number_column("p50", "predicted, median"),
               text_column("inside", "in the central 90 %"),
               number_column("position", "percentile rank"), text_column("unit"))}};
  std::vector<std::string> outside;
  for (auto const& place : against.figures) {
    std::string const words(words_of(place.name).words);
    if (!place.inside) outside.push_back(words);
    figure.data.rows.push_back({words, place.observed, place.predicted.p05, place.predicted.p95,
                                place.predicted.p50, place.inside ? "yes" : "no",
                                place.percentile_rank, place.name.ends_with("_s") ? "s" : ""});
  }
  figure.says = coverage_text(against);
  constexpr std::size_t most_named = 5;
  if (outside.size() > most_named) {
    outside.resize(most_named);
    outside.emplace_back("others");
  }
  figure.says += outside.empty() ? "." : "; not " + list_text(outside) + ".";
  return figure;
}

}  // namespace

ReportPart comparison_section(std::vector<Result> const& results) {
  auto const shown = shown_strategies(results);
  if (shown.empty()) return {};
  auto const drawn = drawn_strategies(results);
  ReportSection section{"strategies", "The strategies compared"};
  if (shown.size() == 1) section.title = "The strategy";
  section.table = levels(shown);
  if (shown.size() == 1) return {std::move(section), ""};
  auto const words = left_out_words(results);
  if (!words.empty()) section.text.push_back(words);
  auto figure = differences(drawn);
  if (!figure.data.rows.empty()) section.figures.push_back(std::move(figure));
  return {std::move(section), ""};
}

std::vector<ReportSection> verdict_sections(std::vector<Result> const& results) {
  std::vector<ReportSection> sections;
  for (auto const& result : results) {
    if (!result.choice) continue;
    std::string const number = sections.empty() ? "" : "-" + std::to_string(sections.size());
    ReportSection section{"verdict" + number, "The verdict", standing_sentences(result)};
    auto figure = intervals(results, result);
    figure.id += number;
    if (!figure.data.rows.empty()) section.figures.push_back(std::move(figure));
    if (!result.hypotheses.empty()) section.table = explanation_rows(result);
    sections.push_back(std::move(section));
    if (result.parameter_values.empty()) continue;
    ReportSection next{"parameters" + number, "Deciding parameters"};
    next.table = parameter_rows(result);
    sections.push_back(std::move(next));
  }
  return sections;
}

ReportPart observed_section(std::vector<Result> const& results) {
  ReportSection section{"observed-and-predicted", "Observed and predicted"};
  for (auto const& result : results) {
    if (!result.against || result.against->figures.empty()) continue;
    section.figures.push_back(coverage(*result.against, section.figures.size() + 1));
    // A replay re-enacts them: that they are the same is no foresight.
    if (result.kind == ResultKind::replay) continue;
    auto const executions = compared_executions(*result.against);
    auto const& compared = executions.compared;
    if (!compared.empty()) {
      section.text.push_back(fmt::format(
          "{1} of {0} executions that gave a result lasted within 5 % of the predicted median of "
          "their site.",
          compared.size(),
          std::ranges::count_if(compared, [](auto const& each) { return each.within; })));
    }
    if (executions.left_out > 0) section.text.push_back(left_out_text(executions));
  }
  if (section.figures.empty()) return {};
  return {std::move(section), ""};
}

}  // namespace gridcast::report
