#include "sim/report/ledger_reasons.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/report/reason_words.hpp"
#include "sim/report/table.hpp"

namespace gridcast {
namespace {

std::string time_text(Seconds time) { return time == Seconds() ? "-" : to_text(time); }

/// Lines of at most `width` characters, each indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  constexpr std::size_t width = 100;
  std::string const margin(indent, ' ');
  std::string lines;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > width - indent) {
      auto const blank = text.rfind(' ', width - indent);
      end = blank == std::string_view::npos ? text.size() : blank;
    }
    lines += margin + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The advice, each once, with the reasons that it is for in the order of their cost.
std::string advice_text(std::vector<ReasonWords> const& all) {
  std::string text;
  std::set<std::string> told;
  for (auto const& words : all) {
    if (words.advice.empty() || !told.insert(words.what + words.advice).second) continue;
    text += fmt::format("  {}\n{}", words.what, wrapped(words.advice, 4));
  }
  return text.empty() ? text : "What to do\n" + text;
}

}  // namespace

std::string reasons_text(Ledger const& ledger) {
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
  std::string const advice = advice_text(all);
  return table.str() + (advice.empty() ? "" : "\n" + advice);
}

}  // namespace gridcast
