// Recorded campaigns without some of their hosts, by records whose result without them is known.
#include <algorithm>

#include "sim/engine/replay.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

using enum history::EventKind;

/// Slot 0 is no slot; 1 and 2 are on two hosts.
history::JobHistory named(HistoryBuilder& builder) {
  history::JobHistory history = builder.get();
  history.slots = {"", "slot1@black.example", "slot1@white.example"};
  return history;
}

/// Even jobs crash after 30 s on the black host, odd ones succeed after 600 s on the white one.
history::JobHistory half_black(std::uint32_t jobs) {
  std::vector<history::JobName> names;
  for (std::uint32_t job = 0; job < jobs; ++job) names.push_back({7, job});
  HistoryBuilder builder(names, {"site"});
  for (std::uint32_t job = 0; job < jobs; ++job) builder.add(0, job, submitted);
  for (std::uint32_t job = 0; job < jobs; ++job) {
    bool const black = job % 2 == 0;
    double const start = 1000.0 * job;
    builder.add(start, job, executing).on(0, black ? 1 : 2);
    builder.add(start + (black ? 30 : 600), job, terminated).on(0, black ? 1 : 2);
    if (black) builder.useless();
  }
  return named(builder);
}

history::RecordedJobs without_black(history::RecordedJobs const& recorded) {
  return engine::without_slots(recorded, {{"black.example"}},
                               RandomStreams(1, 0).stream(Purpose::bootstrap, 6));
}

}  // namespace

TEST_CASE("A record names the hosts of its attempts") {
  auto const recorded = history::read_attempts(half_black(4));
  CHECK(recorded.hosts == std::vector<std::string>{"black.example", "white.example"});
  CHECK(recorded.jobs[0].attempts[0].host == 1);
  CHECK(recorded.jobs[1].attempts[0].host == 2);
  CHECK(history::has_other_hosts(recorded, {"black.example"}));
  CHECK_FALSE(history::has_other_hosts(recorded, {"black.example", "white.example"}));
}

TEST_CASE("Jobs that crash on a black hole succeed elsewhere") {
  auto const recorded = history::read_attempts(half_black(20));
  auto const next = without_black(recorded);
  REQUIRE(next.jobs.size() == 20);
  for (history::RecordedJob const& job : next.jobs) {
    CHECK(job.succeeded());
    REQUIRE(job.attempts.size() == 1);
    CHECK(job.attempts[0].execution == Seconds(600));
  }
  CHECK(next.jobs[3].attempts[0].wait == recorded.jobs[3].attempts[0].wait);
}

TEST_CASE("A job that a black hole evicted needs one attempt elsewhere, and keeps its first wait") {
  HistoryBuilder builder({{7, 0}, {7, 1}}, {"site"});
  builder.add(0, 0, submitted).add(0, 1, submitted);
  builder.add(50, 1, executing).on(0, 2);
  builder.add(100, 0, executing).on(0, 1);
  builder.add(127, 0, evicted, history::Reason::vacated).on(0, 1);
  builder.add(200, 0, executing).on(0, 1);
  builder.add(227, 0, evicted, history::Reason::vacated).on(0, 1);
  builder.add(300, 0, executing).on(0, 2);
  builder.add(900, 0, terminated).on(0, 2);
  builder.add(650, 1, terminated).on(0, 2);
  auto const recorded = history::read_attempts(named(builder));
  auto const next = without_black(recorded);
  REQUIRE(next.jobs[0].attempts.size() == 1);
  CHECK(next.jobs[0].succeeded());
  CHECK(next.jobs[0].first_wait == Seconds(100));
  CHECK(next.jobs[1].attempts.size() == 1);
}

TEST_CASE("A job that ran nowhere else continues until an attempt ends it") {
  HistoryBuilder builder({{7, 0}, {7, 1}}, {"site"});
  builder.add(0, 0, submitted).add(0, 1, submitted);
  builder.add(10, 0, executing).on(0, 1);
  builder.add(20, 0, terminated).on(0, 1).useless();
  builder.add(10, 1, executing).on(0, 2);
  builder.add(40, 1, evicted, history::Reason::vacated).on(0, 2);
  builder.add(50, 1, executing).on(0, 2);
  builder.add(650, 1, terminated).on(0, 2);
  auto const recorded = history::read_attempts(named(builder));
  for (std::uint32_t replica = 0; replica < 20; ++replica) {
    auto const next = engine::without_slots(
        recorded, {{"black.example"}}, RandomStreams(1, replica).stream(Purpose::bootstrap, 6));
    CHECK(next.jobs[0].succeeded());
    CHECK(next.jobs[0].attempts.back().execution == Seconds(600));
  }
}

TEST_CASE("The slots of an avoided host are gone") {
  HistoryBuilder builder({{7, 0}, {7, 1}}, {"site"});
  builder.add(0, 0, submitted).add(0, 1, submitted);
  builder.add(10, 0, executing).on(0, 1).add(40, 1, executing).on(0, 2);
  builder.add(600, 0, terminated).on(0, 1).add(640, 1, terminated).on(0, 2);
  auto const jobs = history::read_attempts(named(builder));
  history::RecordedCampaign const recorded{jobs, history::slot_supply(jobs)};
  CHECK(recorded.slots.first_free == std::vector<Seconds>{Seconds(10), Seconds(40)});
  auto const left = engine::supply_without_slots(recorded, {{"black.example"}});
  CHECK(left.first_free == std::vector<Seconds>{Seconds(40)});
  CHECK(left.pause == recorded.slots.pause);
}

}  // namespace gridcast::test
