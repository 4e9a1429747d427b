#include "sim/base/error.hpp"

#include <utility>

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

}  // namespace

std::string Problem::to_text() const {
  std::string text = prefix(where) + what;
  if (!why.empty()) text += " (" + why + ")";
  if (!hint.empty()) text += ". " + hint;
  return text;
}

InputError::InputError(std::vector<Problem> problems) : problems_(std::move(problems)) {
  check(!problems_.empty(), "an InputError names at least one problem");
  for (auto const& problem : problems_) {
    if (!text_.empty()) text_ += '\n';
    text_ += problem.to_text();
  }
}

InputError::InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}

void check(bool holds, std::string_view expectation) {
  if (!holds) throw InternalError(std::string(expectation));
}

}  // namespace gridcast::inline base
