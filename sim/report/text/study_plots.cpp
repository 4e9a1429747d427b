#include "sim/report/text/study_plots.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/units.hpp"
#include "sim/report/text/characters.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/table.hpp"

namespace gridcast::report {
namespace {

constexpr std::string_view deciding = "gpu_hours_per_success";
constexpr std::string_view difference_title = "difference, GPU h/success";

/// What names and numbers leave of the screen.
std::size_t plot_cells(study::Comparison const& comparison, Screen const& screen) {
  constexpr std::size_t numbers = 22, most_of_name = 30, least = 20, most = 50;
  std::size_t name = text_width(difference_title);
  for (auto const& each : comparison.strategies) name = std::max(name, text_width(each));
  std::size_t const taken = std::min(name, most_of_name) + numbers;
  return std::clamp(screen.width > taken ? screen.width - taken : 0, least, most);
}

/// The strategy that is most often best, and the baseline, stand out.
std::vector<Style> styles(study::Comparison const& paired, study::ComparedFigure const& figure) {
  std::vector<Style> styles(paired.strategies.size(), Style::plain);
  styles[paired.baseline] = Style::strong;
  auto const shares = study::probability_best(paired, figure);
  auto const best = std::max_element(shares.begin(), shares.end());
  bool const any = best != shares.end() && *best > 0;
  if (any) styles[static_cast<std::size_t>(best - shares.begin())] = Style::good;
  return styles;
}

TextTable plot_table(std::string const& title, std::string const& axis, std::string const& column) {
  return TextTable({{title}, {axis}, {column, Align::right}});
}

/// Median and central 90 % of a figure under each strategy.
std::string levels_plot(study::Comparison const& all, study::Comparison const& paired,
                        std::string const& title, study::ComparedFigure const& figure,
                        Screen const& screen) {
  Unit const unit = words_of(figure.name, time_scale(all.samples[all.baseline])).unit;
  std::vector<study::Summary> summaries;
  Axis axis = {0, 0};
  for (auto const& sample : all.samples) {
    summaries.push_back(study::summarise(sample, figure.name));
    if (summaries.back().n > 0) axis.most = std::max(axis.most, summaries.back().p95);
  }
  std::size_t const cells = plot_cells(all, screen);
  auto table =
      plot_table(title, axis_line("0", number_text(axis.most, unit), cells), "median (5..95 %)");
  auto const style = styles(paired, figure);
  for (std::size_t s = 0; s < summaries.size(); ++s) {
    auto const& [low, middle, high] =
        std::tie(summaries[s].p05, summaries[s].p50, summaries[s].p95);
    auto const line = summaries[s].n == 0
                          ? std::string()
                          : interval_line({low, middle, high}, axis, cells, screen.charset);
    table.add_row({TextCell(all.strategies[s], style[s]), TextCell::drawing(line, style[s]),
                   spread_text(summaries[s], unit)});
  }
  return table.str(screen);
}

std::string differences_plot(study::Comparison const& paired, Screen const& screen) {
  Unit const unit = words_of(deciding).unit;
  std::vector<study::PairedDifference> differences;
  Axis axis = {0, 0};
  for (std::size_t s = 0; s < paired.strategies.size(); ++s) {
    differences.push_back(study::difference(paired, s, deciding));
    auto const& [low, high] = differences.back().ci95;
    if (std::isnan(low) || std::isnan(high)) continue;
    axis.least = std::min(axis.least, low);
    axis.most = std::max(axis.most, high);
  }
  std::size_t const cells = plot_cells(paired, screen);
  auto const ends = axis_line(signed_text(axis.least, unit), signed_text(axis.most, unit), cells);
  auto table = plot_table(std::string(difference_title), ends, "mean");
  for (std::size_t s = 0; s < differences.size(); ++s) {
    if (s == paired.baseline) continue;
    auto const& [low, high] = differences[s].ci95;
    bool const known = !std::isnan(low) && !std::isnan(high);
    Style const style = !known     ? Style::plain
                        : high < 0 ? Style::good
                        : low > 0  ? Style::bad
                                   : Style::doubtful;
    auto const line =
        known ? interval_line({low, differences[s].mean, high}, axis, cells, screen.charset, 0.0)
              : std::string();
    table.add_row({paired.strategies[s], TextCell::drawing(line, style),
                   mean_text(differences[s].mean, differences[s].ci95, unit)});
  }
  return table.str(screen);
}

/// When all jobs had ended, in the replicas that tell.
std::vector<double> makespans(study::StudySample const& sample) {
  auto times = column(sample, "makespan_s");
  times.erase(std::remove_if(times.begin(), times.end(), [](double t) { return std::isnan(t); }),
              times.end());
  std::sort(times.begin(), times.end());
  return times;
}

std::string finish_lines(study::Comparison const& all, Screen const& screen) {
  double end = 0;
  for (auto const& sample : all.samples) {
    study::Summary const makespan = study::summarise(sample, "makespan_s");
    if (makespan.n > 0) end = std::max(end, makespan.p95);
  }
  if (!(end > 0)) return "";
  std::size_t const cells = plot_cells(all, screen);
  auto table = plot_table("all jobs ended by", axis_line("0", to_text(Seconds(end)), cells),
                          "half of replicas");
  for (std::size_t s = 0; s < all.samples.size(); ++s) {
    auto const times = makespans(all.samples[s]);
    std::vector<double> shares;
    for (std::size_t x = 0; x < cells; ++x) {
      double const until = end * static_cast<double>(x + 1) / static_cast<double>(cells);
      auto const done = std::upper_bound(times.begin(), times.end(), until) - times.begin();
      shares.push_back(static_cast<double>(done) / static_cast<double>(all.samples[s].size()));
    }
    study::Summary const makespan = study::summarise(all.samples[s], "makespan_s");
    table.add_row({TextCell(all.strategies[s], s == all.baseline ? Style::strong : Style::plain),
                   TextCell::drawing(small_curve(shares, screen.charset)),
                   makespan.n == 0 ? "-" : to_text(Seconds(makespan.p50))});
  }
  return table.str(screen);
}

}  // namespace

std::string strategy_plots(study::Comparison const& all, study::Comparison const& paired,
                           Screen const& screen) {
  std::string text = levels_plot(all, paired, "GPU h/success", {deciding, false}, screen) + "\n" +
                     levels_plot(all, paired, "jobs that succeed", {"succeeded", true}, screen) +
                     "\n";
  if (paired.strategies.size() > 1) text += differences_plot(paired, screen) + "\n";
  auto const finish = finish_lines(all, screen);
  return finish.empty() ? text : text + finish + "\n";
}

std::string finish_plot(study::StudySample const& sample, Screen const& screen) {
  auto const times = makespans(sample);
  if (times.empty() || !(times.back() > 0)) return "";
  constexpr double shown = 0.99;  // the longest of all would press the rest together
  auto const last = static_cast<std::size_t>(shown * static_cast<double>(times.size() - 1));
  return "share of the replicas in which all jobs had ended\n" +
         finish_curve(times, sample.size(), times[last], screen) + "\n";
}

}  // namespace gridcast::report
