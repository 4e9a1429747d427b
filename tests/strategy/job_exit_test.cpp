#include "sim/classad/ad.hpp"
#include "sim/strategy/policy_expressions.hpp"
#include "tests/test.hpp"

namespace gridcast::strategy {

namespace {

AfterExit after(scenario::JobPolicy const& policy, int exit_code, int completions = 1) {
  classad::Ad ad;
  ad.set("ExitCode", exit_code);
  ad.set("NumJobCompletions", completions);
  return after_exit(policy, {exit_code, completions, {ad, nullptr, 0}});
}

}  // namespace

TEST_CASE("A job leaves the queue whatever its exit code, unless something is said") {
  CHECK(after({}, 0) == AfterExit::leave);
  CHECK(after({}, 1) == AfterExit::leave);
}

TEST_CASE("max_retries allows as many more runs") {
  scenario::JobPolicy policy;
  policy.max_retries = 2;
  CHECK(after(policy, 0) == AfterExit::leave);
  CHECK(after(policy, 1, 1) == AfterExit::requeue);
  CHECK(after(policy, 1, 2) == AfterExit::requeue);
  CHECK(after(policy, 1, 3) == AfterExit::leave);
  policy.max_retries = 0;
  CHECK(after(policy, 1, 1) == AfterExit::leave);
  policy.success_exit_code = 7;
  policy.max_retries = 2;
  CHECK(after(policy, 7) == AfterExit::leave);
  CHECK(after(policy, 0) == AfterExit::requeue);
}

TEST_CASE("retry_until and on_exit_remove let a job leave before its retries are used up") {
  scenario::JobPolicy policy;
  policy.retry_until = classad::parse("ExitCode == 3");
  CHECK(after(policy, 3) == AfterExit::leave);
  CHECK(after(policy, 1, 2) == AfterExit::requeue);
  CHECK(after(policy, 1, 3) == AfterExit::leave);  // two retries without max_retries
  policy.retry_until = classad::parse("3");
  CHECK(after(policy, 3) == AfterExit::leave);
  CHECK(after(policy, 1, 2) == AfterExit::requeue);
  policy.on_exit_remove = classad::parse("ExitCode == 1");
  CHECK(after(policy, 1, 1) == AfterExit::leave);
}

TEST_CASE("on_exit_remove alone decides, and what is undefined does not remove") {
  scenario::JobPolicy policy;
  policy.on_exit_remove = classad::parse("ExitCode == 0");
  CHECK(after(policy, 0) == AfterExit::leave);
  CHECK(after(policy, 1, 100) == AfterExit::requeue);
  policy.on_exit_remove = classad::parse("NoSuchAttribute == 0");
  CHECK(after(policy, 0) == AfterExit::requeue);
}

TEST_CASE("on_exit_hold comes before all else") {
  scenario::JobPolicy policy;
  policy.on_exit_hold = classad::parse("ExitCode =!= 0");
  policy.max_retries = 5;
  CHECK(after(policy, 1) == AfterExit::hold);
  CHECK(after(policy, 0) == AfterExit::leave);
}

}  // namespace gridcast::strategy
