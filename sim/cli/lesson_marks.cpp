#include "sim/cli/lesson_marks.hpp"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = 1 << 20;

struct Line {
  int number = 0;
  std::string text;
};

/// Those that say something.
std::vector<Line> lines_of(fs::path const& file) {
  std::vector<Line> lines;
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
    try {
      for (Line const& line : lines_of(file)) mark_line(student, file, line);
    } catch (InputError const& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
    return student;
  }

  std::vector<Problem> problems;

 private:
  void mark_line(StudentMarks& student, fs::path const& file, Line const& line) {
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
  for (Line const& line : lines_of(roster)) {
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

std::string marks_text(std::vector<StudentMarks> const& students, report::Screen const& screen) {
  using report::Align;
  report::TextTable table({{"student", Align::left},
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

report::Json marks_json(std::vector<StudentMarks> const& students) {
  report::Json list = report::Json::array();
  for (StudentMarks const& student : students) {
    report::Json marks = report::Json::object();
    for (auto const& [lesson, mark] : student.marks) marks[std::to_string(lesson)] = word(mark);
    list.push_back(
        {{"student", student.name}, {"right", right_ones(student)}, {"marks", std::move(marks)}});
  }
  return {{"schema", "gridcast.lesson_marks/1"}, {"students", std::move(list)}};
}

}  // namespace gridcast::cli
