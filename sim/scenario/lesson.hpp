// A lesson: the `lesson` group of a scenario or a profile. A question on what the file describes,
// where to look, what to change, the answer with its why, common wrong answers, and a solution:
// runs from whose figures the answer is computed (sim/study/lesson_study.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/scenario/yaml_fields.hpp"

namespace gridcast::scenario {

struct LessonChoice {
  std::string name;
  std::string text;
};

struct WrongAnswer {
  std::string answer;
  std::string hint;
};

/// One run of the solution.
struct SolutionRun {
  std::string answer;                  // what it stands for among the others
  std::string strategy;                // empty: the baseline
  std::vector<std::string> overrides;  // "PATH=VALUE"
};

/// How the answer follows from the runs' figures.
enum class AnswerRule {
  value,         // it is the figure of the one run
  least,         // what the run with the smallest figure stands for
  most,          // ... with the largest
  first_within,  // what the first run stands for whose figure is within a bound
};

struct LessonSolution {
  std::string figure;
  AnswerRule rule = AnswerRule::value;
  double bound = 0;  // of first_within, in the figure's own unit
  std::vector<SolutionRun> runs;
};

struct Lesson {
  std::filesystem::path file;
  bool is_profile = false;  // a training profile; otherwise a scenario
  std::string title;        // of the file
  int number = 0;
  std::string goal, prerequisites, question, look_at, change, answer, unit, why, hint;
  double tolerance = 0;  // relative, of answers that are numbers
  std::vector<LessonChoice> choices;
  std::vector<WrongAnswer> wrong;
  LessonSolution solution;
};

Key lesson_key();
/// For the readers of scenarios and profiles, which have no use for it but know the key.
template <class Any>
void read_and_forget_lesson(YamlValue const& value, Any&);

/// The lesson of a scenario or profile, whose other keys are not looked at.
Lesson read_lesson(std::filesystem::path const& file);
/// The lessons of a folder by their numbers. InputError with the problems of all of them.
std::vector<Lesson> read_lessons(std::filesystem::path const& folder);

void read_lesson_group(YamlValue const& value, Lesson& lesson);

template <class Any>
void read_and_forget_lesson(YamlValue const& value, Any&) {
  Lesson lesson;
  read_lesson_group(value, lesson);
}

}  // namespace gridcast::scenario
