#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "sim/report/text/brief.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t most_rows = 3, most_of_a_name = 26;

std::string short_name(std::string const& name) {
  if (text_width(name) <= most_of_a_name) return name;
  return name.substr(0, bytes_within(name, most_of_a_name - 2)) + "..";
}

/// The three best strategies, and the baseline.
std::vector<std::size_t> rows_of(Result const& result) {
  auto rows = study::ranking(*result.choice);
  if (rows.size() <= most_rows) return rows;
  auto const base = static_cast<std::size_t>(baseline(result) - result.strategies.data());
  bool const with_baseline =
      std::find(rows.begin(), rows.begin() + most_rows, base) != rows.begin() + most_rows;
  rows.resize(most_rows);
  if (!with_baseline) rows.push_back(base);
  return rows;
}

std::string best_table(Result const& result, Screen const& screen) {
  auto const& choice = *result.choice;
  auto const words = time_words(choice);
  TextTable table({{"strategy"},
                   {"jobs that finish", Align::right},
                   {fmt::format("{} to {} jobs", words.unit(), choice.wanted), Align::right},
                   {"GPU hours", Align::right}});
  for (std::size_t const s : rows_of(result)) {
    auto const& rated = choice.strategies[s];
    table.add_row({short_name(result.strategies[s].name), jobs_cell(rated.finished),
                   time_cell(rated.makespan, words), hours_cell(rated.gpu_hours)});
  }
  auto text = table.str(screen);
  // The line below the header has no information.
  auto const header = text.find('\n');
  auto const rule = text.find('\n', header + 1);
  return text.erase(header, rule - header);
}

}  // namespace

std::string brief_comparison(Result const& result, Screen const& screen) {
  Brief brief(screen);
  brief.say(incomplete_text(result), 9);
  if (!result.choice) {
    brief.say("No replica was finished under every strategy.", 9);
    return brief.text();
  }
  Screen narrow = screen;
  narrow.width = std::min(screen.width, brief_width);
  brief.say(choice_sentence(result), 8, 4);
  brief.say(about_sentence(result.strategies[result.choice->best]), 3, 2);
  brief.add(best_table(result, narrow), 7);
  if (result.deadline) {
    auto const& best = result.strategies[result.choice->best];
    brief.say(
        fmt::format("Deadline {}: {} meets it in {} of the campaigns.", to_text(*result.deadline),
                    best.name, chance_text(met_by(result, best, *result.deadline))),
        5, 2);
  }
  brief.say(trade_off_sentence(result), 4, 2);
  brief.say(evidence_sentence(result), 6, 2);
  brief.add(next_command("gridcast compare " + result.scenario), 7);
  return brief.text();
}

}  // namespace gridcast::report
