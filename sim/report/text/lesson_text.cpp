#include "sim/report/text/lesson_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {
namespace {

/// The words in lines that fit the screen and a page, each after `indent` blanks.
std::string wrapped(std::string const& words, std::size_t indent, Screen const& screen) {
  constexpr std::size_t page = 92;
  return std::string(indent, ' ') +
         paragraph(words, {std::min(screen.width, page), indent, indent});
}

std::string part(std::string const& title, std::string const& words, Screen const& screen) {
  return "\n" + title + "\n" + wrapped(std::string(trim(words)), 2, screen);
}

}  // namespace

std::string paragraph_text(std::string const& words, Screen const& screen) {
  return wrapped(std::string(trim(words)), 0, screen);
}

std::string lesson_list_text(std::vector<scenario::Lesson> const& lessons, Screen const& screen) {
  TextTable table({{"lesson", Align::right}, {"title", Align::left}, {"goal", Align::left}});
  for (scenario::Lesson const& lesson : lessons) {
    table.add_row({std::to_string(lesson.number), lesson.title, lesson.goal});
  }
  return table.str(screen) + "\n" +
         wrapped("gridcast lesson start N shows the task; gridcast open N is the page.", 0, screen);
}

std::string lesson_task_text(scenario::Lesson const& lesson, Screen const& screen) {
  std::string text = fmt::format("Lesson {}: {}\n", lesson.number, lesson.title);
  text += part("Question", lesson.question, screen);
  for (scenario::LessonChoice const& choice : lesson.choices) {
    text += wrapped(choice.name + ": " + choice.text, 4, screen);
  }
  text += part("Look at", lesson.look_at, screen) + part("Change", lesson.change, screen);
  text += "\n" +
          wrapped("First write down a guess: --guess shows it again beside the result.", 0, screen);
  text += fmt::format(
      "\nCommands\n  gridcast lesson run {0} --guess ANSWER\n"
      "  gridcast lesson run {0} --set KEY=VALUE\n"
      "  gridcast lesson check {0} ANSWER\n\ngridcast open {0} shows the same in a browser.\n",
      lesson.number);
  return text;
}

std::string lesson_command(scenario::Lesson const& lesson, scenario::SolutionRun const& run) {
  std::string text = fmt::format("gridcast lesson run {}", lesson.number);
  if (!run.strategy.empty()) text += " --strategy " + run.strategy;
  for (std::string const& set : run.overrides) text += " --set " + quoted_for_shell(set);
  return text;
}

std::string figure_unit(std::string const& name) {
  std::string const plain = name.substr(0, name.rfind(':'));
  if (name.starts_with("precision:")) return "";
  if (plain.ends_with("_s") && !plain.ends_with("_per_s")) return "s";
  return plain.ends_with("_B") ? "B" : "";
}

std::string figure_words(std::string const& name) {
  std::string const of = name.substr(name.find(':') + 1);
  if (name.starts_with("precision:")) {
    return fmt::format("half the 95 % interval of the mean {}, as a share of it", figure_words(of));
  }
  if (name.starts_with("finish_s:")) return fmt::format("end of {}'s last job", of);
  if (name.starts_with("transfer_s:")) return fmt::format("input transfer of job {}", of);
  if (name == "attempts_per_success") return "attempts for each job that succeeds";
  if (auto const* metric = ledger::find_metric(name)) return std::string(metric->label);
  return name;
}

std::string figure_text(std::string const& name, double value) {
  std::string const unit = figure_unit(name);
  if (std::isnan(value)) return "there is none in this run";
  if (unit == "s") return fmt::format("{} ({:.6g} s)", to_text(Seconds(value)), value);
  if (unit == "B") return to_text(Bytes(value));
  return fmt::format("{:.4g}", value);
}

std::string lesson_solution_text(scenario::Lesson const& lesson,
                                 std::vector<LessonFigure> const& runs, std::string const& answer,
                                 Screen const& screen) {
  std::string text = fmt::format("Lesson {}: {}\n", lesson.number, lesson.title);
  text += part("Question", lesson.question, screen) + "\n";
  TextTable table({{"command", Align::left}, {lesson.solution.figure, Align::right}});
  for (LessonFigure const& each : runs) {
    table.add_row(
        {lesson_command(lesson, each.run), figure_text(lesson.solution.figure, each.figure)});
  }
  text += table.str(screen) + "\n" + fmt::format("Answer: {}\n", lesson.answer);
  if (lesson.tolerance > 0) text += fmt::format("Right within {:.3g} %.\n", 100 * lesson.tolerance);
  if (answer != lesson.answer) text += fmt::format("From these runs: {}\n", answer);
  text += part("Why", lesson.why, screen);
  std::string const guess = scenario::words_on_first_guess(lesson);
  return text + (guess.empty() ? "" : part("First guess", guess, screen));
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = 1 << 20;

struct AnswerLine {
  int number = 0;
  std::string text;
};

/// The lines that contain an answer.
std::vector<AnswerLine> answer_lines_of(fs::path const& file) {
  expect_ordinary_file(file);
  std::vector<AnswerLine> lines;
  int number = 0;
  for (std::string const& text : split(read_text_file(file, most_bytes), '\n')) {
    ++number;
    std::string_view const words = trim(text);
    if (!words.empty() && words.front() != '#') lines.push_back({number, std::string(words)});
  }
  return lines;
}

/// Files of answers lie beside the roster and nowhere else.
bool is_file_name(std::string const& name) {
  return name.find('/') == std::string::npos && name != "." && name != "..";
}

class Marker {
 public:
  Marker(std::vector<scenario::Lesson> const& lessons, IsRight const& is_right)
      : lessons_(lessons), is_right_(is_right) {}

  StudentMarks mark(std::string const& name, fs::path const& file) {
    StudentMarks student{name, {}};
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return student;
    collect(problems, [&] {
      for (AnswerLine const& line : answer_lines_of(file)) mark_line(student, file, line);
    });
    return student;
  }

  std::vector<Problem> problems;

 private:
  void mark_line(StudentMarks& student, fs::path const& file, AnswerLine const& line) {
    int number = 0;
    auto const* const end = line.text.data() + line.text.size();
    auto const [stop, error] = std::from_chars(line.text.data(), end, number);
    bool const separated = stop != end && (*stop == ' ' || *stop == ':' || *stop == '\t');
    std::string answer(separated ? trim(std::string_view(stop, end).substr(1)) : "");
    auto const lesson = std::find_if(lessons_.begin(), lessons_.end(),
                                     [&](auto const& each) { return each.number == number; });
    if (error != std::errc() || answer.empty() || lesson == lessons_.end()) {
      problems.push_back({{file.string(), line.number},
                          lesson == lessons_.end() && error == std::errc()
                              ? fmt::format("there is no lesson {}", number)
                              : "this is no lesson with its answer",
                          "",
                          "Write the lesson's number and the answer: '1 5 h'."});
      return;
    }
    student.marks[number] = mark_of(*lesson, answer, student.name);
  }

  Mark mark_of(scenario::Lesson const& lesson, std::string const& answer,
               std::string const& student) const {
    if (scenario::answer_problem(lesson, answer)) return Mark::no_answer;
    return is_right_(lesson, answer, student) ? Mark::right : Mark::wrong;
  }

  std::vector<scenario::Lesson> const& lessons_;
  IsRight const& is_right_;
};

char const* word(Mark mark) {
  switch (mark) {
    case Mark::right:
      return "right";
    case Mark::wrong:
      return "wrong";
    case Mark::no_answer:
      break;
  }
  return "no answer";
}

auto right_ones(StudentMarks const& student) {
  return std::count_if(student.marks.begin(), student.marks.end(),
                       [](auto const& each) { return each.second == Mark::right; });
}

}  // namespace

std::vector<StudentMarks> mark_class(fs::path const& roster,
                                     std::vector<scenario::Lesson> const& lessons,
                                     IsRight const& is_right) {
  std::vector<StudentMarks> students;
  std::set<std::string> names;
  Marker marker(lessons, is_right);
  for (AnswerLine const& line : answer_lines_of(roster)) {
    if (!is_file_name(line.text) || !names.insert(line.text).second) {
      marker.problems.push_back({{roster.string(), line.number},
                                 fmt::format("'{}' is no name of a student", line.text),
                                 "each has a file of that name, and one only",
                                 ""});
      continue;
    }
    students.push_back(marker.mark(line.text, roster.parent_path() / (line.text + ".txt")));
  }
  if (!marker.problems.empty()) throw InputError(std::move(marker.problems));
  if (students.empty()) throw InputError(Problem{{roster.string()}, "there are no names", "", ""});
  return students;
}

std::string marks_text(std::vector<StudentMarks> const& students, Screen const& screen) {
  TextTable table({{"student", Align::left},
                   {"right", Align::right},
                   {"answered", Align::right},
                   {"not right", Align::left}});
  for (StudentMarks const& student : students) {
    std::string wrong;
    for (auto const& [lesson, mark] : student.marks) {
      if (mark == Mark::right) continue;
      wrong += fmt::format("{}{}{}", wrong.empty() ? "" : ", ", lesson,
                           mark == Mark::no_answer ? " (no answer)" : "");
    }
    table.add_row(std::vector<std::string>{student.name, std::to_string(right_ones(student)),
                                           std::to_string(student.marks.size()), wrong});
  }
  return table.str(screen);
}

Json marks_json(std::vector<StudentMarks> const& students) {
  Json list = Json::array();
  for (StudentMarks const& student : students) {
    Json marks = Json::object();
    for (auto const& [lesson, mark] : student.marks) marks[std::to_string(lesson)] = word(mark);
    list.push_back(
        {{"student", student.name}, {"right", right_ones(student)}, {"marks", std::move(marks)}});
  }
  return {{"schema", "gridcast.lesson_marks/1"}, {"students", std::move(list)}};
}

}  // namespace gridcast::report
