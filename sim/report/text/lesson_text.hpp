// Lessons for the terminal: the list, the task, and a solution with its figures.
#pragma once

#include <string>
#include <vector>

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

}  // namespace gridcast::report
