#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/units.hpp"
#include "sim/report/text/characters.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

char const* const deciding = "gpu_hours_per_success";
constexpr std::string_view difference_title = "difference, GPU h/success";

/// What names and numbers leave of the screen.
std::size_t plot_cells(Result const& result, Screen const& screen) {
  constexpr std::size_t numbers = 22, most_of_name = 30, least = 20, most = 50;
  std::size_t name = text_width(difference_title);
  for (auto const& each : result.strategies) name = std::max(name, text_width(each.name));
  std::size_t const taken = std::min(name, most_of_name) + numbers;
  return std::clamp(screen.width > taken ? screen.width - taken : 0, least, most);
}

/// The strategy that is most often best, and the baseline, stand out.
std::vector<Style> styles(Result const& result, std::string const& figure) {
  std::vector<Style> styles;
  std::size_t best = 0;
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    auto const& strategy = result.strategies[s];
    styles.push_back(strategy.name == result.baseline ? Style::strong : Style::plain);
    bool const more =
        strategy.probability_best.at(figure) > result.strategies[best].probability_best.at(figure);
    if (more) best = s;
  }
  if (result.strategies[best].probability_best.at(figure) > 0) styles[best] = Style::good;
  return styles;
}

/// What each success costs says little where hardly a job succeeds, and would set the scale of all.
bool is_drawn(ResultStrategy const& strategy, std::string const& figure) {
  return figure != deciding || strategy.rank == study::Rank::ranked;
}

TextTable plot_table(std::string const& title, std::string const& axis, std::string const& column) {
  return TextTable({{title}, {axis}, {column, Align::right}});
}

/// Median and central 90 % of a figure under each strategy.
std::string levels_plot(Result const& result, std::string const& title, std::string const& figure,
                        Screen const& screen) {
  Unit const unit = words_of(figure, time_scale(result)).unit;
  Axis axis = {0, 0};
  for (auto const& strategy : result.strategies) {
    auto const level = summary(strategy.metrics, figure);
    if (level.n > 0 && is_drawn(strategy, figure)) axis.most = std::max(axis.most, level.p95);
  }
  std::size_t const cells = plot_cells(result, screen);
  auto table =
      plot_table(title, axis_line("0", number_text(axis.most, unit), cells), "median (5..95 %)");
  auto const style = styles(result, figure);
  for (std::size_t s = 0; s < result.strategies.size(); ++s) {
    auto const level = summary(result.strategies[s].metrics, figure);
    bool const drawn = level.n > 0 && is_drawn(result.strategies[s], figure);
    auto const line =
        drawn ? interval_line({level.p05, level.p50, level.p95}, axis, cells, screen.charset)
              : std::string();
    table.add_row({TextCell(result.strategies[s].name, style[s]), TextCell::drawing(line, style[s]),
                   spread_text(level, unit)});
  }
  return table.str(screen);
}

std::string differences_plot(Result const& result, Screen const& screen) {
  Unit const unit = words_of(deciding).unit;
  Axis axis = {0, 0};
  for (auto const& strategy : result.strategies) {
    auto const& [low, high] = strategy.versus_baseline.at(deciding).ci95;
    if (std::isnan(low) || std::isnan(high) || !is_drawn(strategy, deciding)) continue;
    axis.least = std::min(axis.least, low);
    axis.most = std::max(axis.most, high);
  }
  std::size_t const cells = plot_cells(result, screen);
  auto const ends = axis_line(signed_text(axis.least, unit), signed_text(axis.most, unit), cells);
  auto table = plot_table(std::string(difference_title), ends, "mean");
  for (auto const& strategy : result.strategies) {
    if (strategy.name == result.baseline) continue;
    auto const& difference = strategy.versus_baseline.at(deciding);
    auto const& [low, high] = difference.ci95;
    bool const known = !std::isnan(low) && !std::isnan(high);
    Style const style = !known     ? Style::plain
                        : high < 0 ? Style::good
                        : low > 0  ? Style::bad
                                   : Style::doubtful;
    auto const line =
        known && is_drawn(strategy, deciding)
            ? interval_line({low, difference.mean, high}, axis, cells, screen.charset, 0.0)
            : std::string();
    table.add_row({strategy.name, TextCell::drawing(line, style),
                   mean_text(difference.mean, difference.ci95, unit)});
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

std::string finish_lines(Result const& result, Screen const& screen) {
  double end = 0;
  for (auto const& strategy : result.strategies) {
    auto const makespan = summary(strategy.metrics, "makespan_s");
    if (makespan.n > 0) end = std::max(end, makespan.p95);
  }
  if (!(end > 0)) return "";
  std::size_t const cells = plot_cells(result, screen);
  auto table = plot_table("all jobs ended by", axis_line("0", to_text(Seconds(end)), cells),
                          "half of replicas");
  for (auto const& strategy : result.strategies) {
    auto const times = makespans(strategy.sample);
    std::vector<double> shares;
    for (std::size_t x = 0; x < cells; ++x) {
      double const until = end * static_cast<double>(x + 1) / static_cast<double>(cells);
      auto const done = std::upper_bound(times.begin(), times.end(), until) - times.begin();
      shares.push_back(static_cast<double>(done) / static_cast<double>(strategy.sample.size()));
    }
    auto const makespan = summary(strategy.metrics, "makespan_s");
    bool const is_baseline = strategy.name == result.baseline;
    table.add_row({TextCell(strategy.name, is_baseline ? Style::strong : Style::plain),
                   TextCell::drawing(small_curve(shares, screen.charset)),
                   makespan.n == 0 ? "-" : to_text(Seconds(makespan.p50))});
  }
  return table.str(screen);
}

}  // namespace

std::string strategy_plots(Result const& result, Screen const& screen) {
  std::string text = levels_plot(result, "GPU h/success", deciding, screen) + "\n" +
                     levels_plot(result, "jobs that succeed", "succeeded", screen) + "\n";
  if (result.strategies.size() > 1) text += differences_plot(result, screen) + "\n";
  auto const finish = finish_lines(result, screen);
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
