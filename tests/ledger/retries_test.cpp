// How often the next attempt succeeded, of histories in which that is known.
#include "sim/ledger/retries.hpp"

#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {

using enum history::EventKind;
using history::Reason;

namespace {

/// Three jobs: evicted once and then done elsewhere; evicted twice at one site and removed; held
/// for its memory, released and done.
history::JobHistory three_jobs() {
  test::HistoryBuilder builder({{1, 0}, {2, 0}, {3, 0}}, {"A", "B"});
  builder.get().slots = {"unknown", "slot1@p@a1", "slot1@p@a2", "slot1@p@b1"};
  auto const attempt = [&](double at, std::size_t job, std::size_t site, std::uint32_t slot,
                           history::EventKind end, Reason reason) {
    builder.add(at, job, matched).on(site, slot).add(at + 10, job, executing).on(site, slot);
    builder.add(at + 100, job, end, reason).on(site, slot);
  };
  attempt(0, 0, 0, 1, evicted, Reason::vacated);
  attempt(200, 0, 1, 3, terminated, Reason::none);
  attempt(0, 1, 0, 2, evicted, Reason::vacated);
  attempt(1000, 1, 0, 2, evicted, Reason::vacated);
  attempt(9000, 1, 0, 1, aborted, Reason::manual);
  attempt(0, 2, 0, 1, held, Reason::out_of_resources);
  builder.add(200, 2, released);  // and waits for a match until 60000
  attempt(60000, 2, 0, 1, terminated, Reason::none);
  return builder.get();
}

}  // namespace

TEST_CASE("Next attempts are counted by cause, number, place and wait") {
  Retries const retries = count_retries(three_jobs());
  REQUIRE(retries.causes.size() == 2);
  RetryCause const& evictions = retries.causes[0];
  CHECK(evictions.ending.reason == Reason::vacated);
  CHECK(evictions.failures == 3);
  CHECK(evictions.next.tried == 2);
  CHECK(evictions.next.succeeded == 1);
  CHECK(evictions.not_tried == 1);  // the next was removed by its owner
  CHECK(evictions.jobs == 2);
  CHECK(evictions.fixed == 1);
  CHECK(evictions.open == 1);
  CHECK(evictions.never_fixed() == 0);
  CHECK(evictions.by_number[0].tried == 2);
  CHECK(evictions.by_number[1].tried == 0);
  CHECK(evictions.same_site.tried == 1);
  CHECK(evictions.same_site.succeeded == 0);
  CHECK(evictions.other_site.succeeded == 1);
  CHECK(evictions.same_host.tried == 1);
  CHECK(evictions.by_wait[static_cast<std::size_t>(RetryWait::minutes)].tried == 1);
  CHECK(evictions.by_wait[static_cast<std::size_t>(RetryWait::hour)].tried == 1);
  CHECK(retries.causes[1].by_wait[static_cast<std::size_t>(RetryWait::longer)].succeeded == 1);
  CHECK(retries.all.failures == 4);
  CHECK(retries.all.next.interval95().contains(2. / 3));
}

/// Three jobs that fail, fail and succeed, each submitted so many seconds after the one before; a
/// failure takes 110 s.
history::JobHistory tries_apart(double seconds) {
  test::HistoryBuilder builder({{1, 0}, {2, 0}, {3, 0}}, {"A"});
  for (std::size_t job = 0; job < 3; ++job) {
    double const at = seconds * static_cast<double>(job);
    builder.add(at, job, submitted).add(at + 5, job, matched).on(0, 0);
    builder.add(at + 10, job, executing).on(0, 0);
    if (job < 2) {
      builder.add(at + 110, job, evicted, Reason::vacated).on(0, 0).add(at + 110, job, aborted);
    } else {
      builder.add(at + 110, job, terminated).on(0, 0);
    }
  }
  history::JobHistory history = builder.get();
  history.labels.assign(3, {.node = "train"});
  return history;
}

TEST_CASE("The clusters of a DAG node are one job that is tried again") {
  Retries const retries = count_retries(tries_apart(200));
  CHECK(retries.all.jobs == 1);
  CHECK(retries.all.fixed == 1);
  CHECK(retries.all.next.tried == 2);
  CHECK(retries.all.by_number[1].succeeded == 1);
}

TEST_CASE("Jobs of one name that are in the queue together are several, as Slurm's may be") {
  Retries const retries = count_retries(tries_apart(10));
  CHECK(retries.all.jobs == 2);
  CHECK(retries.all.fixed == 0);
  CHECK(retries.all.next.tried == 0);
}

TEST_CASE("Of jobs in the queue where the record ends nobody knows whether they will be mended") {
  test::HistoryBuilder builder({{1, 0}, {2, 0}, {3, 0}, {4, 0}}, {"A"});
  for (std::size_t job = 0; job < 4; ++job) {
    builder.add(0, job, submitted).add(1, job, matched).on(0).add(2, job, executing).on(0);
  }
  builder.add(100, 0, evicted, Reason::vacated).on(0);  // idle
  builder.add(100, 1, held, Reason::vacated).on(0);
  builder.add(100, 2, evicted, Reason::vacated).on(0);  // runs again
  builder.add(200, 2, matched).on(0).add(201, 2, executing).on(0);
  builder.add(100, 3, terminated).on(0).useless();  // has left
  Retries const retries = count_retries(builder.get());
  CHECK(retries.all.jobs == 4);
  CHECK(retries.all.not_tried == 4);
  CHECK(retries.all.open == 3);
  CHECK(retries.all.never_fixed() == 1);
}

TEST_CASE("Fisher's exact test of the tea taster, and of what was not tried") {
  // Fisher 1935: 3 of 4 and 1 of 4, 17 / 35 two-sided.
  CHECK(p_of_difference({4, 3}, {4, 1}) == Approx(17. / 35));
  CHECK(p_of_difference({4, 4}, {4, 0}) == Approx(2. / 70));
  CHECK(p_of_difference({0, 0}, {4, 1}) == 1);
}

TEST_CASE("Nothing failed, nothing to count") {
  test::HistoryBuilder builder({{1, 0}}, {"A"});
  builder.add(0, 0, matched).on(0).add(5, 0, executing).on(0).add(9, 0, terminated).on(0);
  CHECK(count_retries(builder.get()).causes.empty());
  CHECK(count_retries(builder.get()).all.failures == 0);
}

}  // namespace gridcast::ledger
