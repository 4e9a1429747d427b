#include "sim/scenario/lesson.hpp"

#include "sim/base/error.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::scenario_name;
using test::ScenarioFiles;
using Texts = std::vector<std::string>;

namespace {

constexpr char lesson_text[] = R"(
lesson:
  number: 3
  goal: g
  question: q
  look_at: l
  change: c
  answer: 2 h
  tolerance: 0.1
  why: w
  wrong: [{answer: 3 h, hint: no}]
  solution: {figure: makespan_s, runs: [{set: [campaign.work.epochs=2]}]}
)";

struct BadLesson {
  std::string from, to, told;
};

}  // namespace

TEST_CASE("A scenario with a lesson is a scenario, and its lesson can be read") {
  ScenarioFiles files;
  files.write(scenario_name, files.text(scenario_name) + lesson_text);
  CHECK(files.problems().empty());
  Lesson const lesson = read_lesson(files / scenario_name);
  CHECK(lesson.number == 3);
  CHECK(lesson.title == "A campaign");
  CHECK_FALSE(lesson.is_profile);
  CHECK(lesson.answer == "2 h");
  REQUIRE(lesson.solution.runs.size() == 1);
  CHECK(lesson.solution.runs[0].overrides == Texts{"campaign.work.epochs=2"});
}

TEST_CASE("What is wrong with a lesson is told where it stands") {
  std::vector<BadLesson> const bad = {
      {"goal: g", "gaol: g", "lesson: unknown key 'gaol'. Did you mean 'goal'?"},
      {"answer: 3 h", "answer: 3", "lesson.wrong[0].answer: '3' is no answer"},
      {"answer: 3 h", "answer: 130 min", "lesson.wrong[0].answer: it is right"},
      {"runs: [{set: [campaign.work.epochs=2]}]", "runs: [{}, {}]", "2 runs with rule 'value'"},
      {"makespan_s, runs", "makespan_s, rule: least, runs",
       "lesson.solution.runs[0].answer: '' is no answer"},
  };
  for (BadLesson const& each : bad) {
    CAPTURE(each.to);
    ScenarioFiles files;
    files.write(scenario_name, files.text(scenario_name) + lesson_text);
    files.edit(scenario_name, each.from, each.to);
    auto const found = files.problems([&] { read_lesson(files / scenario_name); });
    REQUIRE_FALSE(found.empty());
    CHECK_THAT(found[0] + (found.size() > 1 ? found[1] : ""), has_text(each.told));
    CHECK_FALSE(files.problems().empty());
  }
}

TEST_CASE("A file without a lesson is no lesson") {
  ScenarioFiles const files;
  auto const found = files.problems([&] { read_lesson(files / scenario_name); });
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("there is no lesson in it"));
}

TEST_CASE("The shipped lessons can be read, and are numbered from 1 without gaps") {
  auto const lessons = read_lessons(test::source_dir() / "scenarios" / "teaching");
  REQUIRE(lessons.size() >= 11);
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    CAPTURE(lessons[i].file);
    CHECK(lessons[i].number == static_cast<int>(i) + 1);
    CHECK(lessons[i].wrong.size() >= 2);
    CHECK_FALSE(lessons[i].why.empty());
  }
}

}  // namespace gridcast::scenario
