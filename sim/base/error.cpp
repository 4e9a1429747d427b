#include "sim/base/error.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
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

}  // namespace

std::string Problem::to_text() const {
  std::string text = prefix(where) + what;
  if (!why.empty()) text += " (" + why + ")";
  if (!hint.empty()) text += ". " + hint;
  return printable(text);
}

ProblemsError::ProblemsError(std::vector<Problem> problems) : problems_(std::move(problems)) {
  check(!problems_.empty(), "an error of problems names at least one");
  // A single one more is told rather than counted: it may be a count itself.
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
