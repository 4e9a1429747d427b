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
  first_guess: {answer: 3 h, leaves_out: the rest}
  solution: {figure: makespan_s, runs: [{set: [campaign.work.epochs=2]}]}
)";

struct BadLesson {
  std::string from, to, printed;
};

Lesson lesson_with(std::string const& answer, double tolerance = 0) {
  Lesson lesson;
  lesson.answer = answer;
  lesson.tolerance = tolerance;
  lesson.look_at = "the ledger";
  return lesson;
}

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

TEST_CASE("Mistakes in a lesson are reported with their place") {
  std::vector<BadLesson> const bad = {
      {"goal: g", "gaol: g", "lesson: unknown key 'gaol'. Did you mean 'goal'?"},
      {"[{answer: 3 h", "[{answer: 3", "lesson.wrong[0].answer: '3' is no answer"},
      {"[{answer: 3 h", "[{answer: 130 min", "lesson.wrong[0].answer: it is right"},
      {"{answer: 3 h, leaves", "{answer: 5 h, leaves",
       "lesson.first_guess.answer: '5 h' is no wrong answer"},
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
    CHECK_THAT(found[0] + (found.size() > 1 ? found[1] : ""), has_text(each.printed));
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
  REQUIRE(lessons.size() >= 16);
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    CAPTURE(lessons[i].file);
    CHECK(lessons[i].number == static_cast<int>(i) + 1);
    CHECK(lessons[i].wrong.size() >= 2);
    CHECK_FALSE(lessons[i].why.empty());
    CHECK_FALSE(lessons[i].first_guess.answer.empty());
  }
}

TEST_CASE("A time is right in any unit, within the tolerance") {
  Lesson const lesson = lesson_with("2 h", 0.1);
  CHECK(is_right(lesson, "2 h"));
  CHECK(is_right(lesson, "120 min"));
  CHECK(is_right(lesson, " 7920 s"));
  CHECK_FALSE(is_right(lesson, "7921 s"));
  CHECK_FALSE(is_right(lesson, "107 min"));
}

TEST_CASE("A size and a count") {
  CHECK(is_right(lesson_with("30 GB"), "30000 MB"));
  CHECK_FALSE(is_right(lesson_with("30 GB"), "30 GiB"));
  Lesson jobs = lesson_with("6");
  jobs.unit = "jobs";
  CHECK(is_right(jobs, "6"));
  CHECK(is_right(jobs, "6 jobs"));
  CHECK_FALSE(is_right(jobs, "5 jobs"));
  CHECK(answer_problem(jobs, "6 GPUs"));
  CHECK(is_right(lesson_with("0"), "0"));
}

TEST_CASE("A choice, in capitals or not") {
  Lesson lesson = lesson_with("b");
  lesson.choices = {{"a", "one"}, {"b", "two"}};
  CHECK(is_right(lesson, "b"));
  CHECK(is_right(lesson, "B"));
  CHECK_FALSE(is_right(lesson, "a"));
  REQUIRE(answer_problem(lesson, "zebra"));
  CHECK_THAT(answer_problem(lesson, "zebra")->hint, has_text("a, b"));
}

TEST_CASE("A text that is no answer does not count as a wrong one") {
  Lesson const lesson = lesson_with("2 h", 0.1);
  REQUIRE(answer_problem(lesson, "2"));
  CHECK_THAT(answer_problem(lesson, "2")->hint, has_text("unit"));
  CHECK_THROWS_AS(is_right(lesson, "2 GB"), InputError);
  CHECK_THROWS_AS(is_right(lesson, "nan h"), InputError);
  CHECK_THROWS_AS(is_right(lesson_with("2"), "two"), InputError);
}

TEST_CASE("A wrong answer gets its own hint, another one the general one") {
  Lesson lesson = lesson_with("2 h", 0.1);
  lesson.wrong = {{"4 h", "half of it"}};
  CHECK(hint_for(lesson, "240 min") == "half of it");
  CHECK(hint_for(lesson, "5 h") == "Look at the ledger");
  lesson.wrong.push_back({"4.1 h", "nearly half"});
  CHECK(hint_for(lesson, "4.06 h") == "nearly half");
  CHECK(hint_for(lesson, "4.04 h") == "half of it");
  lesson.hint = "think";
  CHECK(hint_for(lesson, "5 h") == "think");
}

TEST_CASE("A guess gets its omission, but no verdict") {
  Lesson lesson = lesson_with("2 h", 0.1);
  lesson.wrong = {{"4 h", "half of it"}};
  CHECK(words_on_guess(lesson, "4 h") == "half of it");
  CHECK(words_on_guess(lesson, "5 h").empty());
  CHECK(words_on_guess(lesson, "2 h").empty());
  CHECK_THROWS_AS(words_on_guess(lesson, "2 GB"), InputError);
  CHECK(words_on_first_guess(lesson).empty());
  lesson.first_guess = {"4 h", "the other half."};
  CHECK(words_on_first_guess(lesson) ==
        "A plausible first guess is 4 h. It leaves out the other half.");
}

TEST_CASE("The settings of a lesson begin at the values of its files") {
  auto const folder = test::source_dir() / "scenarios" / "teaching";
  auto const premise = [&](char const* file, char const* knob) {
    return premise_of(read_lesson(folder / file), knob);
  };
  CHECK(premise("01-waiting-and-matching.yaml", "campaign.request.gpu_memory") == "16 GB");
  CHECK(premise("03-shared-link.yaml", "calibration.link_capacity_Bps.campus") == "2.5e+08");
  CHECK(premise("03-shared-link.yaml", "campaign.submit.0.jobs") == "20");
  CHECK(premise("03-shared-link.yaml", "pool.sites.campus.gpus") == "20");
  CHECK(premise("15-critical-path.yaml", "campaign.submit.train.scale") == "5");
  CHECK(premise("10-slow-worker.yaml", "compute.slowest") == "1");
  CHECK(premise("02-fair-share.yaml", "campaign.submit.1.priority_factor").empty());
  CHECK(premise("02-fair-share.yaml", "campaign.submit.7.user").empty());
}

TEST_CASE("The settings of the shipped lessons have words") {
  for (Lesson const& lesson : read_lessons(test::source_dir() / "scenarios" / "teaching")) {
    CAPTURE(lesson.number);
    for (LessonKnob const& knob : knobs_of(lesson)) {
      CAPTURE(knob.path);
      CHECK(knob.words != knob.path);
      CHECK(knob.words.find('_') == std::string::npos);
    }
  }
}

TEST_CASE("A figure becomes an answer of the same kind") {
  CHECK(is_right(lesson_with("2 h"), answer_text(lesson_with("2 h"), 7200)));
  CHECK(is_right(lesson_with("30 GB"), answer_text(lesson_with("30 GB"), 3e10)));
  CHECK(answer_text(lesson_with("6"), 6) == "6");
}

}  // namespace gridcast::scenario
