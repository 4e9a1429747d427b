#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"
#include "sim/report/page/shown.hpp"
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
  std::string const unit = of_times ? "s" : "";
  ReportFigure figure{
      of_times ? "paired-differences-times" : "paired-differences-counts",
      std::string("Difference to the baseline, replica by replica: ") +
          (of_times ? "times" : "counts and shares"),
      "paired_differences",
      {columns(text_column("strategy"), text_column("metric", "figure"), text_column("unit"),
               number_column("mean", "mean difference", unit),
               number_column("lo", "Monte-Carlo error of the mean, 95 %, low", unit),
               number_column("hi", "Monte-Carlo error of the mean, 95 %, high", unit),
               number_column("p05", "campaign by campaign, 5 %", unit),
               number_column("p95", "campaign by campaign, 95 %", unit),
               number_column("better", "better in this share of the campaigns"),
               number_column("better_lo", "95 % interval, low"),
               number_column("better_hi", "95 % interval, high"))},
      differences_say(shown, of_times ? "badput_s" : "gpu_hours_per_success")};
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
  ReportFigure figure{"probability-best",
                      "Probability of being best",
                      "probability_best",
                      {columns(text_column("strategy"), text_column("metric", "figure"),
                               number_column("p", "share of the replicas"),
                               number_column("p_lo", "95 % interval, low"),
                               number_column("p_hi", "95 % interval, high"))}};
  // What the best is told by comes first: the page ranks by it.
  auto order = study::compared_figures();
  std::stable_partition(order.begin(), order.end(),
                        [](auto const& each) { return each.name == "gpu_hours_per_success"; });
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
                    best->name, 100 * best->probability_best.at("gpu_hours_per_success"));
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
      {columns(text_column("strategy"), number_column("makespan_s", "makespan", "s"),
               number_column("badput_s", "badput", "s"),
               number_column("makespan_lo", "makespan, 5 %", "s"),
               number_column("makespan_hi", "makespan, 95 %", "s"),
               number_column("badput_lo", "badput, 5 %", "s"),
               number_column("badput_hi", "badput, 95 %", "s"),
               text_column("efficient", "no other is better in both"))}};
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

ReportTable levels(Shown const& shown) {
  ReportTable table{"strategies",
                    "The strategies",
                    {columns(text_column("strategy"), number_column("replicas"))},
                    "Medians over replicas, and the central 90 %."};
  for (auto const& compared : study::compared_figures()) {
    std::string const name(compared.name), words(words_of(compared.name).words);
    std::string const unit = shape_of(compared.name).unit;
    for (auto const& column : columns(number_column(name + "_p50", words, unit),
                                      number_column(name + "_p05", words + ", 5 %", unit),
                                      number_column(name + "_p95", words + ", 95 %", unit))) {
      table.data.columns.push_back(column);
    }
  }
  for (auto const& each : shown) {
    std::vector<ReportCell> row = {
        each.label, static_cast<double>(each.strategy->replicas > 0 ? each.strategy->replicas
                                                                    : each.result->replicas)};
    for (auto const& compared : study::compared_figures()) {
      auto const figure = summary(each.strategy->metrics, compared.name);
      double const scale = shape_of(compared.name).scale;
      row.insert(row.end(), {scale * figure.p50, scale * figure.p05, scale * figure.p95});
    }
    table.data.rows.push_back(std::move(row));
  }
  return table;
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
  for (auto& figure :
       {differences(drawn, true), differences(drawn, false), chances(drawn), pareto(drawn)}) {
    if (!figure.data.rows.empty()) section.figures.push_back(figure);
  }
  return {std::move(section), ""};
}

}  // namespace gridcast::report
