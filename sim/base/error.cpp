#include "sim/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/text.hpp"

namespace gridcast::inline base {
namespace {

/// "file:line:column: " as far as known; a column without its line says nothing.
std::string prefix(Location const& where) {
  std::string text;
  if (!where.file.empty()) text += where.file + ":";
  if (where.line > 0) {
    text += std::to_string(where.line) + ":";
    if (where.column > 0) text += std::to_string(where.column) + ":";
  }
  return text.empty() ? text : text + " ";
}

// More than that nobody reads, and what matters has gone by.
constexpr std::size_t most_told = 10;
constexpr std::size_t most_quoted = 200;                        // bytes of a value in quotes
constexpr std::size_t most_in_line = 4000, most_at_end = 1000;  // bytes of a problem

/// Within a character of UTF-8, behind its first byte.
bool is_further_byte(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80; }

/// Where the character begins that this byte is of; a character has at most four bytes.
std::size_t begin_of_character(std::string_view text, std::size_t at) {
  std::size_t const least = at < 3 ? 0 : at - 3;
  while (at > least && is_further_byte(text[at])) --at;
  return at;
}

std::string quoted_in_short(std::string_view value) {
  std::string text = "'";
  if (value.size() <= most_quoted) return text.append(value) + "'";
  return text.append(value.substr(0, begin_of_character(value, most_quoted))) + "...'";
}

/// Values in single quotes are cut at their ends, and a text that still is too long in its middle.
std::string in_short(std::string_view text) {
  std::string told;
  for (std::size_t at = 0; at < text.size();) {
    // Behind a letter it is an apostrophe.
    bool const opens = text[at] == '\'' &&
                       (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0);
    std::size_t const close = opens ? text.find('\'', at + 1) : std::string_view::npos;
    if (close == std::string_view::npos) {
      told += text[at++];
    } else {
      told += quoted_in_short(text.substr(at + 1, close - at - 1));
      at = close + 1;
    }
  }
  if (told.size() <= most_in_line) return told;
  std::size_t const end = begin_of_character(told, most_in_line - most_at_end);
  std::size_t const on = begin_of_character(told, told.size() - most_at_end);
  return told.substr(0, end) + " ... " + told.substr(on);
}

}  // namespace

std::string Problem::to_text() const {
  std::string text = prefix(where) + what;
  if (!why.empty()) text += " (" + why + ")";
  if (!hint.empty()) text += ". " + hint;
  return printable(in_short(text));
}

ProblemsError::ProblemsError(std::vector<Problem> problems) : problems_(std::move(problems)) {
  check(!problems_.empty(), "an error of problems names at least one");
  // A single one more is shown rather than counted: it may be a count itself.
  std::size_t const told =
      problems_.size() == most_told + 1 ? most_told + 1 : std::min(problems_.size(), most_told);
  for (std::size_t i = 0; i < told; ++i) {
    if (i > 0) text_ += '\n';
    text_ += problems_[i].to_text();
  }
  if (told == problems_.size()) return;
  text_ += "\nand " + std::to_string(problems_.size() - told) + " more problems";
}

void check(bool holds, std::string_view expectation) {
  if (!holds) throw InternalError(std::string(expectation));
}

void tell(std::string_view lines) { tell_terminal(printable_lines(lines)); }

void tell_terminal(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace gridcast::inline base
