#include "sim/base/error.hpp"

#include <algorithm>

#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

TEST_CASE("a problem has its place, name, reason and remedy, as far as known", "[error]") {
  CHECK(Problem{{"a.yaml", 3, 5}, "unknown key 'job'", "not in a campaign", "Did you mean 'jobs'?"}
            .to_text() ==
        "a.yaml:3:5: unknown key 'job' (not in a campaign). Did you mean 'jobs'?");
  CHECK(Problem{{"a.yaml", 3, 0}, "what", "", ""}.to_text() == "a.yaml:3: what");
  CHECK(Problem{{"a.yaml", 0, 5}, "what", "why", ""}.to_text() == "a.yaml: what (why)");
  CHECK(Problem{{"", 3, 5}, "what", "", "hint"}.to_text() == "3:5: what. hint");
  CHECK(Problem{{}, "what", "", ""}.to_text() == "what");
}

TEST_CASE("an input error carries all its problems, one a line", "[error]") {
  InputError const error({Problem{{"a", 1, 2}, "first", "", ""}, Problem{{"b"}, "second", "", ""}});
  CHECK(error.problems().size() == 2);
  CHECK(std::string(error.what()) == "a:1:2: first\nb: second");
  InputError const single(Problem{{}, "only", "", ""});
  CHECK(single.problems().size() == 1);
  CHECK(std::string(single.what()) == "only");
  std::vector<Problem> const none;
  CHECK_THROWS_AS(throw InputError(none), InternalError);
}

TEST_CASE("problems of several inputs are collected, and no other failure is", "[error]") {
  std::vector<Problem> problems;
  int done = 0;
  collect(problems, [&] {
    throw InputError({Problem{{"a"}, "1", "", ""}, Problem{{"a"}, "2", "", ""}});
  });
  collect(problems, [&] { ++done; });
  collect(problems, [&] { throw InputError(Problem{{"b"}, "3", "", ""}); });
  CHECK(done == 1);
  REQUIRE(problems.size() == 3);
  CHECK(problems.back().to_text() == "b: 3");
  auto const full = [] { throw ResourceError(Problem{{}, "the disk is full", "", ""}); };
  CHECK_THROWS_AS(collect(problems, full), ResourceError);
  CHECK(problems.size() == 3);
}

TEST_CASE("a long list of problems shows the first ones and the number of the others", "[error]") {
  std::vector<Problem> many;
  for (int i = 0; i < 100000; ++i) many.push_back({{"a", i + 1}, "unknown key", "", ""});
  InputError const error(many);
  CHECK(error.problems().size() == 100000);
  std::string const text = error.what();
  CHECK(std::count(text.begin(), text.end(), '\n') == 10);
  CHECK(text.starts_with("a:1: unknown key\na:2: "));
  CHECK(text.ends_with("\na:10: unknown key\nand 99990 more problems"));
  many.resize(11);
  CHECK(std::string(InputError(many).what()).ends_with("\na:11: unknown key"));
}

TEST_CASE("the content of a file does not control a terminal", "[error]") {
  std::string const text =
      Problem{{"a\x1b[2J.yaml"}, "unknown key '\x1b]0;x\a'", "\xff\r", "a\nb"}.to_text();
  CHECK(text == "a\\x1b[2J.yaml: unknown key '\\x1b]0;x\\x07' (\\xff\\r). a\\nb");
}

TEST_CASE("a problem is short however long the values of the input are", "[error]") {
  auto const text = [](std::string what) { return Problem{{}, std::move(what), "", ""}.to_text(); };
  std::string const most(200, 'x'), cut = "key: '" + most + "...' is no number";
  CHECK(text("key: '" + most + "' is no number") == "key: '" + most + "' is no number");
  CHECK(text("key: '" + most + "y' is no number") == cut);
  CHECK(text("key: '" + most + std::string(20'000'000, 'y') + "' is no number") == cut);
  // Whole characters: of an umlaut of two bytes the second would be the 201st.
  CHECK(text("'" + std::string(199, 'x') + "\u00fcy'") == "'" + std::string(199, 'x') + "...'");
  CHECK(text("the pool's '" + most + "y'") == "the pool's '" + most + "...'");
  // A text without quotes loses its middle.
  std::string const line(4000, 'a');
  CHECK(text(line) == line);
  CHECK(text(line + "aa: unknown key").size() == 3000 + 5 + 1000);
  CHECK_THAT(text(line + "aa: unknown key"), test::has_text(": unknown key"));
  CHECK(text(std::string(3000, 'a') + std::string(5000, '\'')).size() <= 4005);
  // A file that is no UTF-8.
  CHECK(text(std::string(20'000'000, '\x80')).size() <= 4 * 4010);
}

TEST_CASE("a failed check throws an internal error with its words", "[error]") {
  CHECK_NOTHROW(check(true, "the sky is blue"));
  CHECK_THROWS_WITH(check(false, "the sky is blue"), "the sky is blue");
  CHECK_THROWS_AS(check(false, ""), InternalError);
}

}  // namespace
}  // namespace gridcast::inline base
