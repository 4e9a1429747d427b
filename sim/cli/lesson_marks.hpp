// gridcast lesson check --roster FILE: the answers of a class.
//
// FILE has a name a line; beside it lie the answers, a file NAME.txt for each, with a line for each
// lesson: its number, a blank or a colon, the answer. Empty lines and lines that begin with # count
// for nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/report/data/json.hpp"
#include "sim/report/text/characters.hpp"
#include "sim/scenario/lesson.hpp"

namespace gridcast::cli {

enum class Mark { right, wrong, no_answer };

struct StudentMarks {
  std::string name;
  std::map<int, Mark> marks;  // by lesson, of those that were answered
};

using IsRight = std::function<bool(scenario::Lesson const& lesson, std::string const& answer,
                                   std::string const& student)>;

/// InputError with all files that cannot be read and all lines that cannot be understood.
std::vector<StudentMarks> mark_class(std::filesystem::path const& roster,
                                     std::vector<scenario::Lesson> const& lessons,
                                     IsRight const& is_right);

std::string marks_text(std::vector<StudentMarks> const& students, report::Screen const& screen);
/// gridcast.lesson_marks/1.
report::Json marks_json(std::vector<StudentMarks> const& students);

}  // namespace gridcast::cli
