#include "sim/base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

namespace gridcast::inline base {
namespace {

struct CodePoint {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

/// At the front of the text; none if no character of UTF-8 (RFC 3629) stands there.
std::optional<CodePoint> first_code_point(std::string_view text) {
  auto const lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return CodePoint{lead, 1};
  std::size_t const bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return std::nullopt;
  std::uint32_t code = lead & (0xffu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    auto const next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0u) != 0x80) return std::nullopt;
    code = code << 6 | (next & 0x3fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  bool const is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < least[bytes] || is_surrogate || code > 0x10ffff) return std::nullopt;
  return CodePoint{code, bytes};
}

/// C0 and C1 controls, line and paragraph separators, and the marks of direction (Unicode Bidi).
bool is_obeyed(std::uint32_t code) {
  bool const is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  bool const is_separator = code == 0x2028 || code == 0x2029;
  bool const is_direction = code == 0x200e || code == 0x200f ||
                            (code >= 0x202a && code <= 0x202e) ||
                            (code >= 0x2066 && code <= 0x2069);
  return is_control || is_separator || is_direction;
}

std::string spelled_out(std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

/// Fewest inserts, deletes, replacements and swaps of neighbours that turn `a` into `b`. Row i
/// holds the distances from the first i letters of `a` to each beginning of `b`; a swap looks two
/// rows back. `enough` or more: no fewer than `enough`. No beginning is looked at whose length
/// alone makes it so many, and none after two rows that have no fewer.
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

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t from = 0;;) {
    std::size_t const to = text.find(separator, from);
    pieces.emplace_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return pieces;
    from = to + 1;
  }
}

std::size_t end_of_part(std::string_view text, std::string_view ends, std::size_t at) {
  int depth = 0;
  for (char quote = '\0'; at < text.size(); ++at) {
    char const c = text[at];
    if (quote != '\0') {
      if (c == '\\') ++at;
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{' || c == '(') {
      ++depth;
    } else if (depth == 0 && contains(ends, c)) {
      break;
    } else if (c == ']' || c == '}' || c == ')') {
      --depth;
    }
  }
  return std::min(at, text.size());
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\f\v";
  std::size_t const from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

std::string quoted_for_shell(std::string_view text) {
  std::string quoted = "'";
  for (char const c : text) {
    if (c == '\'') quoted += "'\\'";  // a quote cannot be within quotes: out, the quote, in again
    quoted += c;
  }
  return quoted + "'";
}

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    auto const point = first_code_point(text);
    if (!point) {
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    shown += is_obeyed(point->code) ? spelled_out(point->code)
                                    : std::string(text.substr(0, point->bytes));
    text.remove_prefix(point->bytes);
  }
  return shown;
}

std::string printable_lines(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    auto const end = std::min(text.find('\n'), text.size());
    shown += printable(text.substr(0, end));
    if (end < text.size()) shown += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = lower(letter);
  return result;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return result;
}

int compare_ignoring_case(std::string_view a, std::string_view b) {
  std::size_t const common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    auto const x = static_cast<unsigned char>(lower(a[i]));
    auto const y = static_cast<unsigned char>(lower(b[i]));
    if (x != y) return x < y ? -1 : 1;
  }
  if (a.size() == b.size()) return 0;
  return a.size() < b.size() ? -1 : 1;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

bool is_first_word(std::string_view word, std::string_view name) {
  constexpr std::string_view between = "-_. ";
  return name.size() > word.size() && lower(name.substr(0, word.size())) == lower(word) &&
         between.find(name[word.size()]) != std::string_view::npos;
}

std::string closest(std::string_view word, std::vector<std::string> const& candidates) {
  if (word.empty()) return {};
  constexpr std::size_t least_letters = 3;  // letters
  std::string const wanted = lower(word);
  bool const long_enough = wanted.size() >= least_letters;
  std::string best = first_that(candidates, [word, long_enough](std::string const& name) {
    return long_enough && is_first_word(word, name);
  });
  if (best.empty()) best = nearest_of(wanted, candidates);
  if (!best.empty() || !long_enough) return best;
  best = first_that(candidates,
                    [&wanted](std::string const& name) { return lower(name).starts_with(wanted); });
  if (!best.empty()) return best;
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
