#include <algorithm>
#include <iterator>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"

namespace gridcast::report {
namespace {

constexpr std::size_t most_rows = 3, most_of_a_name = 26;

/// In order of rank: the three best strategies, or fewer beside those of the user's question, and
/// the baseline.
std::vector<std::size_t> rows_of(Result const& result) {
  constexpr std::size_t most_with_asked = most_rows + 2;
  auto const ranked = study::ranking(*result.choice);
  auto const is_baseline = [&](std::size_t s) {
    return result.strategies[s].name == result.baseline;
  };
  auto const is_asked = [&](std::size_t s) {
    return is_baseline(s) || is_one_of(result.strategies[s].name, result.asked);
  };
  auto best = ranked.begin() + static_cast<std::ptrdiff_t>(std::min(most_rows, ranked.size()));
  auto const rows = [&] {
    return best - ranked.begin() + std::count_if(best, ranked.end(), is_asked);
  };
  while (best - ranked.begin() > 1 && rows() > static_cast<std::ptrdiff_t>(most_rows) + 1) --best;
  std::vector<std::size_t> shown(ranked.begin(), best);
  std::copy_if(best, ranked.end(), std::back_inserter(shown), is_asked);
  while (shown.size() > most_with_asked) {
    shown.erase(shown.end() - (is_baseline(shown.back()) ? 2 : 1));
  }
  return shown;
}

/// With money in place of GPU hours if there are prices.
std::string table_of(Result const& result, std::vector<std::size_t> const& rows, bool medians,
                     Screen const& screen) {
  auto const& choice = *result.choice;
  auto const words = time_words(choice);
  TextTable table({{"strategy"},
                   {"jobs that finish", Align::right},
                   {fmt::format("{} to {} jobs", words.unit(), choice.wanted), Align::right},
                   {std::string(choice.currency.empty() ? hours_name(result.without_gpus)
                                                        : std::string_view(choice.currency)),
                    Align::right}});
  auto const shown = [&](study::Spread const& spread) { return medians ? spread.alone() : spread; };
  for (std::size_t const s : rows) {
    auto const& rated = choice.strategies[s];
    table.add_row({short_name(result.strategies[s].name,
                              screen.width < brief_width ? most_of_a_name - 10 : most_of_a_name),
                   jobs_cell(shown(rated.finished)), time_cell(shown(rated.makespan), words),
                   choice.currency.empty() ? hours_cell(shown(rated.gpu_hours))
                                           : money_cell(shown(rated.money))});
  }
  return table.str(screen);
}

/// With ranges where they fit the screen, else the medians alone.
std::string best_table(Result const& result, Screen const& screen) {
  auto const rows = rows_of(result);
  auto text = table_of(result, rows, screen.width < brief_width, screen);
  auto const lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  constexpr std::size_t head = 2;
  if (lines > rows.size() + head) text = table_of(result, rows, true, screen);
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
    brief.say("No campaign was finished under every strategy.", 9);
    return brief.text();
  }
  brief.say(choice_sentence(result), 9, 7);
  brief.say(about_sentence(result.strategies[result.choice->best]), 3, 2);
  brief.add(best_table(result, brief.screen()), 7);
  if (auto const deadline = asked_deadline(result)) {
    auto const& best = result.strategies[result.choice->best];
    brief.say(fmt::format("Deadline {}: {} meets it in {} of the campaigns.", to_text(*deadline),
                          best.name, chance_text(met_by(result, best, *deadline))),
              7, 2);
  }
  brief.say(prices_sentence(*result.choice), 8, 2);
  brief.say(extrapolation_sentence(result), 7, 3);
  brief.say(trade_off_sentence(result), 4, 2);
  std::string const evidence = evidence_sentence(result);
  bool const fits = text_width(evidence) <= brief.screen().width;
  brief.say(fits ? evidence : evidence_sentence(result, false), 6, 2);
  constexpr char const* another = "--with \"auto-release:release.transfer_holds_after=20 min\"";
  brief.add(next_command(screen, result.strategies.size() == 1 ? another : "--details"), 8);
  return brief.text();
}

}  // namespace gridcast::report
