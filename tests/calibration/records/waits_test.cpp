#include "calibration/records/waits.hpp"

#include "calibration/records/pilot_records.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::calibration {

namespace {

/// The jobs 2.0, 2.1, 2.2 and 1.0 of one second come in this order: 2.0 has the slot of A from 10
/// to 3,610 s and 2.2 from 3,620 to 10,000 s; 1.0 has that of B from 3,700 to 10,000 s. 2.1 never
/// begins.
history::JobHistory one_never_begins() {
  using enum history::EventKind;
  test::HistoryBuilder builder({{2, 0}, {2, 1}, {2, 2}, {1, 0}}, {"A", "B"});
  for (std::size_t job = 0; job < 4; ++job) builder.add(0, job, submitted);
  builder.add(10, 0, matched).on(0).add(3610, 0, terminated).on(0);
  builder.add(3620, 2, matched).on(0).add(3700, 3, matched).on(1);
  builder.add(10000, 2, terminated).on(0).add(10000, 3, terminated).on(1);
  return builder.get();
}

std::vector<bool> saturated(history::JobHistory const& history) {
  std::vector<bool> sites;
  for (SlotCount const& site : count_slots(history, make_attempt_records(history))) {
    sites.push_back(site.saturated);
  }
  return sites;
}

}  // namespace

// Without it jobs waited at A for 3,600 s of the 9,980 s in which its slot was in use; B met no job
// that had come after it.
TEST_CASE("A job that was passed over at a site until the end did not wait for it") {
  auto const history = one_never_begins();
  WaitsBySite const waits(make_attempt_records(history));
  CHECK(time_within(waits.at(0), Seconds(10), Seconds(10000)) == Seconds(3690));
  CHECK(time_within(waits.at(1), Seconds(10), Seconds(10000)) == Seconds(9990));
  CHECK(saturated(history) == std::vector<bool>{false, true});
}

TEST_CASE("Only later jobs of the same owner overtake a job") {
  auto history = one_never_begins();
  history.users = {"ann", "ann", "bob", "ann"};
  CHECK(saturated(history) == std::vector<bool>{true, true});
  history.users.clear();
  history.jobs[1].cluster = 3;
  CHECK(saturated(history) == std::vector<bool>{true, true});
  // Other batch systems do not take jobs of one second by their numbers.
  history = one_never_begins();
  history.batch_system = history::BatchSystem::other;
  CHECK(saturated(history) == std::vector<bool>{true, true});
  history.events[2].at = Seconds(1);
  CHECK(saturated(history) == std::vector<bool>{false, true});
}

TEST_CASE("A job that began anywhere once fits all sites") {
  auto history = one_never_begins();
  using enum history::EventKind;
  history::JobEvent event{
      .at = Seconds(10), .job = Id<history::Job>(1), .site = Id<history::Site>(1)};
  for (auto const kind : {evicted, matched}) {
    event.kind = kind;
    history.events.insert(history.events.begin() + 5, event);
  }
  CHECK(saturated(history) == std::vector<bool>{true, true});
}

TEST_CASE("A lost job waits as the record's lost jobs in the mean") {
  using enum history::EventKind;
  test::HistoryBuilder builder({{1, 0}, {1, 1}, {1, 2}}, {"A"});
  for (std::size_t job = 0; job < 3; ++job) builder.add(0, job, submitted);
  for (std::size_t job = 0; job < 3; ++job) builder.add(10, job, executing).on(0);
  builder.add(50, 0, disconnected).on(0).add(56, 0, reconnect_failed).on(0);
  builder.add(60, 1, disconnected).on(0).add(60, 2, disconnected).on(0);
  builder.add(72, 1, reconnect_failed).on(0).add(90, 2, reconnected).on(0);
  builder.add(100, 2, terminated).on(0);
  CHECK(mean_wait_of_lost(make_attempt_records(builder.get())) == Seconds(9));
  CHECK(!mean_wait_of_lost(make_attempt_records(one_never_begins())));
}

TEST_CASE("Waits that overlap are one") {
  AttemptRecords records;
  for (auto const& [from, to] : {std::pair(5.0, 7.0), {1.0, 3.0}, {2.0, 4.0}}) {
    records.waits.push_back({Id<history::Job>(0), Seconds(from), Seconds(to)});
  }
  auto const spans = WaitsBySite(records).at(0);
  REQUIRE(spans.size() == 2);
  CHECK(time_within(spans, Seconds(2.5), Seconds(6)) == Seconds(2.5));
  CHECK(time_within(spans, Seconds(0), Seconds(10)) == Seconds(5));
}

}  // namespace gridcast::calibration
