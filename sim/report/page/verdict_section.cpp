#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/page/report_page.hpp"
#include "sim/report/page/shown.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/verdict_text.hpp"

namespace gridcast::report {
namespace {

/// Each strategy under each explanation, a row each.
ReportTable regret_rows(Result const& result) {
  auto const& verdict = *result.verdict;
  ReportTable table{
      "regrets",
      "What each choice costs under each explanation",
      {columns(text_column("strategy"), text_column("explanation"),
               number_column("posterior", "posterior", "%"),
               number_column("cost", "GPU hours for each success, sum over sum"),
               number_column("badput_s", "badput, median", "s"),
               number_column("succeeded", "successes, median", "jobs"),
               number_column("makespan_s", "makespan, median", "s"),
               number_column("regret", "GPU hours a success more than the best there"),
               text_column("standing"))},
      "Regret is what a strategy costs more than the best one under that explanation."};
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
      "What would tell the explanations apart",
      {columns(text_column("observation"), number_column("jobs", "jobs to run"),
               number_column("saving", "expected saving, GPU hours a success"),
               number_column("lo", "95 % interval, low"),
               number_column("hi", "95 % interval, high"),
               text_column("outcomes", "what it may show, and what is then best"))},
      "The saving is of the regret to expect, before it is known what the observation shows."};
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
    text += fmt::format("{}{} ({}): GPU hours for each success {}; ends after {}.",
                        text.empty() ? "" : " ", each.name, both ? "best, and the baseline" : mark,
                        range("gpu_hours_per_success"), range("makespan_s"));
  }
  if (drawn == result.strategies.size()) return text;
  return text + fmt::format(
                    " {} of {} strategies are drawn: not those under which too few jobs "
                    "succeed, and at most {}.",
                    drawn, result.strategies.size(), most_drawn);
}

/// A row for each figure that the reader may pick, that which the verdict goes by first.
void add_intervals(ReportFigure& figure, Result const& result, ResultStrategy const& strategy) {
  for (std::string_view const name :
       {"gpu_hours_per_success", "makespan_s", "badput_s", "succeeded", "goodput_fraction"}) {
    auto const words = words_of(name);
    auto const sum = summary(strategy.metrics, name);
    if (sum.n == 0) continue;
    double const scale = words.unit == Unit::percent ? 100 : 1;
    std::string const unit = name.ends_with("_s") ? "s" : std::string(unit_text(words.unit));
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
    ReportSection next{"observations" + number, "What would decide"};
    next.table = observation_rows(result);
    sections.push_back(std::move(next));
  }
  return sections;
}

}  // namespace gridcast::report
