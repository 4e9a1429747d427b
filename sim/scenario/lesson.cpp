#include "sim/scenario/lesson.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/scenario/lesson_answer.hpp"

namespace gridcast::scenario {
namespace {

namespace fs = std::filesystem;

Table<LessonChoice> const& choice_table() {
  static Table<LessonChoice> const table =
      Table<LessonChoice>("Answers to choose from")
          .required("name", &LessonChoice::name, "What one answers, a letter or a word")
          .required("text", &LessonChoice::text, "What it means");
  return table;
}

Table<WrongAnswer> const& wrong_table() {
  static Table<WrongAnswer> const table =
      Table<WrongAnswer>("Common wrong answers")
          .required("answer", &WrongAnswer::answer, "As it is given")
          .required("hint", &WrongAnswer::hint, "What to think of");
  return table;
}

Table<SolutionRun> const& run_table() {
  static Table<SolutionRun> const table =
      Table<SolutionRun>("Runs, one after the other")
          .optional("answer", &SolutionRun::answer, "What it stands for; not with rule `value`")
          .optional("strategy", &SolutionRun::strategy, "Without it, the baseline")
          .add({"set", Form::names, "PATH=VALUE, as for --set"},
               [](YamlValue const& value, SolutionRun& run) {
                 read_value(value, {}, run.overrides);
               });
  return table;
}

Table<LessonSolution> const& solution_table() {
  static Table<LessonSolution> const table =
      Table<LessonSolution>("Runs that give the answer")
          .required("figure", &LessonSolution::figure, "What is looked at of each run")
          .choice("rule", &LessonSolution::rule,
                  {{"value", AnswerRule::value},
                   {"least", AnswerRule::least},
                   {"most", AnswerRule::most},
                   {"first_within", AnswerRule::first_within}},
                  "value: the figure itself; otherwise what the run with the least or most stands "
                  "for, or the first within the bound")
          .optional("bound", &LessonSolution::bound, "Of first_within, in the figure's unit")
          .list("runs", &LessonSolution::runs, run_table());
  return table;
}

Table<Lesson> const& lesson_table() {
  static Table<Lesson> const table =
      Table<Lesson>("What the file teaches")
          .required("number", &Lesson::number, "Its place among the lessons", between(1, 999))
          .required("goal", &Lesson::goal, "What one knows afterwards")
          .optional("prerequisites", &Lesson::prerequisites, "What one has to know before")
          .required("question", &Lesson::question, "What is asked")
          .required("look_at", &Lesson::look_at, "Where in the results")
          .required("change", &Lesson::change, "What to try")
          .optional("hint", &Lesson::hint, "For wrong answers that are not listed")
          .list("choices", &Lesson::choices, choice_table(), false)
          .required("answer", &Lesson::answer, "The right one, a number with its unit or a choice")
          .optional("unit", &Lesson::unit, "Of an answer that is a count, such as jobs")
          .optional("tolerance", &Lesson::tolerance, "By how much a number may differ, relative",
                    between(0, 1))
          .required("why", &Lesson::why, "Why that is the answer")
          .list("wrong", &Lesson::wrong, wrong_table(), false)
          .group("solution", true, &Lesson::solution, solution_table());
  return table;
}

void check_runs(YamlDocument& document, Lesson const& lesson) {
  auto const& [figure, rule, bound, runs] = lesson.solution;
  if (rule == AnswerRule::value && runs.size() != 1) {
    document.add(document.at("lesson.solution.runs"),
                 fmt::format("lesson.solution.runs: {} runs with rule 'value'", runs.size()),
                 "the figure of the one run is the answer", "");
  }
  for (std::size_t i = 0; i < runs.size() && rule != AnswerRule::value; ++i) {
    if (!answer_problem(lesson, runs[i].answer)) continue;
    std::string const path = fmt::format("lesson.solution.runs[{}].answer", i);
    document.add(document.at(path), path + ": " + answer_problem(lesson, runs[i].answer)->what, "",
                 "");
  }
}

/// What the tables cannot say: answers that are none, and wrong ones that are right.
void check_answers(YamlDocument& document, Lesson const& lesson) {
  if (auto const problem = answer_problem(lesson, lesson.answer)) {
    document.add(document.at("lesson.answer"), "lesson.answer: " + problem->what, "", "");
    return;
  }
  for (std::size_t i = 0; i < lesson.wrong.size(); ++i) {
    std::string const& answer = lesson.wrong[i].answer;
    auto const problem = answer_problem(lesson, answer);
    if (!problem && !is_right(lesson, answer)) continue;
    std::string const path = fmt::format("lesson.wrong[{}].answer", i);
    document.add(document.at(path), path + ": " + (problem ? problem->what : "it is right"), "",
                 "");
  }
  check_runs(document, lesson);
}

}  // namespace

Key lesson_key() {
  Key key{"lesson", Form::section, lesson_table().section().help};
  key.section = &lesson_table().section();
  return key;
}

void read_lesson_group(YamlValue const& value, Lesson& lesson) {
  bool const had_problems = value.document.has_problems();
  lesson_table().read(value, lesson);
  if (had_problems || value.document.has_problems()) return;
  check_answers(value.document, lesson);
}

Lesson read_lesson(fs::path const& file) {
  YamlDocument document(file, read_text_file(file));
  Lesson lesson;
  lesson.file = file;
  YAML::Node const& root = document.root();
  if (document.is_yaml() && root.IsMap() && root["lesson"]) {
    YAML::Node const schema = root["schema"];
    lesson.is_profile = schema && schema.IsScalar() && schema.Scalar().starts_with("gridcast.prof");
    if (root["title"] && root["title"].IsScalar()) lesson.title = root["title"].Scalar();
    read_lesson_group(YamlValue{document, root, ""}.child("lesson", root["lesson"]), lesson);
  } else if (document.is_yaml()) {
    document.add(document.at(""), "there is no lesson in it", "", "It has to have a key 'lesson'.");
  }
  if (document.has_problems()) throw InputError(document.problems());
  return lesson;
}

std::vector<Lesson> read_lessons(fs::path const& folder) {
  std::vector<Lesson> lessons;
  std::vector<Problem> problems;
  std::error_code ignored;
  for (auto const& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".yaml") continue;
    try {
      lessons.push_back(read_lesson(entry.path()));
    } catch (InputError const& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  std::sort(lessons.begin(), lessons.end(),
            [](Lesson const& a, Lesson const& b) { return a.number < b.number; });
  auto const same =
      std::adjacent_find(lessons.begin(), lessons.end(),
                         [](Lesson const& a, Lesson const& b) { return a.number == b.number; });
  if (same != lessons.end()) {
    problems.push_back({{std::next(same)->file.string()},
                        fmt::format("lesson {} is there twice", same->number),
                        "also in " + same->file.string(),
                        ""});
  }
  if (problems.empty() && lessons.empty()) {
    problems.push_back({{folder.string()}, "there are no lessons in it", "", ""});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return lessons;
}

}  // namespace gridcast::scenario
