// The twelve lines of gridcast profile --fit.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/judged.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/train_text.hpp"
#include "sim/training/step_time.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t shown_families = 3;  // of a table
constexpr double odd_weight = 0.5;         // a row that counts less is named

/// The families with the most rows, in the order of the table.
template <class Family>
std::vector<Family const*> with_most_rows(std::vector<Family> const& families) {
  std::vector<Family const*> all;
  for (Family const& family : families) all.push_back(&family);
  std::stable_sort(all.begin(), all.end(), [](Family const* a, Family const* b) {
    return a->rows.size() > b->rows.size();
  });
  if (all.size() > shown_families) all.resize(shown_families);
  return all;
}

template <class Family>
std::size_t row_count(std::vector<Family> const& families) {
  std::size_t rows = 0;
  for (Family const& family : families) rows += family.rows.size();
  return rows;
}

/// Median and 90 % of a parameter over the draws.
template <class Draw, class Value>
std::string parameter_range(std::vector<Draw> const& draws, Value const& value) {
  std::vector<double> values;
  for (Draw const& draw : draws) values.push_back(value(draw));
  constexpr std::array<double, 3> levels = {0.05, 0.5, 0.95};
  auto const q = quantiles(std::move(values), levels);
  return fmt::format("{:.3g} ({:.2g} to {:.2g})", q[1], q[0], q[2]);
}

TextTable scaling_table(training::TrainingFit const& fit) {
  TextTable table({{"most rows"},
                   {"rows", Align::right},
                   {"step, ms", Align::right},
                   {"% a doubling", Align::right},
                   {"% on nodes", Align::right}});
  for (training::FamilyFit const* const family : with_most_rows(fit.families)) {
    auto const& draws = family->draws;
    std::vector<double> steps;
    for (auto const& draw : draws) steps.push_back(draw.step_time.value() * 1e3);
    constexpr std::size_t widest = 24;
    table.add_row(
        {family->family.substr(0, widest), fmt::format("{}", family->rows.size()),
         fmt::format("{:.3g}", median(steps)),
         parameter_range(draws, [](auto const& draw) { return 100 * draw.slow_per_doubling; }),
         parameter_range(draws, [](auto const& draw) { return 100 * draw.slow_across_nodes; })});
  }
  return table;
}

/// The row that counts least, if it counts little.
std::string odd_row_text(training::TrainingFit const& fit) {
  training::RunRow const* odd = nullptr;
  double least = odd_weight;
  std::size_t others = 0;
  for (auto const& family : fit.families) {
    for (std::size_t i = 0; i < family.rows.size(); ++i) {
      if (family.weights[i] >= odd_weight) continue;
      ++others;
      if (family.weights[i] >= least) continue;
      least = family.weights[i];
      odd = &family.rows[i];
    }
  }
  if (odd == nullptr) return "";
  return fmt::format("Odd: line {} ({}) counts {:.0f} % of a usual row{}.", odd->line,
                     training::to_text(*odd), 100 * least,
                     others > 1 ? fmt::format("; so do {} more, or nearly", others - 1) : "");
}

/// `about`: further sentences with their weights.
std::string brief_of(std::string const& fitted, Judged const& judged, TextTable const& table,
                     std::vector<std::pair<std::string, int>> const& about,
                     std::vector<std::string> const& notes, Screen const& screen) {
  Brief brief(screen);
  brief.say(fitted, Brief::needed, 2);
  brief.say(std::string(trim(judged.text())), 8, 2);
  brief.add(table.str(brief.screen()), 6);
  for (auto const& [sentence, weight] : about) brief.say(sentence, weight, 2);
  if (!notes.empty()) {
    std::string const more =
        notes.size() > 1 ? fmt::format(" ({} more with --details)", notes.size() - 1) : "";
    brief.say("Note: " + notes.front() + more, 4, 3);
  }
  brief.add(next_command(screen), 7);
  return brief.text();
}

}  // namespace

std::string brief_fit(training::TrainingFit const& fit, std::vector<training::RunRow> const& held,
                      std::vector<std::string> const& notes, Screen const& screen) {
  Judged judged(Judged::Off::share);
  for (auto const& family : fit.families) {
    for (auto const& row : held) {
      if (row.family != family.family) continue;
      auto const f = training::forecast(family, fit.base, row);
      judged.add(row.epoch.value(), f.median.value(), f.interval);
    }
  }
  std::string const fitted =
      fmt::format("Fitted to {} of {}.", counted(row_count(fit.families), "row"),
                  fit.families.size() == 1 ? "one family (machine and software)"
                                           : fmt::format("{} families", fit.families.size()));
  return brief_of(
      fitted, judged, scaling_table(fit),
      {{odd_row_text(fit), 7},
       {"Evidence: these rows; what they do not show is as in other published systems.", 5}},
      notes, screen);
}

std::string brief_fit(std::vector<training::StorageFit> const& fits,
                      std::vector<training::StorageRow> const& held,
                      std::vector<std::string> const& notes, Screen const& screen) {
  Judged judged(Judged::Off::points);
  TextTable rows({{"most rows"},
                  {"rows", Align::right},
                  {"accelerators a host", Align::right},
                  {"AU", Align::right},
                  {"forecast", Align::right}});
  for (auto const& fit : fits) {
    for (auto const& row : held) {
      if (row.family != fit.family) continue;
      auto const f = training::forecast(fit, row);
      judged.add(row.au, f.median, f.interval);
    }
  }
  for (training::StorageFit const* const fit : with_most_rows(fits)) {
    auto const most =
        std::max_element(fit->rows.begin(), fit->rows.end(),
                         [](auto const& a, auto const& b) { return a.on_host() < b.on_host(); });
    constexpr std::size_t widest = 36;
    rows.add_row({fit->family.substr(0, widest), fmt::format("{}", fit->rows.size()),
                  fmt::format("{:.0f}", most->on_host()), fmt::format("{:.1f} %", 100 * most->au),
                  fmt::format("{:.1f} %", 100 * training::forecast(*fit, *most).median)});
  }
  std::string const fitted = fmt::format(
      "Fitted to {} of {} (a store and a workload each).", counted(row_count(fits), "row"),
      fits.size() == 1 ? "one family" : fmt::format("{} families", fits.size()));
  return brief_of(fitted, judged, rows, {}, notes, screen);
}

}  // namespace gridcast::report
