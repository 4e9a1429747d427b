// The slots that a record shows, against records whose slots and pauses are known.
#include "sim/history/recorded_jobs.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

/// Jobs of `execution` seconds that two slots serve, the second one from `second` on, with a pause
/// between two jobs of one slot. All are submitted at time zero.
history::JobHistory two_slots(std::size_t jobs, double execution, double second, double pause) {
  std::vector<history::JobName> names;
  for (std::uint32_t job = 0; job < jobs; ++job) names.push_back({7, job});
  HistoryBuilder builder(names, {"north"});
  for (std::size_t job = 0; job < jobs; ++job) builder.add(0, job, submitted);
  std::vector<double> free = {10, second};
  for (std::size_t job = 0; job < jobs; ++job) {
    std::size_t const slot = free[0] <= free[1] ? 0 : 1;
    double const start = free[slot];
    builder.add(start, job, executing).on(0);
    builder.add(start + execution, job, terminated).on(0);
    free[slot] = start + execution + pause;
  }
  return builder.get();
}

}  // namespace

TEST_CASE("the supply has the slots and the pause of the record") {
  auto const recorded = history::read_attempts(two_slots(20, 100, 30, 17));
  auto const supply = history::slot_supply(recorded);
  REQUIRE(supply.first_free.size() == 2);
  CHECK(supply.first_free[0] == Seconds(10));
  CHECK(supply.first_free[1] == Seconds(30));
  CHECK(supply.pause.value() == Approx(17).margin(0.01));
}

TEST_CASE("no pause explains the wait of a job that finds a free slot") {
  // One slot: the second job is submitted two weeks later, and waits for a negotiation.
  constexpr double two_weeks = 14 * 86400;
  HistoryBuilder builder({{7, 0}, {8, 0}}, {"north"});
  builder.add(0, 0, submitted);
  builder.add(30, 0, executing).on(0);
  builder.add(1030, 0, terminated).on(0);
  builder.add(two_weeks, 1, submitted);
  builder.add(two_weeks + 40, 1, executing).on(0);
  builder.add(two_weeks + 1040, 1, terminated).on(0);
  auto const supply = history::slot_supply(history::read_attempts(builder.get()));
  REQUIRE(supply.first_free.size() == 1);
  CHECK(supply.pause == Seconds());
}

TEST_CASE("jobs that all ran at once had as many slots as there are jobs") {
  auto const supply = history::slot_supply(history::read_attempts(two_slots(2, 100, 30, 0)));
  CHECK(supply.first_free.size() == 2);
}

TEST_CASE("jobs of no time at all had a slot") {
  auto const supply = history::slot_supply(history::read_attempts(two_slots(4, 0, 10, 0)));
  REQUIRE(supply.first_free.size() == 1);
  CHECK(supply.first_free[0] == Seconds(10));
}

TEST_CASE("a job of no time needs a slot beside the running jobs") {
  HistoryBuilder builder({{7, 0}, {7, 1}}, {"north"});
  builder.add(0, 0, submitted).add(0, 1, submitted);
  builder.add(5, 0, executing).on(0);
  builder.add(20, 1, executing).on(0);
  builder.add(20, 1, terminated).on(0);
  builder.add(30, 0, terminated).on(0);
  auto const supply = history::slot_supply(history::read_attempts(builder.get()));
  REQUIRE(supply.first_free.size() == 2);
  CHECK(supply.first_free[1] == Seconds(20));
}

TEST_CASE("a job that was evicted keeps its place before jobs that never ran") {
  // One slot: job 0 is evicted after 50 s and runs again at once; job 1 begins when it is done.
  HistoryBuilder builder({{7, 0}, {7, 1}}, {"north"});
  builder.add(0, 0, submitted).add(0, 1, submitted);
  builder.add(0, 0, executing).on(0);
  builder.add(50, 0, evicted).on(0);
  builder.add(50, 0, executing).on(0);
  builder.add(150, 0, terminated).on(0);
  builder.add(150, 1, executing).on(0);
  builder.add(250, 1, terminated).on(0);
  auto const supply = history::slot_supply(history::read_attempts(builder.get()));
  REQUIRE(supply.first_free.size() == 1);
  CHECK(supply.pause.value() == Approx(0).margin(0.01));
}

TEST_CASE("a record without executions has no supply") {
  HistoryBuilder builder({{7, 0}}, {});
  builder.add(0, 0, submitted).add(100, 0, aborted);
  auto const recorded = history::read_attempts(builder.get());
  CHECK(history::slot_supply(recorded).first_free.empty());
  REQUIRE(recorded.jobs.size() == 1);
  CHECK(recorded.jobs[0].end() == history::RecordedEnd::removed);
  CHECK(recorded.jobs[0].first_wait == Seconds(100));
}

}  // namespace gridcast::test
