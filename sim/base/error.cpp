#include "sim/base/error.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>

#include "sim/base/text.hpp"

namespace gridcast::inline base {
namespace {

/// "file:line:column: " as far as known; a column without its line is left out.
std::string prefix(Location const& where) {
  std::string text;
  if (!where.file.empty()) text += where.file + ":";
  if (where.line > 0) {
    text += std::to_string(where.line) + ":";
    if (where.column > 0) text += std::to_string(where.column) + ":";
  }
  return text.empty() ? text : text + " ";
}

// Nobody reads more than that, and the important lines have scrolled away.
constexpr std::size_t most_reported = 10;
constexpr std::size_t most_quoted = 200;                        // bytes of a value in quotes
constexpr std::size_t most_in_line = 4000, most_at_end = 1000;  // bytes of a problem

/// Within a character of UTF-8, behind its first byte.
bool is_further_byte(char byte) { return (static_cast<unsigned char>(byte) & 0xc0u) == 0x80; }

/// Start of the character that contains this byte; a character has at most four bytes.
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
  std::string short_text;
  for (std::size_t at = 0; at < text.size();) {
    // Behind a letter it is an apostrophe.
    bool const opens = text[at] == '\'' &&
                       (at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0);
    std::size_t const close = opens ? text.find('\'', at + 1) : std::string_view::npos;
    if (close == std::string_view::npos) {
      short_text += text[at++];
    } else {
      short_text += quoted_in_short(text.substr(at + 1, close - at - 1));
      at = close + 1;
    }
  }
  if (short_text.size() <= most_in_line) return short_text;
  std::size_t const end = begin_of_character(short_text, most_in_line - most_at_end);
  std::size_t const on = begin_of_character(short_text, short_text.size() - most_at_end);
  return short_text.substr(0, end) + " ... " + short_text.substr(on);
}

}  // namespace

void refuse(Location where, std::string what, std::string why, std::string hint) {
  throw InputError(Problem{std::move(where), std::move(what), std::move(why), std::move(hint)});
}

void add_problem(std::vector<Problem>& problems, Location where, std::string what, std::string why,
                 std::string hint) {
  problems.push_back({std::move(where), std::move(what), std::move(why), std::move(hint)});
}

void FirstProblems::add(Problem problem) {
  if (problems_.size() == most_reported) {
    ++more_;
  } else {
    problems_.push_back(std::move(problem));
  }
}

void FirstProblems::refuse(std::string const& noun) const {
  if (problems_.empty()) return;
  std::vector<Problem> problems = problems_;
  if (more_ > 0) add_problem(problems, {}, "and " + counted(more_, "more " + noun));
  throw InputError(std::move(problems));
}

std::string Problem::to_text() const {
  std::string text = prefix(where) + what;
  if (!why.empty()) text += " (" + why + ")";
  if (!hint.empty()) text += ". " + hint;
  return printable(in_short(text));
}

ProblemsError::ProblemsError(std::vector<Problem> problems) : problems_(std::move(problems)) {
  check(!problems_.empty(), "an error of problems names at least one");
  // A single one more is shown rather than counted: it may be a count itself.
  std::size_t const shown = problems_.size() == most_reported + 1
                                ? most_reported + 1
                                : std::min(problems_.size(), most_reported);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text_ += '\n';
    text_ += problems_[i].to_text();
  }
  if (shown == problems_.size()) return;
  text_ += "\nand " + std::to_string(problems_.size() - shown) + " more problems";
}

void check(bool holds, std::string_view expectation) {
  if (!holds) throw InternalError(std::string(expectation));
}

void print_message(std::string_view lines) { print_raw_message(printable_lines(lines)); }

void print_raw_message(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace gridcast::inline base
