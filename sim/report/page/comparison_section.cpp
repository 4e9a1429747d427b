#include <algorithm>
#include <cmath>

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

/// The page's unit of a figure, and the factor that brings its values to that unit.
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
  ReportFigure figure{"probability-best",
                      "Probability of being best",
                      "probability_best",
                      {columns(text_column("strategy"), text_column("metric", "figure"),
                               number_column("p", "share of the replicas"),
                               number_column("p_lo", "95 % interval, low"),
                               number_column("p_hi", "95 % interval, high"))}};
  // The figure that decides the best comes first: the page ranks by it.
  auto order = study::compared_figures();
  std::stable_partition(order.begin(), order.end(),
                        [](auto const& each) { return each.name == ledger::deciding_metric; });
  for (auto const& compared : order) {
    for (auto const& each : shown) {
      auto const found = each.strategy->probability_best.find(std::string(compared.name));
      if (found == each.strategy->probability_best.end() || std::isnan(found->second)) continue;
      auto const error = each.strategy->probability_best_ci95.find(found->first);
      bool const known = error != each.strategy->probability_best_ci95.end();
      figure.data.rows.push_back({each.label, std::string(words_of(compared.name).words),
                                  found->second,
                                  known ? ReportCell(error->second.low) : ReportCell(),
                                  known ? ReportCell(error->second.high) : ReportCell()});
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

/// Until the wanted jobs have finished.
study::Spread makespan_of(ShownStrategy const& each) {
  return outcome_of(*each.result, *each.strategy).makespan;
}

/// No other strategy is better in both, and as many jobs succeed.
bool efficient(ShownStrategy const& one, Shown const& shown) {
  auto const value = [](ShownStrategy const& each, std::string_view name) {
    return summary(each.strategy->metrics, name).p50;
  };
  auto const time = [](ShownStrategy const& each) { return makespan_of(each).middle; };
  constexpr double as_many = 0.9;
  double const enough = as_many * value(shown.front(), "succeeded");
  if (value(one, "succeeded") < enough) return false;
  return std::none_of(shown.begin(), shown.end(), [&](ShownStrategy const& other) {
    return value(other, "succeeded") >= enough && time(other) < time(one) &&
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
  std::size_t never = 0;
  for (auto const& each : shown) {
    auto const makespan = makespan_of(each);
    auto const badput = summary(each.strategy->metrics, "badput_s");
    never += std::isinf(makespan.middle) ? 1 : 0;
    if (!std::isfinite(makespan.middle) || badput.n == 0) continue;
    bool const is_efficient = efficient(each, shown);
    if (is_efficient) front.push_back(each.label);
    figure.data.rows.push_back({each.label, makespan.middle, badput.p50, makespan.low,
                                makespan.high, badput.p05, badput.p95,
                                is_efficient ? "yes" : "no"});
  }
  constexpr std::size_t most_named = 5;
  figure.says = fmt::format(
      "Among those under which at least 90 % as many jobs succeed as under the first, no other has "
      "both less makespan and less badput than {}.",
      front.empty() ? "any" : list_text(front));
  if (front.size() > most_named) {
    figure.says = fmt::format(
        "{} of {} strategies are such that no other has both less makespan and less badput.",
        front.size(), shown.size());
  }
  if (never > 0) {
    figure.says +=
        fmt::format(" Not drawn, as the wanted jobs never finish: {} of {}.", never, shown.size());
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

namespace {

/// Each strategy under each explanation, a row each.
ReportTable regret_rows(Result const& result) {
  auto const& verdict = *result.verdict;
  ReportTable table{
      "regrets",
      "Cost of each choice under each explanation",
      {columns(text_column("strategy"), text_column("explanation"),
               number_column("posterior", "posterior", "%"),
               number_column("cost", "GPU hours for each success, sum over sum"),
               number_column("badput_s", "badput, median", "s"),
               number_column("succeeded", "successes, median", "jobs"),
               number_column("makespan_s", "makespan, median", "s"),
               number_column("regret", "GPU hours a success more than the best there"),
               text_column("standing"))},
      "Regret is the cost of a strategy beyond that of the best one under that explanation."};
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    for (std::size_t h = 0; h < verdict.states.size(); ++h) {
      auto const& state = verdict.states[h];
      bool const rivals = h < result.hypotheses.size();
      auto const& lived = rivals ? result.hypotheses[h].strategies[s] : result.strategies[s];
      bool const best = std::find(state.best.begin(), state.best.end(), s) != state.best.end();
      bool const few = state.rank[s] == study::Rank::too_few_succeed;
      table.data.rows.push_back(
          {result.strategies[s].name, rivals ? std::string(hypothesis_title(state.name)) : "all",
           100 * state.posterior, state.cost[s], summary(lived.metrics, "badput_s").p50,
           summary(lived.metrics, "succeeded").p50, summary(lived.metrics, "makespan_s").p50,
           state.regret[s],
           std::string(best  ? "best"
                       : few ? "too few succeed"
                             : "")});
    }
  }
  return table;
}

ReportTable observation_rows(Result const& result) {
  ReportTable table{
      "observations",
      "Observations that separate the explanations",
      {columns(text_column("observation"), number_column("jobs", "jobs to run"),
               number_column("saving", "expected saving, GPU hours a success"),
               number_column("lo", "95 % interval, low"),
               number_column("hi", "95 % interval, high"),
               text_column("outcomes", "possible results, and the best then"))},
      "The saving is the expected reduction of the regret, before the observation is made."};
  for (auto const& observation : result.observations) {
    table.data.rows.push_back({observation_words(result, observation),
                               static_cast<double>(observation.jobs), observation.saving,
                               observation.saving_ci95.low, observation.saving_ci95.high,
                               outcome_words(result, observation)});
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
    text += fmt::format("{}{} ({}): {}; GPU hours for each success {}.", text.empty() ? "" : " ",
                        each.name, both ? "best, and the baseline" : mark,
                        to_text(outcome, time_words(outcome)), range(ledger::deciding_metric));
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

}  // namespace

std::vector<ReportSection> verdict_sections(std::vector<Result> const& results) {
  std::vector<ReportSection> sections;
  for (auto const& result : results) {
    if (!result.verdict) continue;
    std::string const number = sections.empty() ? "" : "-" + std::to_string(sections.size());
    ReportSection section{"verdict" + number, "The verdict"};
    auto figure = intervals(results, result);
    figure.id += number;
    if (!figure.data.rows.empty()) section.figures.push_back(std::move(figure));
    section.table = regret_rows(result);
    sections.push_back(std::move(section));
    if (result.observations.empty()) continue;
    ReportSection next{"observations" + number, "Deciding observations"};
    next.table = observation_rows(result);
    sections.push_back(std::move(next));
  }
  return sections;
}

}  // namespace gridcast::report
