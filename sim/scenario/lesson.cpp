#include "sim/scenario/lesson.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/scenario/tables.hpp"
#include "sim/scenario/yaml/document.hpp"

namespace gridcast::scenario {
namespace {

namespace fs = std::filesystem;

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

/// The number of an answer that is not one of the choices.
std::optional<double> number_in(Lesson const& lesson, std::string const& answer) {
  Kind const kind = kind_of(lesson);
  if (kind == Kind::number) return count_in(trim(answer), lesson.unit);
  auto const time = kind == Kind::time ? parse_seconds(answer) : std::nullopt;
  auto const size = kind == Kind::size ? parse_bytes(answer) : std::nullopt;
  if (time) return time->value();
  return size ? std::optional(size->value()) : std::nullopt;
}

/// For a lesson without choices.
std::string what_is_wanted(Lesson const& lesson) {
  Kind const kind = kind_of(lesson);
  if (kind == Kind::time) return "Answer with a time and its unit, such as '90 min'.";
  if (kind == Kind::size) return "Answer with a size and its unit, such as '20 GB'.";
  return fmt::format("Answer with a number{}.",
                     lesson.unit.empty() ? "" : " (of " + lesson.unit + ")");
}

/// True if two answers are the same, within a tolerance relative to the second.
bool same(Lesson const& lesson, std::string const& answer, std::string const& as,
          double tolerance) {
  if (kind_of(lesson) == Kind::choice) return same_ignoring_case(trim(answer), trim(as));
  double const wanted = number_in(lesson, as).value_or(NAN);
  double const rounding = 1e-9 * std::abs(wanted);
  return std::abs(number_in(lesson, answer).value_or(NAN) - wanted) <=
         tolerance * std::abs(wanted) + rounding;
}

Table<LessonChoice> const& choice_table() {
  static Table<LessonChoice> const table =
      Table<LessonChoice>("Answers to choose from")
          .required("name", &LessonChoice::name, "The answer to give, a letter or a word")
          .required("text", &LessonChoice::text, "Its meaning");
  return table;
}

Table<WrongAnswer> const& wrong_table() {
  static Table<WrongAnswer> const table =
      Table<WrongAnswer>("Common wrong answers")
          .required("answer", &WrongAnswer::answer, "The answer as given")
          .required("hint", &WrongAnswer::hint, "A hint for this answer");
  return table;
}

Table<FirstGuess> const& guess_table() {
  static Table<FirstGuess> const table =
      Table<FirstGuess>("A plausible first guess, one of the wrong answers")
          .required("answer", &FirstGuess::answer, "The answer as given")
          .required("leaves_out", &FirstGuess::leaves_out,
                    "The point that it misses, shown afterwards");
  return table;
}

Table<SolutionRun> const& run_table() {
  static Table<SolutionRun> const table =
      Table<SolutionRun>("Runs, one after the other")
          .optional("answer", &SolutionRun::answer, "Its answer; not with rule `value`")
          .optional("strategy", &SolutionRun::strategy, "Without it, the baseline")
          .add({"set", Form::names, "PATH=VALUE, as for --set"}, &SolutionRun::overrides);
  return table;
}

Table<LessonKnob> const& knob_table() {
  static Table<LessonKnob> const table =
      Table<LessonKnob>("Settings to change")
          .required("set", &LessonKnob::path, "Its path, as for --set")
          .required("words", &LessonKnob::words, "The label of its field");
  return table;
}

Table<LessonSolution> const& solution_table() {
  static Table<LessonSolution> const table =
      Table<LessonSolution>("Runs that give the answer")
          .required("figure", &LessonSolution::figure, "The figure of each run that is compared")
          .choice("rule", &LessonSolution::rule,
                  {{"value", AnswerRule::value},
                   {"least", AnswerRule::least},
                   {"most", AnswerRule::most},
                   {"first_within", AnswerRule::first_within}},
                  "value: the figure itself; otherwise the answer of the run with least, most, "
                  "or the first within the bound")
          .optional("bound", &LessonSolution::bound, "Bound of first_within, in the figure's unit")
          .list("runs", &LessonSolution::runs, run_table());
  return table;
}

Table<Lesson> const& lesson_table() {
  static Table<Lesson> const table =
      Table<Lesson>("The lesson of the file")
          .required("number", &Lesson::number, "Its place among the lessons", between(1, 999))
          .required("goal", &Lesson::goal, "The knowledge to gain")
          .optional("prerequisites", &Lesson::prerequisites, "The knowledge needed before")
          .required("question", &Lesson::question, "The question")
          .required("look_at", &Lesson::look_at, "Where in the results")
          .required("change", &Lesson::change, "The change to try")
          .optional("hint", &Lesson::hint, "For wrong answers that are not listed")
          .list("choices", &Lesson::choices, choice_table(), false)
          .required("answer", &Lesson::answer, "The right one, a number with its unit or a choice")
          .optional("unit", &Lesson::unit, "The unit of an answer that is a count, such as jobs")
          .optional("tolerance", &Lesson::tolerance, "By how much a number may differ, relative",
                    between(0, 1))
          .required("why", &Lesson::why, "Why that is the answer")
          .list("wrong", &Lesson::wrong, wrong_table(), false)
          .list("knobs", &Lesson::knobs, knob_table(), false)
          .list("tries", &Lesson::tries, run_table(), false)
          .group("first_guess", false, &Lesson::first_guess, guess_table())
          .group("solution", true, &Lesson::solution, solution_table());
  return table;
}

void check_runs(YamlDocument& document, Lesson const& lesson) {
  auto const& [figure, rule, bound, runs] = lesson.solution;
  if (rule == AnswerRule::value && runs.size() != 1) {
    document.complain("lesson.solution.runs", fmt::format("{} runs with rule 'value'", runs.size()),
                      "the figure of the one run is the answer");
  }
  for (std::size_t i = 0; i < runs.size() && rule != AnswerRule::value; ++i) {
    auto const problem = answer_problem(lesson, runs[i].answer);
    if (problem)
      document.complain(fmt::format("lesson.solution.runs[{}].answer", i), problem->what);
  }
}

/// The wrong answer that it is, of several the nearest. They have the lesson's tolerance, but never
/// more than lies between them and the right one.
WrongAnswer const* wrong_answer(Lesson const& lesson, std::string const& answer) {
  auto const away = [&](WrongAnswer const* wrong) {
    return std::abs(number_in(lesson, answer).value_or(0) -
                    number_in(lesson, wrong->answer).value_or(0));
  };
  WrongAnswer const* nearest = nullptr;
  for (WrongAnswer const& wrong : lesson.wrong) {
    if (!same(lesson, answer, wrong.answer, std::min(lesson.tolerance, 0.05))) continue;
    if (!nearest || away(&wrong) < away(nearest)) nearest = &wrong;
  }
  return nearest;
}

void check_first_guess(YamlDocument& document, Lesson const& lesson) {
  std::string const& guess = lesson.first_guess.answer;
  if (guess.empty() || wrong_answer(lesson, guess)) return;
  document.complain("lesson.first_guess.answer", fmt::format("'{}' is no wrong answer", guess),
                    "who gives it gets its hint", "Add it to `wrong`.");
}

/// Problems that the tables cannot find: invalid answers, and wrong ones that are right.
void check_answers(YamlDocument& document, Lesson const& lesson) {
  if (auto const problem = answer_problem(lesson, lesson.answer)) {
    return document.complain("lesson.answer", problem->what);
  }
  for (std::size_t i = 0; i < lesson.wrong.size(); ++i) {
    std::string const& answer = lesson.wrong[i].answer;
    auto const problem = answer_problem(lesson, answer);
    if (!problem && !is_right(lesson, answer)) continue;
    document.complain(fmt::format("lesson.wrong[{}].answer", i),
                      problem ? problem->what : "it is right");
  }
  check_first_guess(document, lesson);
  check_runs(document, lesson);
}

YAML::Node yaml_of(fs::path const& file) { return YamlDocument(file, read_text_file(file)).root(); }

fs::path file_beside(Lesson const& lesson, YAML::Node const& root, char const* key) {
  return lesson.file.parent_path() / value_at(root, key);
}

std::string in_first_draw(YAML::Node const& calibration, std::string const& column) {
  YAML::Node const columns = calibration["draws"]["columns"];
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].Scalar() == column) {
      return value_at(calibration["draws"]["rows"], fmt::format("0.{}", i));
    }
  }
  return "";
}

}  // namespace

std::optional<Problem> answer_problem(Lesson const& lesson, std::string const& answer) {
  if (kind_of(lesson) != Kind::choice) {
    if (number_in(lesson, answer)) return std::nullopt;
    return Problem{{}, fmt::format("'{}' is no answer", answer), "", what_is_wanted(lesson)};
  }
  auto const names = names_of(lesson.choices);
  bool const known = std::ranges::any_of(
      names, [&](std::string const& name) { return same_ignoring_case(name, trim(answer)); });
  if (known) return std::nullopt;
  return Problem{
      {}, fmt::format("'{}' is none of the choices", answer), "", suggestion(answer, names)};
}

bool is_right(Lesson const& lesson, std::string const& answer) {
  if (auto const problem = answer_problem(lesson, answer)) throw InputError(*problem);
  return same(lesson, answer, lesson.answer, lesson.tolerance);
}

std::string hint_for(Lesson const& lesson, std::string const& answer) {
  if (WrongAnswer const* const wrong = wrong_answer(lesson, answer)) return wrong->hint;
  return lesson.hint.empty() ? "Look at " + lesson.look_at : lesson.hint;
}

std::string words_on_guess(Lesson const& lesson, std::string const& guess) {
  if (is_right(lesson, guess)) return "";
  WrongAnswer const* const wrong = wrong_answer(lesson, guess);
  return wrong ? wrong->hint : "";
}

std::string words_on_first_guess(Lesson const& lesson) {
  auto const& [guess, leaves_out] = lesson.first_guess;
  if (guess.empty()) return "";
  return fmt::format("A plausible first guess is {}. It leaves out {}", guess, leaves_out);
}

std::string answer_text(Lesson const& lesson, double figure) {
  Kind const kind = kind_of(lesson);
  return fmt::format("{:.6g}{}", figure,
                     kind == Kind::time   ? " s"
                     : kind == Kind::size ? " B"
                                          : "");
}

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
    collect(problems, [&] {
      expect_ordinary_file(entry.path());
      lessons.push_back(read_lesson(entry.path()));
    });
  }
  std::ranges::sort(lessons, {}, &Lesson::number);
  auto const same = std::ranges::adjacent_find(lessons, {}, &Lesson::number);
  if (same != lessons.end()) {
    add_problem(problems, {std::next(same)->file.string()},
                fmt::format("lesson {} is there twice", same->number),
                "also in " + same->file.string());
  }
  if (problems.empty() && lessons.empty()) {
    add_problem(problems, {folder.string()}, "there are no lessons in it");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  return lessons;
}

std::vector<LessonKnob> knobs_of(Lesson const& lesson) {
  std::vector<LessonKnob> knobs = lesson.knobs;
  auto const add = [&](std::string const& path) {
    bool const known = std::ranges::count(knobs, path, &LessonKnob::path) > 0;
    if (!known) knobs.push_back({path, path});
  };
  for (auto const* runs : {&lesson.solution.runs, &lesson.tries}) {
    for (SolutionRun const& run : *runs) {
      for (std::string const& set : run.overrides) add(set.substr(0, set.find('=')));
    }
  }
  return knobs;
}

std::string premise_of(Lesson const& lesson, std::string const& knob) {
  YAML::Node const root = yaml_of(lesson.file);
  auto const beside = [&](char const* key) { return yaml_of(file_beside(lesson, root, key)); };
  if (knob.starts_with("pool.")) return value_at(beside("pool"), knob.substr(5));
  if (knob.starts_with("calibration."))
    return in_first_draw(beside("calibration"), knob.substr(12));
  return value_at(root, knob);
}

}  // namespace gridcast::scenario
