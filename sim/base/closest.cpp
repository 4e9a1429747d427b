#include "sim/base/closest.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/base/text.hpp"

namespace gridcast::inline base {
namespace {

/// Fewest inserts, deletes, replacements and swaps of neighbours that turn `a` into `b`. Row i
/// holds the distances from the first i letters of `a` to each beginning of `b`; a swap looks two
/// rows back. `enough` or more: no fewer than `enough`. No beginning is looked at whose length alone makes
/// it so many, and none after two rows that have no fewer.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t enough) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) >= enough) return enough;
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::size_t fewest = 0, fewest_before = 0;
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    std::size_t const from = i < enough ? 1 : i - enough + 1;
    std::size_t const to = std::min(b.size(), i + enough - 1);
    row[from - 1] = from == 1 ? i : enough;
    if (to < b.size()) row[to + 1] = enough;
    fewest_before = std::exchange(fewest, row[from - 1]);
    for (std::size_t j = from; j <= to; ++j) {
      std::size_t const replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min(std::min(last[j], row[j - 1]) + 1, replaced);
      bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
      fewest = std::min(fewest, row[j]);
    }
    if (fewest >= enough && fewest_before >= enough) return enough;
  }
  return row[b.size()];
}

template <class Matches>
std::string first_that(std::vector<std::string> const& candidates, Matches matches) {
  auto const found = std::find_if(candidates.begin(), candidates.end(), matches);
  return found == candidates.end() ? "" : *found;
}

std::string nearest_of(std::string const& wanted, std::vector<std::string> const& candidates) {
  std::size_t nearest = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::string best;
  for (auto const& candidate : candidates) {
    std::size_t const distance = edit_distance(wanted, lower(candidate), nearest);
    if (distance < nearest) {
      nearest = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace

bool is_first_word(std::string_view word, std::string_view name) {
  constexpr std::string_view between = "-_. ";
  return name.size() > word.size() && lower(name.substr(0, word.size())) == lower(word) &&
         between.find(name[word.size()]) != std::string_view::npos;
}

std::string closest(std::string_view word, std::vector<std::string> const& candidates) {
  if (word.empty()) return {};
  constexpr std::size_t telling = 3;  // letters
  std::string const wanted = lower(word);
  bool const tells = wanted.size() >= telling;
  std::string best = first_that(candidates, [word, tells](std::string const& name) {
    return tells && is_first_word(word, name);
  });
  if (best.empty()) best = nearest_of(wanted, candidates);
  if (!best.empty() || !tells) return best;
  return first_that(candidates, [&wanted](std::string const& name) {
    return lower(name).find(wanted) != std::string::npos;
  });
}

std::string suggestion(std::string_view word, std::vector<std::string> const& candidates) {
  if (auto const best = closest(word, candidates); !best.empty()) {
    return "Did you mean '" + best + "'?";
  }
  std::string known;
  for (auto const& candidate : candidates) known += (known.empty() ? "" : ", ") + candidate;
  return known.empty() ? known : "Known: " + known + ".";
}

}  // namespace gridcast::inline base
