#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/ledger/metrics.hpp"
#include "sim/report/page/report_page.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/view/comparison.hpp"
#include "sim/report/view/prediction.hpp"
#include "sim/report/view/verdict.hpp"
#include "sim/study/comparison.hpp"

namespace gridcast::report {
namespace {

using Shown = std::vector<ShownStrategy>;

/// Null of the baseline itself, and where it is not told.
study::PairedDifference const* difference(ShownStrategy const& each, std::string_view figure) {
  if (each.strategy == baseline(*each.result)) return nullptr;
  auto const found = each.strategy->versus_baseline.find(std::string(figure));
  return found == each.strategy->versus_baseline.end() ? nullptr : &found->second;
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
      figure == "badput_s" ? "badput" : words_of(figure).words, less, others, more);
}

/// In which unit the page has a figure, and what its values are multiplied by to be in it.
struct Shape {
  std::string unit;
  double scale = 1;
};

Shape shape_of(std::string_view figure) {
  if (figure.ends_with("_s")) return {"s"};
  Unit const unit = words_of(figure).unit;
  return {std::string(unit_text(unit)), unit == Unit::percent ? 100.0 : 1.0};
}

/// Figures in seconds, or the others: each in its own unit.
ReportFigure differences(Shown const& shown, bool of_times) {
  ReportFigure figure{
      of_times ? "paired-differences-times" : "paired-differences-counts",
      std::string("Difference to the baseline, replica by replica: ") +
          (of_times ? "times" : "counts and shares"),
      "paired_differences",
      {figure_columns(fmt::format(
          "strategy|metric=figure|unit|>mean=mean difference{0}|"
          ">lo=Monte-Carlo error of the mean, 95 %, low{0}|"
          ">hi=Monte-Carlo error of the mean, 95 %, high{0}|>p05=campaign by campaign, 5 %{0}|"
          ">p95=campaign by campaign, 95 %{0}|>better=better in this share of the campaigns|"
          ">better_lo=95 % interval, low|>better_hi=95 % interval, high",
          of_times ? " [s]" : ""))},
      differences_say(shown, of_times ? "badput_s" : ledger::deciding_metric)};
  for (auto const& compared : study::compared_figures()) {
    if (compared.name.ends_with("_s") != of_times) continue;
    for (auto const& each : shown) {
      auto const* found = difference(each, compared.name);
      if (found == nullptr || std::isnan(found->mean)) continue;
      auto const [symbol, scale] = shape_of(compared.name);
      figure.data.rows.push_back({each.label, std::string(words_of(compared.name).words), symbol,
                                  scale * found->mean, scale * found->ci95.low,
                                  scale * found->ci95.high, scale * found->p05, scale * found->p95,
                                  found->better.share, found->better.ci95.low,
                                  found->better.ci95.high});
    }
  }
  return figure;
}

ReportFigure chances(Shown const& shown) {
  ReportFigure figure{
      "probability-best",
      "Probability of being best",
      "probability_best",
      {figure_columns("strategy|metric=figure|>p=share of the replicas|>p_lo=95 % interval, low|"
                      ">p_hi=95 % interval, high")}};
  // What the best is told by comes first: the page ranks by it.
  auto order = study::compared_figures();
  std::stable_partition(order.begin(), order.end(),
                        [](auto const& each) { return each.name == ledger::deciding_metric; });
  for (auto const& compared : order) {
    for (auto const& each : shown) {
      auto const found = each.strategy->probability_best.find(std::string(compared.name));
      if (found == each.strategy->probability_best.end() || std::isnan(found->second)) continue;
      auto const error = each.strategy->probability_best_ci95.find(found->first);
      bool const told = error != each.strategy->probability_best_ci95.end();
      figure.data.rows.push_back({each.label, std::string(words_of(compared.name).words),
                                  found->second,
                                  told ? ReportCell(error->second.low) : ReportCell(),
                                  told ? ReportCell(error->second.high) : ReportCell()});
    }
  }
  auto const* best = shown.empty() ? nullptr : best_strategy(*shown.front().result);
  if (best != nullptr) {
    figure.says =
        fmt::format("{} has the fewest GPU hours for each success in {:.0f} % of the replicas.",
                    best->name, 100 * best->probability_best.at(ledger::deciding_metric));
  }
  return figure;
}

/// No other strategy is better in both, and as many jobs succeed.
bool efficient(ShownStrategy const& one, Shown const& shown) {
  auto const value = [](ShownStrategy const& each, std::string_view name) {
    return summary(each.strategy->metrics, name).p50;
  };
  constexpr double as_many = 0.9;
  double const enough = as_many * value(shown.front(), "succeeded");
  if (value(one, "succeeded") < enough) return false;
  return std::none_of(shown.begin(), shown.end(), [&](ShownStrategy const& other) {
    return value(other, "succeeded") >= enough &&
           value(other, "makespan_s") < value(one, "makespan_s") &&
           value(other, "badput_s") < value(one, "badput_s");
  });
}

ReportFigure pareto(Shown const& shown) {
  ReportFigure figure{
      "pareto",
      "Makespan against badput, medians and central 90 %",
      "pareto",
      {figure_columns("strategy|>makespan_s=makespan [s]|>badput_s=badput [s]|"
                      ">makespan_lo=makespan, 5 % [s]|>makespan_hi=makespan, 95 % [s]|"
                      ">badput_lo=badput, 5 % [s]|>badput_hi=badput, 95 % [s]|"
                      "efficient=no other is better in both")}};
  std::vector<std::string> front;
  for (auto const& each : shown) {
    auto const makespan = summary(each.strategy->metrics, "makespan_s");
    auto const badput = summary(each.strategy->metrics, "badput_s");
    if (makespan.n == 0 || badput.n == 0) continue;
    bool const is_efficient = efficient(each, shown);
    if (is_efficient) front.push_back(each.label);
    figure.data.rows.push_back({each.label, makespan.p50, badput.p50, makespan.p05, makespan.p95,
                                badput.p05, badput.p95, is_efficient ? "yes" : "no"});
  }
  constexpr std::size_t most_named = 5;
  figure.says = fmt::format(
      "Of those under which at least 90 % as many jobs succeed as under the first, no other has "
      "both less makespan and less badput than {}.",
      front.empty() ? "any" : list_text(front));
  if (front.size() > most_named) {
    figure.says = fmt::format(
        "{} of {} strategies are such that no other has both less makespan and less badput.",
        front.size(), shown.size());
  }
  return figure;
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
    text += fmt::format("{}{} ({}): GPU hours for each success {}; ends after {}.",
                        text.empty() ? "" : " ", each.name, both ? "best, and the baseline" : mark,
                        range(ledger::deciding_metric), range("makespan_s"));
  }
  if (drawn == result.strategies.size()) return text;
  return text + fmt::format(
                    " {} of {} strategies are drawn: not those under which too few jobs "
                    "succeed, and at most {}.",
                    drawn, result.strategies.size(), most_drawn);
}

/// A row for each figure that the reader may pick, that which the verdict goes by first.
void add_intervals(ReportFigure& figure, Result const& result, ResultStrategy const& strategy) {
  for (ledger::Metric const* metric : ledger::metrics_shown(&ledger::ShownIn::page)) {
    auto const words = words_of(metric->name);
    auto const sum = summary(strategy.metrics, metric->name);
    if (sum.n == 0) continue;
    double const scale = words.unit == Unit::percent ? 100 : 1;
    std::string const unit =
        metric->name.ends_with("_s") ? "s" : std::string(unit_text(words.unit));
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
      {figure_columns(
          "strategy|metric=figure|mark|unit|>p05=5 %|>p25=25 %|>p50=median|>p75=75 %|>p95=95 %")}};
  std::size_t drawn = 0;
  for (auto const& each : drawn_strategies(results)) {
    if (each.result != &result) continue;
    ++drawn;
    add_intervals(figure, result, *each.strategy);
  }
  figure.says = intervals_say(result, drawn);
  return figure;
}

}  // namespace

/// "-1" behind the identifiers of a second result.
std::string number_of(Result const& result, std::vector<Result> const& results) {
  auto const number = &result - results.data();
  return number == 0 ? "" : fmt::format("-{}", number);
}

ReportPart comparison_section(std::vector<Result> const& results) {
  ReportSection section{"strategies", "The strategies compared"};
  auto const shown = shown_strategies(results);
  if (shown.empty()) return {};
  if (shown.size() == 1) section.title = "The strategy";
  if (shown.size() > 1) {
    auto const words = left_out_words(results);
    if (!words.empty()) section.text.push_back(words);
    auto const drawn = drawn_strategies(results);
    for (auto& figure :
         {differences(drawn, true), differences(drawn, false), chances(drawn), pareto(drawn)}) {
      if (!figure.data.rows.empty()) section.figures.push_back(figure);
    }
  }
  for (auto const& result : results) {
    if (result.strategies.empty()) continue;
    auto const number = number_of(result, results);
    for (auto each : result.kind == ResultKind::comparison && result.verdict
                         ? std::vector{levels(result), differences(result), chances(result),
                                       by_explanation(result)}
                         : std::vector{figures(result)}) {
      each.id += number;
      each.title += source_text(results, result);
      add_statements(section, each);
    }
  }
  return {std::move(section), ""};
}

std::vector<ReportSection> verdict_sections(std::vector<Result> const& results) {
  std::vector<ReportSection> sections;
  for (auto const& result : results) {
    if (!result.verdict) continue;
    std::string const number = number_of(result, results);
    ReportSection section{"verdict" + number, "The verdict"};
    auto figure = intervals(results, result);
    figure.id += number;
    if (!figure.data.rows.empty()) section.figures.push_back(std::move(figure));
    add_statements(section, regrets(result));
    sections.push_back(std::move(section));
    if (result.observations.empty()) continue;
    sections.push_back(page_section(observations(result)));
    sections.back().id += number;
  }
  return sections;
}

}  // namespace gridcast::report
