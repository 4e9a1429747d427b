#include "sim/report/view/prediction.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/view/comparison.hpp"
#include "sim/report/view/verdict.hpp"

namespace gridcast::report {
namespace {

/// Fewer successful jobs than this are shown one by one.
constexpr std::size_t few_jobs = 10;

Section prediction_header(Result const& result) {
  return Section{}
      .say(result.title)
      .say(fmt::format("{}, strategy {}, {} replicas, seed {}", result.scenario, result.strategy,
                       result.replicas, *result.seed))
      .append(incomplete(result));
}

/// The figure is not available, or zero in all replicas.
bool is_empty(study::Summary const& summary) {
  return summary.n == 0 || (summary.mean == 0 && summary.sd == 0);
}

/// "bad path (50 %)".
std::string title_of(ResultHypothesis const& each) {
  return fmt::format("{} ({})", hypothesis_title(each.name), share_text(each.posterior));
}

/// "; prior 19 %, ln Bayes factor +0.10".
std::string prior_words(ResultHypothesis const& each) {
  if (!std::isfinite(each.prior) || !std::isfinite(each.log_bayes_factor)) return "";
  return fmt::format("; prior {}, ln Bayes factor {:+.2f}", share_text(each.prior),
                     each.log_bayes_factor);
}

Section by_hypothesis(Result const& result) {
  Section section{"hypotheses", "By what makes transfers stall"};
  if (result.hypotheses.empty()) return section;
  std::vector<TextColumn> columns = {{"by what makes transfers stall"}, {""}};
  std::string legend = "Median and central 90 %. The record cannot tell which it was:";
  for (auto const& each : result.hypotheses) {
    columns.push_back({title_of(each), Align::right});
    legend +=
        fmt::format("\n{}: {} ({} of the replicas{}).", hypothesis_title(each.name),
                    hypothesis_words(each.name), share_text(each.posterior), prior_words(each));
  }
  TextTable table(std::move(columns));
  for (ledger::Metric const* metric : ledger::metrics_shown(&ledger::ShownIn::explanations)) {
    auto const words = words_of(metric->name, time_scale(result));
    std::vector<TextCell> row = {std::string(words.words), std::string(unit_text(words.unit))};
    for (auto const& each : result.hypotheses) {
      row.emplace_back(
          spread_text(summary(each.strategies.front().metrics, metric->name), words.unit));
    }
    table.add_row(std::move(row));
  }
  return section.show(std::move(table)).say(legend);
}

TextTable placed_figures(study::RecordComparison const& against, TimeScale scale) {
  TextTable table(
      text_columns("observed||>observed|>predicted (5 %..95 %)|>percentile|in central 90 %"));
  for (auto const& placed : against.figures) {
    if (placed.observed == 0 && is_empty(placed.predicted)) continue;
    auto const words = words_of(placed.name, scale);
    table.add_row({std::string(words.words), std::string(unit_text(words.unit)),
                   number_text(placed.observed, words.unit),
                   spread_text(placed.predicted, words.unit), share_text(placed.percentile_rank),
                   placed.inside ? "yes" : "NO"});
  }
  return table;
}

using Executions = std::vector<study::PlacedExecution>;

TextTable each_execution(Executions const& executions, Unit unit) {
  TextTable table(text_columns(fmt::format(
      "execution of job|site|>observed {0}|>predicted {0}|>difference", unit_text(unit))));
  for (auto const& each : executions) {
    double const relative = each.observed_s / each.predicted_s - 1;
    table.add_row({each.job, each.site, number_text(each.observed_s, unit),
                   number_text(each.predicted_s, unit), fmt::format("{:+.1f} %", 100 * relative)});
  }
  return table;
}

TextTable executions_by_site(Executions const& executions, Unit unit) {
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
  TextTable table(text_columns(
      fmt::format("executions at site|>predicted median {}|>jobs|>within 5 %", unit_text(unit))));
  for (auto const& [name, site] : sites) {
    double const share = static_cast<double>(site.within) / static_cast<double>(site.jobs);
    table.add_row(
        {name, number_text(site.predicted_s, unit), std::to_string(site.jobs), share_text(share)});
  }
  return table;
}

/// The executions of sites where the forecast has a success, and the number of the others.
void add_executions(Section& section, study::RecordComparison const& against, Unit unit) {
  Executions compared = against.executions;
  std::erase_if(compared, [](auto const& each) { return std::isnan(each.predicted_s); });
  if (!compared.empty()) {
    section.gap().show(compared.size() < few_jobs ? each_execution(compared, unit)
                                                  : executions_by_site(compared, unit));
  }
  auto const left_out = against.executions.size() - compared.size();
  if (left_out == 0) return;
  section.say(fmt::format("{} at sites where the forecast has no success {} not compared.",
                          counted(left_out, "execution"), left_out == 1 ? "is" : "are"));
}

Section replay_header(Result const& result) {
  return Section{}
      .say(fmt::format(
          "Replay of {} recorded jobs under strategy {}{}", result.submitted, result.strategy,
          result.deterministic
              ? fmt::format(": all {} replicas agree, nothing had to be drawn", result.replicas)
              : fmt::format(", {} replicas, seed {}", result.replicas, *result.seed)))
      .append(incomplete(result));
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

/// What stands beside the replay's figures.
std::string column_of(study::RecordComparison const& observed) {
  return observed.through_table ? "rows" : "record";
}

TextTable agreeing(study::RecordComparison const& rows) {
  TextTable table(text_columns("figure||>" + column_of(rows) + "|>replay|>difference"));
  for (auto const& row : rows.figures) {
    if (says_nothing(row)) continue;
    auto const words = words_of(row.name);
    table.add_row({std::string(words.words), std::string(unit_text(words.unit)),
                   number_text(row.observed, words.unit),
                   number_text(row.predicted.p50, words.unit),
                   relative_text(row.predicted.p50, row.observed)});
  }
  return table;
}

TextTable differing(Result const& result) {
  auto columns =
      text_columns("figure||>" + column_of(*result.against) + "|>replay (5 %..95 %)|>change");
  for (auto const& each : result.hypotheses) columns.push_back({title_of(each), Align::right});
  TextTable table(std::move(columns));
  for (auto const& row : result.against->figures) {
    if (says_nothing(row)) continue;
    auto const words = words_of(row.name);
    std::vector<TextCell> cells = {std::string(words.words), std::string(unit_text(words.unit)),
                                   number_text(row.observed, words.unit),
                                   spread_text(row.predicted, words.unit),
                                   relative_text(row.predicted.p50, row.observed)};
    for (auto const& each : result.hypotheses) {
      cells.emplace_back(
          spread_text(summary(each.strategies.front().metrics, row.name), words.unit));
    }
    table.add_row(std::move(cells));
  }
  return table;
}

}  // namespace

Section figures(Result const& result) {
  TimeScale const scale = time_scale(result);
  TextTable table(text_columns("predicted||>median|>5 %|>95 %|>mean, with its 95 % interval"));
  for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
    auto const figure = summary(result.strategies.front().metrics, name);
    if (is_empty(figure)) continue;
    auto const words = words_of(name, scale);
    auto const text = [&](double x) { return number_text(x, words.unit); };
    auto const ratio = result.strategies.front().pooled.find(name);
    bool const is_ratio = ratio != result.strategies.front().pooled.end();
    auto const& error_of_mean = is_ratio ? ratio->second.ci95 : figure.mean_ci95;
    double const mean = is_ratio ? ratio->second.ratio : figure.mean;
    std::string const error =
        std::isnan(error_of_mean.low) ? "" : " ±" + error_text(error_of_mean, words.unit);
    table.add_row({std::string(words.words), std::string(unit_text(words.unit)), text(figure.p50),
                   text(figure.p05), text(figure.p95), text(mean) + error});
  }
  return Section{"figures", "Every figure"}
      .show(std::move(table))
      .say(
          "Mean: of goodput and GPU hours for each success, sum over sum. Without an error where "
          "all replicas are alike.");
}

Section incomplete(Result const& result) {
  Section section;
  if (result.partial) {
    section.say(
        fmt::format("PARTIAL: after {} of {} replicas.", result.replicas, result.requested));
  }
  if (result.failed.empty()) return section;
  return section.say(fmt::format("{} replicas failed and are not counted.", result.failed.size()));
}

Section against_record(Result const& result) {
  study::RecordComparison const& against = *result.against;
  TimeScale const scale = time_scale(result);
  Section section{"observed-and-predicted", "Observed and predicted"};
  section.show(placed_figures(against, scale))
      .say(fmt::format(
          "{}. {}ercentile: share of the replicas below the observed value.",
          coverage_text(against),
          against.through_table ? "Both sides are seen as a job table has them; p" : "P"));
  // A result that was read has its number of jobs in its figures.
  std::size_t const predicted = result.submitted > 0 ? result.submitted : jobs(result);
  if (against.jobs != predicted) {
    section.say(fmt::format("Beware: {} jobs were observed and {} are predicted.", against.jobs,
                            predicted));
  }
  add_executions(section, against, words_of("match_to_done_mean_s", scale).unit);
  return section;
}

std::vector<Section> prediction_sections(Result const& result) {
  std::vector<Section> sections = {prediction_header(result)};
  if (result.replicas == 0) {
    sections.push_back(Section{}.say("No replica was finished."));
    return sections;
  }
  auto const& strategy = result.strategies.front();
  for (auto const& sentence : standing_sentences(result)) {
    sections.push_back(Section{}.say(sentence));
  }
  if (result.against) sections.push_back(against_record(result));
  sections.push_back(Section{}.draw(
      [&strategy](Screen const& screen) { return finish_plot(strategy.sample, screen); }));
  sections.push_back(figures(result).append(deadline(result)));
  if (!result.hypotheses.empty()) sections.push_back(by_hypothesis(result));
  if (result.conformal_campaigns > 0) {
    sections.back().say(
        fmt::format("90 % intervals are corrected by {} campaigns that took place (conformal).",
                    result.conformal_campaigns));
  }
  sections.back().say(spread_doubt(result, strategy));
  sections.push_back(critical_path(result.critical_path, "of the typical replica"));
  return sections;
}

std::vector<Section> replay_sections(Result const& result) {
  std::vector<Section> sections = {replay_header(result)};
  if (result.replicas == 0) {
    sections.push_back(Section{}.say("No replica was finished."));
  } else {
    sections.push_back(
        Section{}.show(result.deterministic ? agreeing(*result.against) : differing(result)));
  }
  return sections;
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
  return text + fmt::format(", and {} more {} the same in all replicas and in the record", foregone,
                            foregone == 1 ? "is" : "are");
}

}  // namespace gridcast::report
