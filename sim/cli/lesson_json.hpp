// Lessons and their runs as JSON, for `gridcast lesson --json` and for pages. None of it contains
// an answer.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/report/data/json.hpp"
#include "sim/scenario/lesson.hpp"
#include "sim/study/lesson_study.hpp"

namespace gridcast::cli {

/// The lessons of a folder; without one, those that come with the program.
std::vector<scenario::Lesson> lessons_in(std::filesystem::path const& folder);
/// The catalogue of hardware that profiles refer to.
std::filesystem::path hardware_file();

/// gridcast.lessons/1.
report::Json lessons_json(std::vector<scenario::Lesson> const& lessons);
/// The strategies of a lesson, the baseline first: a run without --strategy is of the baseline.
std::vector<std::string> strategies_of(scenario::Lesson const& lesson);
/// gridcast.lesson_run/1.
report::Json lesson_run_json(scenario::Lesson const& lesson, study::LessonRun const& run);

}  // namespace gridcast::cli
