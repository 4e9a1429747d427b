#include "sim/classad/expression.hpp"
#include "sim/strategy/decisions.hpp"
#include "tests/test.hpp"

namespace gridcast::strategy {

namespace {

AfterExit after(scenario::JobPolicy const& policy, int exit_code, int completions = 1) {
  classad::Ad ad;
  ad.set("ExitCode", exit_code);
  ad.set("NumJobCompletions", completions);
  return after_exit(policy, {exit_code, completions, {ad, nullptr, 0}});
}

constexpr Seconds interval(60);

/// The value in an ad that entered its status at 0 and knows nothing else but the time.
std::optional<PolicyDecision> decide(scenario::JobPolicy const& policy, PolicyView const& view,
                                     Seconds now = Seconds(90), int* looked = nullptr) {
  auto const holds = [&](classad::Expression const& rule, Seconds at) {
    if (looked) ++*looked;
    classad::Ad ad;
    ad.set("EnteredCurrentStatus", 0);
    ad.set("CurrentTime", static_cast<std::int64_t>(at.value()));
    return classad::holds(
        classad::evaluate(rule, {ad, nullptr, static_cast<std::int64_t>(at.value())}));
  };
  return next_decision(policy, view, {now, interval, days(90)}, holds);
}

PolicyView const held{
    .status = history::JobStatus::held, .by_user = false, .started = {}, .executing = {}};
PolicyView const idle{
    .status = history::JobStatus::idle, .by_user = false, .started = {}, .executing = {}};

}  // namespace

TEST_CASE("A job leaves the queue with any exit code, unless a command changes that") {
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

TEST_CASE("on_exit_remove alone decides, and an undefined value does not remove") {
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

TEST_CASE("An expression is found true at the first look at which it is") {
  scenario::JobPolicy policy;
  policy.periodic_release = classad::parse("time() - EnteredCurrentStatus > 1200");
  auto const decision = decide(policy, held);
  REQUIRE(decision);
  CHECK(decision->action == PolicyAction::release);
  CHECK(decision->reason == history::Reason::policy);
  CHECK(decision->at == Seconds(1260));  // 1200 is not more than 1200
  policy.periodic_release = classad::parse("CurrentTime > 5000000");
  CHECK(decide(policy, held)->at == Seconds(60 * 83334.0));
}

TEST_CASE("An expression that holds at once is acted on at the next look") {
  scenario::JobPolicy policy;
  policy.periodic_remove = classad::parse("true");
  CHECK(decide(policy, idle, Seconds(90))->at == Seconds(120));
  CHECK(decide(policy, idle, Seconds(120))->at == Seconds(180));
}

TEST_CASE("An expression without a time is evaluated once") {
  scenario::JobPolicy policy;
  policy.periodic_remove = classad::parse("NumHolds > 3");
  int looked = 0;
  CHECK_FALSE(decide(policy, idle, Seconds(90), &looked));
  CHECK(looked == 1);
  policy.periodic_remove = classad::parse("CurrentTime < 0");
  CHECK_FALSE(decide(policy, idle, Seconds(90), &looked));
  CHECK(looked < 20);
}

TEST_CASE("Each action is for the states that it makes sense in") {
  scenario::JobPolicy policy;
  policy.periodic_hold = policy.periodic_release = policy.periodic_vacate = classad::parse("true");
  CHECK(decide(policy, held)->action == PolicyAction::release);
  CHECK(decide(policy, idle)->action == PolicyAction::hold);
  policy.periodic_hold.reset();
  CHECK_FALSE(decide(policy, idle));
  PolicyView other = idle;
  other.status = history::JobStatus::running;
  CHECK(decide(policy, other)->action == PolicyAction::vacate);
  other = held;
  other.by_user = true;
  CHECK_FALSE(decide(policy, other));
}

TEST_CASE("The earlier action wins, and of two at once the first in HTCondor's order") {
  scenario::JobPolicy policy;
  policy.periodic_hold = classad::parse("time() > 500");
  policy.periodic_remove = classad::parse("time() > 400");
  CHECK(decide(policy, idle)->action == PolicyAction::remove);
  policy.periodic_remove = classad::parse("time() > 500");
  CHECK(decide(policy, idle)->action == PolicyAction::hold);
}

TEST_CASE("Each rule that is looked at now and then makes a policy periodic, and no other does") {
  using Policy = scenario::JobPolicy;
  for (auto const rule : {&Policy::periodic_hold, &Policy::periodic_release,
                          &Policy::periodic_remove, &Policy::periodic_vacate}) {
    Policy policy;
    policy.*rule = classad::parse("true");
    CHECK(has_periodic(policy));
  }
  for (auto const limit : {&Policy::allowed_execute_duration, &Policy::allowed_job_duration}) {
    Policy policy;
    policy.*limit = Seconds(100);
    CHECK(has_periodic(policy));
  }
  for (auto const rule : {&Policy::on_exit_hold, &Policy::on_exit_remove, &Policy::requirements,
                          &Policy::rank, &Policy::retry_until}) {
    Policy policy;
    policy.*rule = classad::parse("true");
    CHECK_FALSE(has_periodic(policy));
  }
}

TEST_CASE("Durations run out at the first look after them") {
  scenario::JobPolicy policy;
  policy.allowed_execute_duration = Seconds(100);
  policy.allowed_job_duration = Seconds(1000);
  CHECK(has_periodic(policy));
  PolicyView running = idle;
  running.status = history::JobStatus::running;
  running.started = Seconds(50);
  auto decision = decide(policy, running);
  CHECK(decision->at == Seconds(1080));
  CHECK(decision->reason == history::Reason::job_too_long);
  running.executing = Seconds(80);
  decision = decide(policy, running);
  CHECK(decision->at == Seconds(240));
  CHECK(decision->reason == history::Reason::execution_too_long);
  CHECK_FALSE(has_periodic({}));
}

}  // namespace gridcast::strategy
