// gridcast lesson list|start|run|check|solution: lessons for a class, whose answers can be checked.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sim/cli/arguments.hpp"
#include "sim/cli/report_file.hpp"
#include "sim/scenario/lesson.hpp"

namespace gridcast::cli {

struct LessonOptions {
  std::filesystem::path folder;  // of the lessons; empty: those that come with the program
  int number = 0;
  std::string answer;
  std::string strategy;
  std::vector<std::string> overrides;
  bool json = false, force = false;
  ReportArguments report = {};
};

void add_lesson(CLI::App& app, Select const& select);

/// The lesson of that number. InputError that names those that there are.
scenario::Lesson find_lesson(LessonOptions const& options);

int run_lesson_verb(LessonOptions const& options);
int check_lesson(LessonOptions const& options);
int show_solution(LessonOptions const& options);

}  // namespace gridcast::cli
