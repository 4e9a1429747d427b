#include "sim/base/text.hpp"

#include <algorithm>

namespace gridcast::inline base {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (std::size_t from = 0;;) {
    std::size_t const to = text.find(separator, from);
    pieces.emplace_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return pieces;
    from = to + 1;
  }
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
  return a.size() == b.size() && compare_ignoring_case(a, b) == 0;
}

}  // namespace gridcast::inline base
