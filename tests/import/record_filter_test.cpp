// Some of a record's jobs, by expression and by time.
#include "sim/base/error.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::import {

using enum history::EventKind;

namespace {

// Submitted at 0 s, 100 s and 200 s after 2025-11-05 00:00:00; the second failed with exit code 1.
history::JobHistory three_jobs() {
  test::HistoryBuilder builder({{1, 0}, {2, 0}, {3, 0}}, {"A", "B"});
  for (std::size_t job = 0; job < 3; ++job) {
    double const at = 100 * static_cast<double>(job);
    builder.add(at, job, submitted);
    builder.add(at + 10, job, matched).on(job % 2).add(at + 10, job, executing).on(job % 2);
    builder.add(at + 50, job, terminated).on(job % 2);
    builder.get().events.back().exit_code = job == 1 ? 1 : 0;
  }
  builder.get().labels = {{.node = "a-1"}, {.node = "a-2"}, {.node = "b-1"}};
  builder.get().start_unix = 1762300800;  // 2025-11-05 00:00:00 UTC
  return builder.get();
}

std::vector<std::uint32_t> clusters(history::JobHistory const& history) {
  std::vector<std::uint32_t> found;
  for (auto const& job : history.jobs) found.push_back(job.cluster);
  return found;
}

}  // namespace

TEST_CASE("Jobs that an expression holds for are kept, with their events and labels") {
  auto const kept = filtered(three_jobs(), {.where = "ExitCode == 0"});
  CHECK(clusters(kept.history) == std::vector<std::uint32_t>{1, 3});
  CHECK(kept.left_out == 1);
  CHECK(kept.history.events.size() == 8);
  CHECK(kept.history.events.back().job.index() == 1);
  CHECK(kept.history.labels[1].node == "b-1");
  CHECK(clusters(filtered(three_jobs(), {.where = "regexp(\"^a\", DAGNodeName)"}).history) ==
        std::vector<std::uint32_t>{1, 2});
  CHECK(clusters(filtered(three_jobs(), {.where = "GLIDEIN_ResourceName == \"B\""}).history) ==
        std::vector<std::uint32_t>{2});
}

TEST_CASE("Requests and uses are the highest of a job's executions, in HTCondor's units") {
  constexpr double mebibyte = 1048576;
  std::vector<history::ResourceUse> uses = {
      {.job = {1, 0}, .at = Seconds(30)}, {.job = {1, 0}, .at = Seconds(50)}, {.job = {3, 0}}};
  uses[0].amounts[history::Resource::memory] = {.used = 900 * mebibyte,
                                                .requested = 1e3 * mebibyte};
  uses[1].amounts[history::Resource::memory] = {.used = 1.5 * mebibyte,
                                                .requested = 2e3 * mebibyte};
  uses[2].amounts[history::Resource::disk] = {.used = 1024 * 70.0, .requested = 1024 * 80.0};
  auto const kept = [&](std::string const& where) {
    return clusters(filtered(three_jobs(), {.where = where}, uses).history);
  };
  using Clusters = std::vector<std::uint32_t>;
  CHECK(kept("RequestMemory == 2000 && MemoryUsage == 900") == Clusters{1});
  CHECK(kept("RequestMemory =?= undefined") == Clusters{2, 3});
  CHECK(kept("requestdisk == 80 && DiskUsage == 70") == Clusters{3});
}

TEST_CASE("A job that failed without a reported exit code has none") {
  history::JobHistory unreported = three_jobs();
  for (history::JobEvent& event : unreported.events) {
    if (event.kind == terminated && event.job.index() == 1)
      event.exit_code = 0, event.useful = false;
  }
  CHECK(clusters(filtered(unreported, {.where = "ExitCode =?= 0"}).history) ==
        std::vector<std::uint32_t>{1, 3});
  CHECK(clusters(filtered(unreported, {.where = "ExitCode =?= undefined"}).history) ==
        std::vector<std::uint32_t>{2});
}

TEST_CASE("Jobs are selected by their state at the end of the record, and by their owner") {
  history::JobHistory open = three_jobs();
  open.users = {"ann", "ben", "ann"};
  open.events.pop_back();  // the third still runs
  CHECK(clusters(filtered(open, {.where = "JobStatus == 2"}).history) ==
        std::vector<std::uint32_t>{3});
  CHECK(clusters(filtered(open, {.where = "JobStatus == 4 && Owner == \"ann\""}).history) ==
        std::vector<std::uint32_t>{1});
}

TEST_CASE("Jobs are kept by the time of their submission") {
  CHECK(clusters(filtered(three_jobs(), {.since = "2025-11-05 00:01:00"}).history) ==
        std::vector<std::uint32_t>{2, 3});
  CHECK(clusters(filtered(three_jobs(), {.until = "2025-11-05T00:01:40"}).history) ==
        std::vector<std::uint32_t>{1});
  // 00:01 in UTC, then 00:01:40, by an offset.
  CHECK(clusters(filtered(three_jobs(), {.since = "2025-11-04T19:01:00-05:00"}).history) ==
        std::vector<std::uint32_t>{2, 3});
  CHECK(clusters(filtered(three_jobs(), {.until = "2025-11-05 05:31:40+05:30"}).history) ==
        std::vector<std::uint32_t>{1});
  CHECK(filtered(three_jobs(), {}).left_out == 0);
}

TEST_CASE("Filters that a record cannot answer are refused") {
  CHECK_THROWS_AS(filtered(three_jobs(), {.where = "NoSuchThing > 1"}), InputError);
  CHECK_THROWS_AS(filtered(three_jobs(), {.where = "ExitCode =="}), InputError);
  CHECK_THROWS_AS(filtered(three_jobs(), {.since = "yesterday"}), InputError);
  CHECK_THROWS_AS(filtered(three_jobs(), {.where = "ExitCode == 77"}), InputError);
  CHECK_THROWS_WITH(filtered(three_jobs(), {.since = "2025-11-06", .until = "2025-11-04"}),
                    test::has_text("2025-11-04 is not later than --since 2025-11-06"));
}

}  // namespace gridcast::import
