#include "sim/condor/log/log_clock.hpp"
#include "tests/test.hpp"

namespace gridcast::test {
namespace {

using condor::ClockSteps;
constexpr std::int64_t minute = 60'000;

}  // namespace

TEST_CASE("A clock that is set back continues where it was") {
  ClockSteps clock;
  CHECK(clock.next(0, std::nullopt).at_ms == 0);
  CHECK(clock.next(120 * minute, 0).at_ms == 120 * minute);
  ClockSteps::Time const step = clock.next(90 * minute, 120 * minute);
  CHECK(step.at_ms == 120 * minute);
  CHECK(step.step_ms == 30 * minute);
  CHECK(clock.next(100 * minute, std::nullopt).at_ms == 130 * minute);
  CHECK(clock.next(100 * minute, 120 * minute).step_ms == 0);
}

TEST_CASE("A clock that is set right again leaves no step") {
  ClockSteps clock;
  clock.next(120 * minute, std::nullopt);
  clock.next(60 * minute, 120 * minute);
  CHECK(clock.next(121 * minute, 120 * minute).at_ms == 121 * minute);
}

TEST_CASE("Events of another job show no step") {
  ClockSteps clock;
  clock.next(120 * minute, std::nullopt);
  ClockSteps::Time const other = clock.next(60 * minute, std::nullopt);
  CHECK(other.at_ms == 60 * minute);
  CHECK(other.step_ms == 0);
  CHECK(clock.next(70 * minute, 60 * minute).at_ms == 70 * minute);
}

TEST_CASE("A few events of a far future are no step") {
  ClockSteps clock;
  clock.next(0, std::nullopt);
  clock.next(10'000 * minute, std::nullopt);
  CHECK(clock.next(10 * minute, 0).at_ms == 10 * minute);
  ClockSteps::Time const same_job = clock.next(20 * minute, 10'000 * minute);
  CHECK(same_job.at_ms == 20 * minute);
  CHECK(same_job.step_ms == 0);
}

}  // namespace gridcast::test
