#include "sim/history/job_history.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::history {
namespace {

using enum EventKind;

/// Jobs at site A, each beginning at a time and ending so after a length.
struct Ran {
  double began, length;
  EventKind end = aborted;
  Reason reason = Reason::manual;
};

JobHistory campaign(std::vector<Ran> const& jobs) {
  std::vector<JobName> names;
  for (std::size_t i = 0; i < jobs.size(); ++i) names.push_back({1, static_cast<std::uint32_t>(i)});
  test::HistoryBuilder builder(names, {"A"});
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    builder.add(jobs[i].began, i, matched).on(0).add(jobs[i].began, i, executing).on(0);
    builder.add(jobs[i].began + jobs[i].length, i, jobs[i].end, jobs[i].reason).on(0);
  }
  return builder.get();
}

std::size_t limited(JobHistory const& history) {
  std::size_t count = 0;
  for (JobEvent const& event : history.events) {
    count += event.reason == Reason::execution_too_long ? 1 : 0;
  }
  return count;
}

Ran succeeded(double began, double length) { return {began, length, terminated, Reason::none}; }

}  // namespace

TEST_CASE("Executions that end at one length without a result show a time limit") {
  auto history =
      campaign({{0, 72000}, {500, 72000}, {900, 71950}, succeeded(0, 9000), {1000, 4000}});
  CHECK(mark_time_limits(history) ==
        "3 executions ended after 20 h at A without a result, and none was longer: a time limit "
        "of 20 h\n");
  CHECK(limited(history) == 3);
}

TEST_CASE("Holds and failures without a reason at one length show a time limit, evictions do not") {
  auto const ended = [](EventKind kind, int exit_code) {
    auto history = campaign({{0, 72000, kind, Reason::none},
                             {500, 72000, kind, Reason::none},
                             {900, 72000, kind, Reason::none}});
    for (JobEvent& event : history.events) {
      if (event.kind != terminated) continue;
      event.useful = false;
      event.exit_code = static_cast<std::int16_t>(exit_code);
    }
    mark_time_limits(history);
    return limited(history);
  };
  CHECK(ended(held, 0) == 3);
  CHECK(ended(terminated, 0) == 3);
  CHECK(ended(terminated, 1) == 0);
  CHECK(ended(evicted, 0) == 0);
}

TEST_CASE("No limit: a longer execution, other lengths, one shutdown, another reason, too short") {
  std::vector<std::vector<Ran>> const campaigns = {
      {{0, 72000}, {500, 72000}, {900, 72000}, succeeded(0, 90000)},
      {{0, 72000}, {500, 70000}, {900, 68000}},
      {{0, 72000}, {10, 71990}, {20, 71980}},
      {{0, 72000, aborted, Reason::policy},
       {500, 72000, aborted, Reason::policy},
       {900, 72000, aborted, Reason::policy}},
      {{0, 300}, {500, 300}, {900, 300}}};
  for (auto const& jobs : campaigns) {
    auto history = campaign(jobs);
    CHECK(mark_time_limits(history).empty());
    CHECK(limited(history) == 0);
  }
}

}  // namespace gridcast::history
