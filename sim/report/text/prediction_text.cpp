#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

/// Fewer successful jobs than this are shown one by one.
constexpr std::size_t few_jobs = 10;

/// A forecast's makespan is the time until the wanted jobs have finished (brief.hpp), which may be
/// never. That of a record ends with its last event, also in simulated campaigns.
FigureWords words_in_forecast(std::string_view name, TimeScale scale) {
  auto words = words_of(name, scale);
  if (name == "makespan_s") words.words = "until the last job ended";
  return words;
}

/// Nothing to show: the figure is not available, or zero in all replicas.
bool is_empty(study::Summary const& summary) {
  return summary.n == 0 || (summary.mean == 0 && summary.sd == 0);
}

std::string figures_table(Result const& result, Screen const& screen) {
  TimeScale const scale = time_scale(result);
  TextTable table("predicted||>median|>5 %|>95 %|>mean, with its 95 % interval");
  for (auto const& name : ledger::metric_names(ledger::MetricScope::replica)) {
    auto const figure = summary(result.strategies.front().metrics, name);
    if (is_empty(figure)) continue;
    auto const words = words_in_forecast(name, scale);
    auto const text = [&](double x) { return number_text(x, words.unit); };
    auto const ratio = result.strategies.front().pooled.find(name);
    bool const is_ratio = ratio != result.strategies.front().pooled.end();
    auto const& error_of_mean = is_ratio ? ratio->second.ci95 : figure.mean_ci95;
    double const mean = is_ratio ? ratio->second.ratio : figure.mean;
    std::string const error =
        std::isnan(error_of_mean.low) ? "" : " ±" + error_text(error_of_mean, words.unit);
    table.add_row({with_hours_name(words.words, result.without_gpus),
                   std::string(unit_text(words.unit)), text(figure.p50), text(figure.p05),
                   text(figure.p95), text(mean) + error});
  }
  return table.str(screen) +
         fitted(with_hours_name("Mean: of goodput and GPU hours for each success, sum over sum. "
                                "Without an error where all campaigns are alike.\n",
                                result.without_gpus),
                screen);
}

/// "; prior 19 %, ln Bayes factor +0.10".
std::string prior_words(ResultHypothesis const& each) {
  if (!std::isfinite(each.prior) || !std::isfinite(each.log_bayes_factor)) return "";
  return fmt::format("; prior {}, ln Bayes factor {:+.2f}", share_text(each.prior),
                     each.log_bayes_factor);
}

std::string hypotheses_table(Result const& result, Screen const& screen) {
  std::string columns = "by cause of stalls|";
  std::string legend;
  for (auto const& each : result.hypotheses) {
    columns.append("|>").append(hypothesis_title(each.name));
    legend +=
        fmt::format("{}: {} ({} of the campaigns{}).\n", hypothesis_title(each.name),
                    hypothesis_words(each.name), share_text(each.posterior), prior_words(each));
  }
  TextTable table(columns);
  for (ledger::Metric const* metric : ledger::metrics_shown(ledger::ShownIn::explanations)) {
    auto const words = words_in_forecast(metric->name, time_scale(result));
    std::vector<std::string> row = {with_hours_name(words.words, result.without_gpus),
                                    std::string(unit_text(words.unit))};
    for (auto const& each : result.hypotheses) {
      row.emplace_back(
          number_text(summary(each.strategies.front().metrics, metric->name).p50, words.unit));
    }
    table.add_row(std::move(row));
  }
  return table.str(screen) +
         fitted(
             "Medians; --json has the ranges. The record does not separate the causes:\n" + legend,
             screen);
}

std::string placed_figures(study::RecordComparison const& against, TimeScale scale,
                           Screen const& screen) {
  TextTable table("observed||>observed|>predicted (5 %..95 %)|>percentile|in central 90 %");
  for (auto const& placed : against.figures) {
    if (placed.observed == 0 && is_empty(placed.predicted)) continue;
    auto const words = words_in_forecast(placed.name, scale);
    table.add_row({std::string(words.words), std::string(unit_text(words.unit)),
                   number_text(placed.observed, words.unit),
                   spread_text(placed.predicted.range(), words.unit),
                   share_text(placed.percentile_rank), placed.inside ? "yes" : "NO"});
  }
  return table.str(screen);
}

std::string each_execution(std::vector<study::PlacedExecution> const& executions, Unit unit,
                           Screen const& screen) {
  TextTable table(fmt::format("execution of job|site|>{}|>{}|>difference",
                              fmt::format("observed {}", unit_text(unit)),
                              fmt::format("predicted {}", unit_text(unit))));
  for (auto const& each : executions) {
    double const relative = each.observed_s / each.predicted_s - 1;
    table.add_row({each.job, each.site, number_text(each.observed_s, unit),
                   number_text(each.predicted_s, unit), fmt::format("{:+.1f} %", 100 * relative)});
  }
  return table.str(screen);
}

std::string executions_by_site(std::vector<study::PlacedExecution> const& executions, Unit unit,
                               Screen const& screen) {
  struct Site {
    std::size_t jobs = 0, within = 0;
    double predicted_s = 0;
  };
  std::map<std::string, Site> sites;
  for (auto const& each : executions) {
    auto& site = sites[each.site];
    ++site.jobs;
    site.within += each.within ? 1 : 0;
    site.predicted_s = each.predicted_s;
  }
  TextTable table(fmt::format("executions at site|>{}|>jobs|>within 5 %",
                              fmt::format("predicted median {}", unit_text(unit))));
  for (auto const& [name, site] : sites) {
    double const share = static_cast<double>(site.within) / static_cast<double>(site.jobs);
    table.add_row(
        {name, number_text(site.predicted_s, unit), std::to_string(site.jobs), share_text(share)});
  }
  return table.str(screen);
}

std::string against_text(Result const& result, Screen const& screen) {
  study::RecordComparison const& against = *result.against;
  TimeScale const scale = time_scale(result);
  std::string text = placed_figures(against, scale, screen);
  text += fitted(
      fmt::format("{}. {}ercentile: share of the campaigns below the observed value.\n",
                  coverage_text(against),
                  against.through_table ? "Both sides are seen as a job table has them; p" : "P"),
      screen);
  if (against.jobs != result.submitted) {
    text += fitted(fmt::format("Beware: {} jobs were observed and {} are predicted.\n",
                               against.jobs, result.submitted),
                   screen);
  }
  ComparedExecutions const executions = compared_executions(against);
  Unit const unit = words_of("match_to_done_mean_s", scale).unit;
  if (!executions.compared.empty()) {
    bool const few = executions.compared.size() < few_jobs;
    text += "\n" + (few ? each_execution(executions.compared, unit, screen)
                        : executions_by_site(executions.compared, unit, screen));
  }
  std::string const left_out = left_out_text(executions);
  return left_out.empty() ? text : text + fitted(left_out + "\n", screen);
}

std::string replay_header(Result const& result) {
  return fmt::format(
      "Replay of {} recorded jobs under strategy {}{}\n{}\n", result.submitted, result.strategy,
      result.deterministic
          ? fmt::format(": all {} campaigns agree, nothing had to be drawn", result.replicas)
          : fmt::format(", {} campaigns, seed {}", result.replicas, *result.seed),
      incomplete_text(result));
}

/// (value - base) / base, in per cent.
std::string relative_text(double value, double base) {
  if (value == base) return "0 %";
  if (base == 0 || std::isnan(value)) return "-";
  return fmt::format("{:+.3g} %", 100 * (value / base - 1));
}

bool says_nothing(study::PlacedFigure const& row) {
  return row.observed == 0 && (row.predicted.n == 0 || row.predicted.p95 == 0);
}

/// The column beside the replay's figures.
std::string column_of(study::RecordComparison const& observed) {
  return observed.through_table ? "rows" : "record";
}

/// A replay in which nothing had to be drawn has one value of each figure.
std::string replay_table(Result const& result, Screen const& screen) {
  bool const drawn = !result.deterministic;
  std::string columns = fmt::format("figure||>{}|{}", column_of(*result.against),
                                    drawn ? ">replay (5 %..95 %)|>change" : ">replay|>difference");
  auto const hypotheses = drawn ? result.hypotheses : std::vector<ResultHypothesis>();
  for (auto const& each : hypotheses)
    columns += fmt::format("|>{} ({})", hypothesis_title(each.name), share_text(each.posterior));
  TextTable table(columns);
  for (auto const& row : result.against->figures) {
    if (says_nothing(row)) continue;
    auto const words = words_of(row.name);
    std::vector<std::string> cells = {with_hours_name(words.words, result.without_gpus),
                                      std::string(unit_text(words.unit)),
                                      number_text(row.observed, words.unit),
                                      drawn ? spread_text(row.predicted.range(), words.unit)
                                            : number_text(row.predicted.p50, words.unit),
                                      relative_text(row.predicted.p50, row.observed)};
    for (auto const& each : hypotheses) {
      cells.emplace_back(
          spread_text(summary(each.strategies.front().metrics, row.name).range(), words.unit));
    }
    table.add_row(std::move(cells));
  }
  return table.str(screen);
}

}  // namespace

std::string incomplete_text(Result const& result) {
  std::string text;
  if (result.partial) {
    text += fmt::format("PARTIAL: after {} of {} campaigns.\n", result.replicas, result.requested);
  }
  if (!result.failed.empty()) {
    text += counted(result.failed.size(), "campaign") + " failed: not counted.\n";
  }
  return text;
}

std::string prediction_text(Result const& result, Screen const& screen) {
  std::string text = fitted(
      fmt::format("{}\n{}, strategy {}, {} campaigns, seed {}\n{}\n", result.title, result.scenario,
                  result.strategy, result.replicas, *result.seed, incomplete_text(result)),
      screen);
  if (result.replicas == 0) return text + "No campaign was finished.\n";
  if (!result.simplified.empty()) text += fitted(result.simplified + "\n", screen) + "\n";
  for (auto const& sentence : standing_sentences(result)) {
    text += fitted(sentence + "\n", screen) + "\n";
  }
  if (result.against) text += against_text(result, screen) + "\n";
  text += figures_table(result, screen) + deadline_text(result, screen);
  if (!result.hypotheses.empty()) text += "\n" + hypotheses_table(result, screen);
  auto const spread = spread_sentence(result, result.strategies.front());
  if (!spread.empty()) text += fitted(spread + "\n", screen);
  return text + critical_path_text(result.critical_path, "of the typical campaign", screen);
}

std::string replay_text(Result const& result, Screen const& screen) {
  std::string const head = fitted(replay_header(result), screen);
  if (result.replicas == 0) return head + "No campaign was finished.\n";
  return head + replay_table(result, screen);
}

std::string coverage_text(study::RecordComparison const& against) {
  std::size_t inside = 0, foregone = 0;
  for (study::PlacedFigure const& figure : against.figures) {
    study::Summary const& predicted = figure.predicted;
    if (predicted.p05 == predicted.p95 && predicted.p05 == figure.observed) {
      ++foregone;
    } else if (figure.inside) {
      ++inside;
    }
  }
  std::string text = fmt::format("{} of {} observed figures lie in the central 90 %", inside,
                                 against.figures.size() - foregone);
  if (foregone == 0) return text;
  return text + fmt::format(", and {} more {} the same in all campaigns and in the record",
                            foregone, foregone == 1 ? "is" : "are");
}

ComparedExecutions compared_executions(study::RecordComparison const& against) {
  ComparedExecutions executions;
  for (study::PlacedExecution const& each : against.executions) {
    if (std::isnan(each.predicted_s)) {
      ++executions.left_out;
    } else {
      executions.compared.push_back(each);
    }
  }
  return executions;
}

std::string left_out_text(ComparedExecutions const& executions) {
  if (executions.left_out == 0) return "";
  return fmt::format("{} at sites where the forecast has no success {} not compared.",
                     counted(executions.left_out, "execution"),
                     executions.left_out == 1 ? "is" : "are");
}

}  // namespace gridcast::report
