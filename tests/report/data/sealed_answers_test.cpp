#include "sim/report/text/lesson_text.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

scenario::Lesson lesson() {
  scenario::Lesson lesson;
  lesson.number = 4;
  lesson.goal = "the secret goal";
  lesson.why = "the secret reason";
  lesson.look_at = "the ledger";
  lesson.answer = "100 s";
  lesson.tolerance = 0.05;
  lesson.wrong = {{"30 s", "the secret hint"}};
  return lesson;
}

}  // namespace

TEST_CASE("Sealed answers show neither the answer nor the reasons") {
  auto const json = sealed_answers(lesson());
  std::string const text = json.dump();
  CHECK(text.find("secret goal") == std::string::npos);
  CHECK(text.find("secret reason") == std::string::npos);
  CHECK(text.find("secret hint") == std::string::npos);
  CHECK(text.find("100 s") == std::string::npos);
  CHECK(json["kind"] == "time");
  // All steps of 0.1 % from 95 s to 105 s, and from 28.5 s to 31.5 s.
  CHECK(json["locks"].size() >= 195);
  CHECK(json["locks"].size() <= 210);
  CHECK(json["other"]["hint"] == "Look at the ledger.");
  CHECK(json == sealed_answers(lesson()));
}

TEST_CASE("A choice has a lock for each of its answers") {
  auto choices = lesson();
  choices.answer = "b";
  choices.tolerance = 0;
  choices.choices = {{"a", "one"}, {"b", "two"}};
  choices.wrong = {{"a", "no"}};
  auto const json = sealed_answers(choices);
  CHECK(json["kind"] == "choice");
  CHECK(json["locks"].size() == 2);
  CHECK(json["boxes"].size() == 2);
}

}  // namespace gridcast::report
