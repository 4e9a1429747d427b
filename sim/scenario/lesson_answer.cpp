#include "sim/scenario/lesson_answer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/closest.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"

namespace gridcast::scenario {
namespace {

enum class Kind { choice, time, size, number };

std::optional<double> count_in(std::string_view text, std::string_view unit) {
  double number = 0;
  auto const* const end = text.data() + text.size();
  auto const [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  std::string_view const rest = trim(std::string_view(stop, static_cast<std::size_t>(end - stop)));
  if (!rest.empty() && rest != unit) return std::nullopt;
  return number;
}

Kind kind_of(Lesson const& lesson) {
  if (!lesson.choices.empty()) return Kind::choice;
  if (parse_seconds(lesson.answer)) return Kind::time;
  return parse_bytes(lesson.answer) ? Kind::size : Kind::number;
}

/// The number of an answer that is none of choices.
std::optional<double> number_in(Lesson const& lesson, std::string const& answer) {
  switch (kind_of(lesson)) {
    case Kind::choice:
      return std::nullopt;
    case Kind::time:
      if (auto const time = parse_seconds(answer)) return time->value();
      return std::nullopt;
    case Kind::size:
      if (auto const size = parse_bytes(answer)) return size->value();
      return std::nullopt;
    case Kind::number:
      return count_in(trim(answer), lesson.unit);
  }
  return std::nullopt;
}

std::vector<std::string> names_of(std::vector<LessonChoice> const& choices) {
  std::vector<std::string> names;
  for (LessonChoice const& choice : choices) names.push_back(choice.name);
  return names;
}

std::string what_is_wanted(Lesson const& lesson) {
  switch (kind_of(lesson)) {
    case Kind::choice:
      return "";
    case Kind::time:
      return "Answer with a time and its unit, such as '90 min'.";
    case Kind::size:
      return "Answer with a size and its unit, such as '20 GB'.";
    case Kind::number:
      return fmt::format("Answer with a number{}.",
                         lesson.unit.empty() ? "" : " (of " + lesson.unit + ")");
  }
  return "";
}

/// Whether two answers are the same, within a tolerance relative to the second.
bool same(Lesson const& lesson, std::string const& answer, std::string const& as,
          double tolerance) {
  if (kind_of(lesson) == Kind::choice) return same_ignoring_case(trim(answer), trim(as));
  double const wanted = number_in(lesson, as).value_or(NAN);
  double const rounding = 1e-9 * std::abs(wanted);
  return std::abs(number_in(lesson, answer).value_or(NAN) - wanted) <=
         tolerance * std::abs(wanted) + rounding;
}

}  // namespace

std::optional<Problem> answer_problem(Lesson const& lesson, std::string const& answer) {
  if (kind_of(lesson) != Kind::choice) {
    if (number_in(lesson, answer)) return std::nullopt;
    return Problem{{}, fmt::format("'{}' is no answer", answer), "", what_is_wanted(lesson)};
  }
  auto const names = names_of(lesson.choices);
  bool const known = std::any_of(names.begin(), names.end(), [&](std::string const& name) {
    return same_ignoring_case(name, trim(answer));
  });
  if (known) return std::nullopt;
  return Problem{
      {}, fmt::format("'{}' is none of the choices", answer), "", suggestion(answer, names)};
}

bool is_right(Lesson const& lesson, std::string const& answer) {
  if (auto const problem = answer_problem(lesson, answer)) throw InputError(*problem);
  return same(lesson, answer, lesson.answer, lesson.tolerance);
}

std::string hint_for(Lesson const& lesson, std::string const& answer) {
  // Wrong answers have the same tolerance, but never more than lies between them and the right one.
  for (WrongAnswer const& wrong : lesson.wrong) {
    if (same(lesson, answer, wrong.answer, std::min(lesson.tolerance, 0.05))) return wrong.hint;
  }
  return lesson.hint.empty() ? "Look at " + lesson.look_at : lesson.hint;
}

std::string answer_text(Lesson const& lesson, double figure) {
  switch (kind_of(lesson)) {
    case Kind::time:
      return fmt::format("{:.6g} s", figure);
    case Kind::size:
      return fmt::format("{:.6g} B", figure);
    case Kind::choice:
    case Kind::number:
      break;
  }
  return fmt::format("{:.6g}", figure);
}

}  // namespace gridcast::scenario
