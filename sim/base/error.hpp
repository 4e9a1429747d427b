// Three kinds of failure, kept apart: mistakes of the user (InputError, all problems at once, exit
// code 2), exhausted resources of the machine (ResourceError, exit code 1) and mistakes of gridcast
// (check(), exit code 1). Also the messages beside the results, on standard error: a closed
// terminal or a full disk behind it must not end the work that they describe.
#pragma once

#include <cstddef>
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

/// One thing a user has to mend: its place, the problem, the reason, the remedy.
struct Problem {
  Location where;
  std::string what;
  std::string why;   // may be empty
  std::string hint;  // may be empty

  /// "file:line:column: problem (reason). hint", without the unknown parts: one line, not too long
  /// to read, which contains no control sequences of a terminal, for any input.
  std::string to_text() const;
};

/// Problems, at least one, and the text that lists them.
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

/// Throws InputError with one problem.
[[noreturn]] void refuse(Location where, std::string what, std::string why = "",
                         std::string hint = "");

void add_problem(std::vector<Problem>& problems, Location where, std::string what,
                 std::string why = "", std::string hint = "");

/// The first ten problems of one kind.
class FirstProblems {
 public:
  void add(Problem problem);
  /// InputError if there are any, with the number of the others: "and 3 more jobs".
  void refuse(std::string const& noun) const;

 private:
  std::vector<Problem> problems_;
  std::size_t more_ = 0;
};

/// Does `work` and appends the input problems that it finds to `problems`: the problems of several
/// inputs are reported at once.
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

/// Lines of text for people, with their ends; control sequences of a terminal are spelled out
/// (sim/base/text.hpp). It is not checked that they arrive.
void print_message(std::string_view lines);

/// The same as it stands: for a line on a terminal that is written anew.
void print_raw_message(std::string_view text);

}  // namespace gridcast::inline base
