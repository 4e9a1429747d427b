#include "sim/report/text/ledger_reasons.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/report/text/paragraph.hpp"
#include "sim/report/text/reason_words.hpp"
#include "sim/report/text/table.hpp"

namespace gridcast::report {
namespace {

std::string time_text(Seconds time) { return time == Seconds() ? "-" : to_text(time); }

/// The advice, each once, with the reasons that it is for in the order of their cost.
std::string advice_text(std::vector<ReasonWords> const& all, Screen const& screen) {
  std::string text;
  std::set<std::string> told;
  std::size_t const width = std::min<std::size_t>(screen.width, 100);
  for (auto const& words : all) {
    if (words.advice.empty() || !told.insert(words.what + words.advice).second) continue;
    text += fitted("  " + words.what, screen) + "    " +
            paragraph(printable(words.advice, screen.charset), {width, 4, 4});
  }
  return text.empty() ? text : "What to do\n" + text;
}

}  // namespace

std::string reasons_text(ledger::Ledger const& ledger, Screen const& screen) {
  if (!ledger.dated || ledger.endings.empty()) return "";
  TextTable table({{"jobs were"},
                   {"because"},
                   {"times", Align::right},
                   {"jobs", Align::right},
                   {"slot time lost", Align::right},
                   {"held for", Align::right}});
  std::vector<ReasonWords> all;
  for (auto const& row : ledger.endings) {
    all.push_back(words_of(row.ending));
    table.add_row({std::string(ending_word(row.ending.kind)), all.back().what,
                   fmt::to_string(row.times), fmt::to_string(row.jobs),
                   time_text(row.slot_time_lost), time_text(row.held)});
  }
  std::string const advice = advice_text(all, screen);
  return table.str(screen) + (advice.empty() ? "" : "\n" + advice);
}

}  // namespace gridcast::report
