#include "sim/report/text/prediction_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/ledger/metrics.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/paragraph.hpp"
#include "sim/report/text/study_plots.hpp"
#include "sim/report/text/table.hpp"
#include "sim/study/record.hpp"

namespace gridcast::report {
namespace {

constexpr std::string_view main_figures[] = {"succeeded",          "makespan_s",
                                             "badput_s",           "goodput_fraction",
                                             "transfer_retried_s", "stalls",
                                             "stall_free_share",   "ten_stalls_share",
                                             "stall_dispersion",   "gpu_hours_per_success"};

/// Fewer successful jobs than this are shown one by one.
constexpr std::size_t few_jobs = 10;

std::string header(study::Prediction const& prediction) {
  return fmt::format("{}\n{}, strategy {}, {} replicas, seed {}\n{}\n", prediction.title,
                     prediction.scenario, prediction.strategy, prediction.sample.size(),
                     prediction.seed,
                     incomplete_text(prediction.interrupted, prediction.sample.size(),
                                     prediction.requested, prediction.failed.size()));
}

/// Nothing to tell: the figure is not available, or zero in all replicas.
bool is_empty(study::Summary const& summary) {
  return summary.n == 0 || (summary.mean == 0 && summary.sd == 0);
}

std::string figures_table(study::StudySample const& sample, Screen const& screen) {
  TimeScale const scale = time_scale(sample);
  TextTable table({{"predicted"},
                   {"", Align::left},
                   {"median", Align::right},
                   {"5 %", Align::right},
                   {"95 %", Align::right},
                   {"mean, with its 95 % interval", Align::right}});
  for (auto const& name : ledger::metric_names(ledger::ToldOf::replica)) {
    auto const summary = study::summarise(sample, name);
    if (is_empty(summary)) continue;
    auto const words = words_of(name, scale);
    auto const text = [&](double x) { return number_text(x, words.unit); };
    auto const& [low, high] = summary.mean_ci95;
    table.add_row({std::string(words.words), std::string(unit_text(words.unit)), text(summary.p50),
                   text(summary.p05), text(summary.p95),
                   fmt::format("{} ±{}", text(summary.mean), text((high - low) / 2))});
  }
  return table.str(screen);
}

std::string explanations_table(study::StudySample const& sample, Screen const& screen) {
  std::vector<TextColumn> columns = {{"by what makes transfers stall"}, {""}};
  std::string legend;
  for (auto const& each : study::hypotheses(sample)) {
    std::string const share = share_text(study::posterior_probability(sample, each));
    columns.push_back({fmt::format("{} ({})", hypothesis_title(each), share), Align::right});
    legend += fmt::format("{}: {} ({} of the replicas).\n", hypothesis_title(each),
                          hypothesis_words(each), share);
  }
  TextTable table(std::move(columns));
  TimeScale const scale = time_scale(sample);
  for (auto const name : main_figures) {
    auto const words = words_of(name, scale);
    std::vector<std::string> row = {std::string(words.words), std::string(unit_text(words.unit))};
    for (auto const& each : study::hypotheses(sample)) {
      row.push_back(
          spread_text(study::summarise(study::select_hypothesis(sample, each), name), words.unit));
    }
    table.add_row(std::move(row));
  }
  return table.str(screen) +
         fitted(
             "Median and central 90 %. The record cannot tell which of the two it was:\n" + legend,
             screen);
}

std::string placed_figures(study::RecordComparison const& against, TimeScale scale,
                           Screen const& screen) {
  TextTable table({{"observed"},
                   {""},
                   {"observed", Align::right},
                   {"predicted (5 %..95 %)", Align::right},
                   {"place", Align::right},
                   {"in 90 %"}});
  for (auto const& placed : against.figures) {
    if (placed.observed == 0 && is_empty(placed.predicted)) continue;
    auto const words = words_of(placed.name, scale);
    table.add_row({std::string(words.words), std::string(unit_text(words.unit)),
                   number_text(placed.observed, words.unit),
                   spread_text(placed.predicted, words.unit), share_text(placed.percentile_rank),
                   placed.inside ? "yes" : "NO"});
  }
  return table.str(screen);
}

std::string each_execution(std::vector<study::PlacedExecution> const& executions, Unit unit,
                           Screen const& screen) {
  TextTable table({{"execution of job"},
                   {"site"},
                   {fmt::format("observed {}", unit_text(unit)), Align::right},
                   {fmt::format("predicted {}", unit_text(unit)), Align::right},
                   {"difference", Align::right}});
  for (auto const& each : executions) {
    double const relative = each.observed_s / each.predicted_s - 1;
    table.add_row({each.job, each.site, number_text(each.observed_s, unit),
                   number_text(each.predicted_s, unit),
                   std::isnan(relative) ? "-" : fmt::format("{:+.1f} %", 100 * relative)});
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
  TextTable table({{"executions at site"},
                   {fmt::format("predicted median {}", unit_text(unit)), Align::right},
                   {"jobs", Align::right},
                   {"within 5 %", Align::right}});
  for (auto const& [name, site] : sites) {
    double const share = static_cast<double>(site.within) / static_cast<double>(site.jobs);
    table.add_row(
        {name, number_text(site.predicted_s, unit), std::to_string(site.jobs), share_text(share)});
  }
  return table.str(screen);
}

}  // namespace

std::string incomplete_text(bool interrupted, std::size_t done, std::size_t requested,
                            std::size_t failed) {
  std::string text;
  if (interrupted) {
    text += fmt::format("PARTIAL: interrupted after {} of {} replicas.\n", done, requested);
  }
  if (failed > 0) text += fmt::format("{} replicas failed and are not counted.\n", failed);
  return text;
}

std::string against_text(study::RecordComparison const& against, int predicted_jobs,
                         TimeScale scale, Screen const& screen) {
  std::string text = placed_figures(against, scale, screen);
  auto const inside =
      std::count_if(against.figures.begin(), against.figures.end(),
                    [](study::PlacedFigure const& placed) { return placed.inside; });
  text += fitted(
      fmt::format(
          "{} of {} observed figures lie in the central 90 %. {}lace: share of the replicas below\n"
          "the observed value.\n",
          inside, against.figures.size(),
          against.through_table ? "Both sides are seen as a job table has\nthem; p" : "P"),
      screen);
  if (against.jobs != static_cast<std::size_t>(predicted_jobs)) {
    text += fitted(fmt::format("Beware: {} jobs were observed and {} are predicted.\n",
                               against.jobs, predicted_jobs),
                   screen);
  }
  if (against.executions.empty()) return text;
  bool const few = against.executions.size() < few_jobs;
  Unit const unit = words_of("match_to_done_mean_s", scale).unit;
  return text + "\n" +
         (few ? each_execution(against.executions, unit, screen)
              : executions_by_site(against.executions, unit, screen));
}

std::string prediction_text(study::Prediction const& prediction,
                            std::optional<study::RecordComparison> const& against,
                            Screen const& screen) {
  std::string text = fitted(header(prediction), screen);
  if (prediction.sample.size() == 0) return text + "No replica was finished.\n";
  if (against)
    text += against_text(*against, prediction.jobs, time_scale(prediction.sample), screen) + "\n";
  text += finish_plot(prediction.sample, screen) + figures_table(prediction.sample, screen);
  if (!study::hypotheses(prediction.sample).empty())
    text += "\n" + explanations_table(prediction.sample, screen);
  return text;
}

}  // namespace gridcast::report
