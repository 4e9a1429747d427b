#include "sim/scenario/lesson.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;

namespace {

Lesson lesson_with(std::string const& answer, double tolerance = 0) {
  Lesson lesson;
  lesson.answer = answer;
  lesson.tolerance = tolerance;
  lesson.look_at = "the ledger";
  return lesson;
}

}  // namespace

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

TEST_CASE("What is no answer is not taken for a wrong one") {
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
  lesson.hint = "think";
  CHECK(hint_for(lesson, "5 h") == "think");
}

TEST_CASE("A figure becomes an answer of the same kind") {
  CHECK(is_right(lesson_with("2 h"), answer_text(lesson_with("2 h"), 7200)));
  CHECK(is_right(lesson_with("30 GB"), answer_text(lesson_with("30 GB"), 3e10)));
  CHECK(answer_text(lesson_with("6"), 6) == "6");
}

}  // namespace gridcast::scenario
