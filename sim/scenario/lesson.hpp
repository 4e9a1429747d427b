// A lesson: the `lesson` group of a scenario or a profile. A question on what the file describes,
// where to look, what to change, the answer with its why, common wrong answers, and a solution:
// runs from whose figures the answer is computed (sim/study/lesson_study.hpp). One of the wrong
// answers is a plausible first guess; what it leaves out is told once the answer is right.
//
// Answers to a lesson: a choice, a time ("3 h"), a size ("30 GB"), or a number, with or without the
// word that the lesson has for its unit ("6", "6 jobs"). What kind, the right answer tells. Numbers
// are right within the lesson's relative tolerance.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::scenario {

struct LessonChoice {
  std::string name;
  std::string text;
};

struct WrongAnswer {
  std::string answer;
  std::string hint;
};

/// One of the wrong answers; empty where there is none.
struct FirstGuess {
  std::string answer;
  std::string leaves_out;
};

/// One run of the solution.
struct SolutionRun {
  std::string answer = {};                  // what it stands for among the others
  std::string strategy = {};                // empty: the baseline
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
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
  FirstGuess first_guess;
  LessonSolution solution;
};

/// The lesson of a scenario or profile, whose other keys are not looked at.
Lesson read_lesson(std::filesystem::path const& file);
/// The lessons of a folder by their numbers. InputError with the problems of all of them.
std::vector<Lesson> read_lessons(std::filesystem::path const& folder);

/// Why that is no answer at all to the lesson; none if it is one, right or wrong.
std::optional<Problem> answer_problem(Lesson const& lesson, std::string const& answer);

/// InputError if it is no answer at all.
bool is_right(Lesson const& lesson, std::string const& answer);

/// What to tell of a wrong answer: the hint of the listed one that it is, else the general one.
std::string hint_for(Lesson const& lesson, std::string const& answer);

/// What to tell of a guess after the run: the hint of the wrong answer that it is, if it is listed.
/// Whether it is right is not told. InputError if it is no answer at all.
std::string words_on_guess(Lesson const& lesson, std::string const& guess);

/// What the plausible first guess leaves out; nothing where the lesson has none. For afterwards.
std::string words_on_first_guess(Lesson const& lesson);

/// A figure as an answer: in seconds or bytes where the right answer is a time or a size.
std::string answer_text(Lesson const& lesson, double figure);

// What can be turned in a lesson.

/// Paths of `--set` that the lesson names as what to change, or that its solution changes, each
/// once.
std::vector<std::string> knobs_of(Lesson const& lesson);

/// What the lesson itself has there, as its files write it; empty where they leave it open.
std::string premise_of(Lesson const& lesson, std::string const& knob);

}  // namespace gridcast::scenario
