// A lesson: the `lesson` group of a scenario or a profile. A question on the described campaign,
// where to look, what to change, the answer with its reason, common wrong answers, and a solution:
// runs from whose figures the answer is computed (sim/study/lesson_study.hpp). One of the wrong
// answers is a plausible first guess; the point that it misses is shown after the right answer.
//
// Answers to a lesson: a choice, a time ("3 h"), a size ("30 GB"), or a number, with or without the
// lesson's word for its unit ("6", "6 jobs"). The right answer decides the kind. Numbers are right
// within the lesson's relative tolerance.
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
  std::string answer = {};                  // its answer among the others
  std::string strategy = {};                // empty: the baseline
  std::vector<std::string> overrides = {};  // "PATH=VALUE"
};

/// A setting to change, with its name in words.
struct LessonKnob {
  std::string path;
  std::string words;
};

/// How the answer follows from the runs' figures.
enum class AnswerRule {
  value,         // it is the figure of the one run
  least,         // the answer of the run with the smallest figure
  most,          // ... with the largest
  first_within,  // the answer of the first run whose figure is within a bound
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
  std::vector<LessonKnob> knobs;
  std::vector<SolutionRun> tries;  // further runs for a page without a simulator
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

/// The text on a wrong answer: the hint of the listed one that it is, else the general one.
std::string hint_for(Lesson const& lesson, std::string const& answer);

/// The text on a guess after the run: the hint of the wrong answer that it is, if it is listed. It
/// does not show whether it is right. InputError if it is no answer at all.
std::string words_on_guess(Lesson const& lesson, std::string const& guess);

/// The point that the plausible first guess misses; nothing if the lesson has none. For afterwards.
std::string words_on_first_guess(Lesson const& lesson);

/// A figure as an answer: in seconds or bytes where the right answer is a time or a size.
std::string answer_text(Lesson const& lesson, double figure);

// The settings of a lesson.

/// The lesson's knobs, and the paths that its solution and its tries change besides, each once.
/// Those have no words but their path.
std::vector<LessonKnob> knobs_of(Lesson const& lesson);

/// The lesson's own value there, as its files write it; empty if they leave it open.
std::string premise_of(Lesson const& lesson, std::string const& knob);

}  // namespace gridcast::scenario
