#include "sim/report/text/study_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/base/units.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"

namespace gridcast::report {
namespace {

std::string title_of(std::string_view figure, TimeScale scale) {
  std::string const heading(ledger::find_metric(figure)->heading);
  Unit const unit = words_of(figure, scale).unit;
  return unit == Unit::jobs || unit == Unit::ratio ? heading
                                                   : heading + " " + std::string(unit_text(unit));
}

std::string comparison_header(Result const& result) {
  return fmt::format("{}\n{}{}\n{}: {} strategies, {} campaigns each, seed {}\n{}\n", result.title,
                     result.question, result.question.empty() ? "" : "\n", result.scenario,
                     result.strategies.size(), result.replicas, *result.seed,
                     incomplete_text(result));
}

/// The makespan is the time until the wanted jobs have finished.
bool is_makespan(std::string_view figure) { return figure == "makespan_s"; }

/// A row a strategy, a column each of the compared figures in its unit. Quotients have tables of
/// their own, and a screen has no room for them.
std::string levels(Result const& result, Screen const& screen) {
  TimeScale const scale = time_scale(result);
  std::vector<std::string> figures;
  std::string columns = "strategy";
  for (auto const& each : study::compared_figures()) {
    if (!ledger::find_metric(each.name)->ratio.top.empty()) continue;
    figures.emplace_back(each.name);
    columns += "|>" + title_of(each.name, scale);
  }
  TextTable table(columns);
  for (auto const& strategy : result.strategies) {
    std::vector<std::string> row = {strategy.name};
    for (auto const& figure : figures) {
      auto const range = is_makespan(figure) ? outcome_of(result, strategy).makespan
                                             : summary(strategy.metrics, figure).range();
      row.push_back(spread_text(range, words_of(figure, scale).unit));
    }
    table.add_row(std::move(row));
  }
  return table.str(screen);
}

/// The pooled ratio, and the median of other figures.
std::string level_text(Result const& result, ResultStrategy const& strategy,
                       std::string const& figure, Unit unit) {
  auto const ratio = strategy.pooled.find(figure);
  double const level = is_makespan(figure) ? outcome_of(result, strategy).makespan.middle
                       : ratio == strategy.pooled.end() ? summary(strategy.metrics, figure).p50
                                                        : ratio->second.ratio;
  return std::isfinite(level) ? number_text(level, unit) : std::isnan(level) ? "-" : "never";
}

/// "+3.1"; "never" if only the strategy never gets there, "ends" if only the baseline does not.
std::string paired_text(double difference, Unit unit) {
  if (std::isinf(difference)) return difference > 0 ? "never" : "ends";
  return signed_text(difference, unit);
}

/// One figure of the strategies that are to choose: how they differ from the baseline.
std::string difference_table(Result const& result, std::string const& figure,
                             Screen const& screen) {
  auto const words = words_of(figure, time_scale(result));
  TextTable table(
      fmt::format("{}|>median|>difference (5..95 %)|>pairs|>better in",
                  with_hours_name(title_of(figure, time_scale(result)), result.without_gpus)));
  for (auto const& strategy : result.strategies) {
    if (strategy.rank != study::Rank::ranked) continue;
    auto const text = level_text(result, strategy, figure, words.unit);
    if (strategy.name == result.baseline) {
      table.add_row({strategy.name, text, "", "", ""});
      continue;
    }
    auto const& paired = strategy.versus_baseline.at(figure);
    auto const number = [&](double x) { return paired_text(x, words.unit); };
    table.add_row(
        {strategy.name, text,
         fmt::format("{} ({}..{})", number(paired.p50), number(paired.p05), number(paired.p95)),
         std::to_string(paired.n), chance_text(paired.better)});
  }
  return table.str(screen);
}

std::string differences(Result const& result, Screen const& screen) {
  std::string text;
  for (ledger::Metric const* metric : ledger::metrics_shown(ledger::ShownIn::differences)) {
    text += difference_table(result, std::string(metric->name), screen);
  }
  return text +
         fitted(
             with_hours_name(
                 fmt::format(
                     "Differences to {} in pairs of campaigns with the same random numbers: median "
                     "and central 90 %. GPU h/success itself is sum over sum. Badput: only where at "
                     "least 90 % as many jobs succeed as under the baseline. A makespan lasts until "
                     "the wanted jobs finish: 'never' if only the baseline gets there, 'ends' "
                     "if only the strategy does.\n",
                     result.baseline),
                 result.without_gpus),
             screen);
}

/// The probabilities of the explanations, above the strategies.
void add_weights(TextTable& table, std::vector<ResultHypothesis> const& explanations) {
  auto const row = [&](char const* what, auto const& cell) {
    std::vector<std::string> cells = {what};
    for (auto const& each : explanations) cells.emplace_back(cell(each));
    table.add_row(std::move(cells));
  };
  row("prior", [](auto const& each) { return share_text(each.prior); });
  row("ln Bayes factor", [](auto const& each) {
    return std::isfinite(each.log_bayes_factor) ? fmt::format("{:+.2f}", each.log_bayes_factor)
                                                : std::string("-");
  });
  row("posterior", [](auto const& each) { return share_text(each.posterior); });
}

/// GPU hours for each success and successes under each explanation.
std::string by_hypothesis(Result const& result, Screen const& screen) {
  std::string const figure(ledger::deciding_metric);
  std::string columns = with_hours_name("GPU h/success / succeeded", result.without_gpus);
  for (auto const& each : result.hypotheses) {
    columns.append("|>").append(hypothesis_title(each.name));
  }
  TextTable table(columns);
  add_weights(table, result.hypotheses);
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    std::vector<std::string> row = {result.strategies[s].name};
    for (std::size_t h = 0; h < result.hypotheses.size(); ++h) {
      auto const& strategy = result.hypotheses[h].strategies[s];
      auto const cost = strategy.pooled.find(figure);
      bool const known = cost != strategy.pooled.end() && std::isfinite(cost->second.ratio);
      row.emplace_back(
          fmt::format("{}{} / {}", is_best_under(result, s, h) ? "*" : "",
                      known ? number_text(cost->second.ratio, Unit::ratio) : "-",
                      number_text(summary(strategy.metrics, "succeeded").p50, Unit::jobs)));
    }
    table.add_row(std::move(row));
  }
  return table.str(screen);
}

std::string legend(Result const& result) {
  std::string text = with_hours_name(
      "*: best for the goal there. GPU hours for each success: sum over sum; successes: median "
      "over the campaigns of each explanation.\n",
      result.without_gpus);
  for (auto const& each : result.hypotheses) {
    text += fmt::format("{}: {}.\n", hypothesis_title(each.name), hypothesis_words(each.name));
  }
  return text;
}

constexpr std::size_t most_steps = 10;

/// From many steps, those that took longest, in the order of time.
std::vector<std::size_t> shown_steps(std::vector<study::CriticalStep> const& path) {
  std::vector<std::size_t> steps(path.size());
  std::iota(steps.begin(), steps.end(), std::size_t{0});
  if (steps.size() <= most_steps) return steps;
  std::stable_sort(steps.begin(), steps.end(), [&](std::size_t a, std::size_t b) {
    return path[a].ended - path[a].submitted > path[b].ended - path[b].submitted;
  });
  steps.resize(most_steps);
  std::sort(steps.begin(), steps.end());
  return steps;
}

}  // namespace

std::string comparison_text(Result const& result, Screen const& screen) {
  std::string const head = fitted(comparison_header(result), screen);
  if (result.replicas == 0) return head + "No campaign was finished under every strategy.\n";
  auto const line = [&](std::string_view words) { return fitted(words, screen) + "\n"; };
  std::string text = head + verdict_text(result, screen) + "\n" + levels(result, screen) +
                     line("Median (5 %..95 %) over campaigns.") + differences(result, screen);
  auto const deadline = deadline_text(result, screen);
  if (!deadline.empty()) text += "\n" + deadline;
  if (!result.hypotheses.empty()) {
    text += "\n" + by_hypothesis(result, screen) + fitted(legend(result), screen);
  }
  auto const spread = spread_sentence(result, *baseline(result));
  return spread.empty() ? text : text + line(result.baseline + ": " + spread);
}

std::string deadline_text(Result const& result, Screen const& screen) {
  auto const* first = baseline(result);
  if (!asked_deadline(result) || first == nullptr) return "";
  if (!first->finish) {
    return fitted("The deadline cannot be checked: no campaign has dates.\n", screen);
  }
  std::string const what = fmt::format(
      "A deadline of {} is met where {} job{} succeeded by then, the wanted share of the campaign",
      to_text(*asked_deadline(result)), first->finish->wanted,
      first->finish->wanted == 1 ? " has" : "s have");
  if (result.strategies.size() == 1) {
    return fitted(fmt::format("{}: in {} of the campaigns.\n", what,
                              chance_text(met_by(result, *first, *asked_deadline(result)))),
                  screen);
  }
  TextTable table(fmt::format("strategy|>{} succeeded by {}", first->finish->wanted,
                              to_text(*asked_deadline(result))));
  for (auto const& strategy : result.strategies) {
    table.add_row({strategy.name, chance_text(met_by(result, strategy, *asked_deadline(result)))});
  }
  return table.str(screen) + fitted(what + ". Share of the campaigns, ± binomial error.\n", screen);
}

std::string critical_path_text(std::vector<study::CriticalStep> const& path, std::string const& of,
                               Screen const& screen) {
  if (path.empty()) return "";
  Seconds waiting, computing, lost, other;
  for (study::CriticalStep const& step : path) {
    waiting += step.waiting;
    computing += step.computing;
    lost += step.lost;
    other += step.other;
  }
  std::string text =
      "\n" +
      fitted(fmt::format("Critical path {}: {} {} one after the other, {} from the "
                         "first's submission to "
                         "the last's end\n"
                         "  computing {}, waiting in the queue {}, in attempts that failed {}, "
                         "transfers and set-up {}\n",
                         of, path.size(), path.size() == 1 ? "submission" : "submissions",
                         to_text(path.back().ended - path.front().submitted), to_text(computing),
                         to_text(waiting), to_text(lost), to_text(other)),
             screen);
  auto const shown = shown_steps(path);
  if (shown.size() < path.size()) text += fmt::format("  The {} longest of them:\n", shown.size());
  TextTable table("submission|>took|>attempts|>computing|>waiting|>in failed attempts");
  for (std::size_t const i : shown) {
    study::CriticalStep const& step = path[i];
    table.add_row({step.name, to_text(step.ended - step.submitted), std::to_string(step.attempts),
                   to_text(step.computing), to_text(step.waiting), to_text(step.lost)});
  }
  return text + table.str(screen, 2);
}

}  // namespace gridcast::report
