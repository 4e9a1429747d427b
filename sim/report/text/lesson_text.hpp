// Lessons for the terminal: the list, the task, and a solution with its figures.
#pragma once

#include <string>
#include <vector>

#include "sim/base/json_fields.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/study/lesson_study.hpp"

namespace gridcast::report {

/// Words in lines that fit the screen.
std::string paragraph_text(std::string const& words, Screen const& screen);

std::string lesson_list_text(std::vector<scenario::Lesson> const& lessons, Screen const& screen);
/// Question, where to look, changes to make, and the commands for it; not the answer.
std::string lesson_task_text(scenario::Lesson const& lesson,
                             std::vector<std::string> const& strategies, Screen const& screen);

/// "gridcast lesson run 4 --set 'x=1' --strategy name".
std::string lesson_command(scenario::Lesson const& lesson, scenario::SolutionRun const& run);

std::string lesson_solution_text(scenario::Lesson const& lesson, study::SolvedLesson const& solved,
                                 Screen const& screen);

/// "2.5 h (9000 s)" of a figure in seconds or bytes, by its name; else the number. A figure that a
/// run does not have is shown as missing.
std::string figure_text(std::string const& name, double value);
/// "s", "B" or nothing.
std::string figure_unit(std::string const& name);
/// Its name, for people: "retried transfers, jobs that succeeded".
std::string figure_words(std::string const& name);

// The replies to a lesson's answers, for a page without a server. The reply opens only with the
// answer that it belongs to, so the page's source shows neither the right answer nor the reasons.
// This keeps a class from reading ahead. It is no protection: few answers can be tried one by one.
//
// The key of an answer is its choice in lower case ("c:b"), or the number of its step on a
// logarithmic scale of 0.1 % ("n:4605"), so that all answers within the tolerance have keys. With
// the salt s and SHA-256 H:
//   tag  = first 16 digits of H("tag:" s ":" key)       secret = 16 bytes of the reply's own
//   lock = secret xor first 16 bytes of H("key:" s ":" key)
//   box  = reply xor H(secret ":0") H(secret ":1") ...  (secret in hexadecimal digits)

/// {"salt", "kind": choice | time | size | number, "unit", "locks": {TAG: [BOX, LOCK]}, "boxes":
/// [HEX], "other": the reply to all other answers}. An opened box is a reply as `gridcast lesson
/// check --json` prints it; that of a right answer also has the lesson's goal.
Json sealed_answers(scenario::Lesson const& lesson);

}  // namespace gridcast::report
