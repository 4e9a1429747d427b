// Answers to a lesson: a choice, a time ("3 h"), a size ("30 GB"), or a number, with or without the
// word that the lesson has for its unit ("6", "6 jobs"). What kind, the right answer tells. Numbers
// are right within the lesson's relative tolerance.
#pragma once

#include <optional>
#include <string>

#include "sim/base/error.hpp"
#include "sim/scenario/lesson.hpp"

namespace gridcast::scenario {

/// Why that is no answer at all to the lesson; none if it is one, right or wrong.
std::optional<Problem> answer_problem(Lesson const& lesson, std::string const& answer);

/// InputError if it is no answer at all.
bool is_right(Lesson const& lesson, std::string const& answer);

/// What to tell of a wrong answer: the hint of the listed one that it is, else the general one.
std::string hint_for(Lesson const& lesson, std::string const& answer);

/// A figure as an answer: in seconds or bytes where the right answer is a time or a size.
std::string answer_text(Lesson const& lesson, double figure);

}  // namespace gridcast::scenario
