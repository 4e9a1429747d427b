#include "sim/base/error.hpp"

#include "tests/test.hpp"

namespace gridcast::inline base {
namespace {

TEST_CASE("a problem says where, what, why and what to do, as far as known", "[error]") {
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

TEST_CASE("check throws what was expected", "[error]") {
  CHECK_NOTHROW(check(true, "the sky is blue"));
  CHECK_THROWS_WITH(check(false, "the sky is blue"), "the sky is blue");
  CHECK_THROWS_AS(check(false, ""), InternalError);
}

}  // namespace
}  // namespace gridcast::inline base
