// Three kinds of failure, kept apart: what a user can mend (InputError, all problems at once, exit
// code 2), what the machine has no more of (ResourceError, exit code 1) and what only we can mend
// (check(), exit code 1). And what is told beside the results, on standard error: a terminal that
// was closed or a full disk behind it must not end the work that it is told of.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridcast::inline base {

/// A place in an input. Line and column count from 1; 0 means "not known".
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

/// One thing a user has to mend: where, what, why it is a problem, what to do.
struct Problem {
  Location where;
  std::string what;
  std::string why;   // may be empty
  std::string hint;  // may be empty

  /// "file:line:column: what (why). hint", leaving out what is not known: one line, not too long
  /// to read, that no terminal takes for orders, whatever the input holds.
  std::string to_text() const;
};

/// Problems, never none, and the text that tells them.
class ProblemsError : public std::exception {
 public:
  explicit ProblemsError(std::vector<Problem> problems);

  std::vector<Problem> const& problems() const { return problems_; }
  /// One line for each problem; of very many the first, and how many more there are.
  char const* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<Problem> problems_;
  std::string text_;
};

/// Thrown for bad input, with every problem found.
class InputError : public ProblemsError {
 public:
  explicit InputError(std::vector<Problem> problems) : ProblemsError(std::move(problems)) {}
  explicit InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}
};

/// Does `work`; what it finds wrong with the input joins `problems`, so that all of several inputs
/// is told at once.
template <class Work>
void collect(std::vector<Problem>& problems, Work&& work) {
  try {
    std::forward<Work>(work)();
  } catch (InputError const& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
}

/// Thrown where the input is good and the machine cannot go on: a full disk, no process left.
class ResourceError : public ProblemsError {
 public:
  explicit ResourceError(std::vector<Problem> problems) : ProblemsError(std::move(problems)) {}
  explicit ResourceError(Problem problem)
      : ResourceError(std::vector<Problem>{std::move(problem)}) {}
};

/// Thrown by check(): an invariant of ours does not hold.
class InternalError : public std::exception {
 public:
  explicit InternalError(std::string text) : text_(std::move(text)) {}
  char const* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Throws InternalError with `expectation` when `holds` is false. Not for hot loops.
void check(bool holds, std::string_view expectation);

/// Lines of text for people, with their ends; what would give a terminal orders is spelled out
/// (sim/base/text.hpp). Whether they arrive is not asked.
void tell(std::string_view lines);

/// The same as it stands: for a line on a terminal that is written anew.
void tell_terminal(std::string_view text);

}  // namespace gridcast::inline base
