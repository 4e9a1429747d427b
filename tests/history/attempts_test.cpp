#include "sim/history/attempts.hpp"

#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::history {
namespace {

using enum EventKind;
using test::HistoryBuilder;

HistoryBuilder one_job() { return HistoryBuilder({{7, 0}}, {"A", "B"}); }

std::string printed(PhaseSpan const& span) {
  return std::string(name(span.phase)) + " " + std::to_string(int(span.begin.value())) + "-" +
         std::to_string(int(span.end.value())) + (span.open ? " open" : "");
}

std::vector<std::string> printed(std::vector<PhaseSpan> const& spans) {
  std::vector<std::string> lines;
  for (auto const& span : spans) lines.push_back(printed(span));
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("a stalled attempt, a hold and a success") {
  auto h = one_job();
  h.add(0, 0, submitted).add(10, 0, matched).on(0, 3).add(12, 0, transfer_input_started).on(0, 3);
  h.add(3612, 0, shadow_exception, Reason::transfer_stalled).on(0, 3);
  h.add(3700, 0, held, Reason::policy).add(4000, 0, released, Reason::manual);
  h.add(4100, 0, matched).on(1, 5).add(4100, 0, transfer_input_started).on(1, 5);
  h.add(4200, 0, transfer_input_finished).on(1, 5).add(4205, 0, executing).on(1, 5);
  h.add(5000, 0, transfer_output_started).on(1, 5);
  h.add(5010, 0, transfer_output_finished).on(1, 5).add(5010, 0, terminated).on(1, 5);
  auto const spans = phases_of(h.get());
  CHECK(printed(spans) == Lines{"waiting 0-10", "matched 10-12", "stalled 12-3612",
                                "waiting 3612-3700", "held 3700-4000", "waiting 4000-4100",
                                "transfer 4100-4200", "matched 4200-4205", "executing 4205-5000",
                                "output 5000-5010"});
  CHECK(spans[0].attempt == 0);
  CHECK(!spans[0].cause);
  CHECK(spans[2].site == Id<Site>(0U));
  CHECK(spans[2].slot == 3);
  CHECK(spans[2].attempt == 1);
  CHECK(spans[2].cause->reason == Reason::transfer_stalled);
  CHECK(spans[3].cause->reason == Reason::transfer_stalled);
  CHECK(spans[4].cause->reason == Reason::policy);
  CHECK(!spans[5].cause);
  CHECK(!spans[8].cause);
  CHECK(spans[9].site == Id<Site>(1U));
  CHECK(spans[9].attempt == 2);
  CHECK(spans[9].cause->kind == terminated);
  CHECK(spans[9].succeeded);
  CHECK_FALSE(spans[2].succeeded);
}

TEST_CASE("checkpoints, suspensions and lost contact are phases of an execution") {
  auto h = one_job();
  h.add(0, 0, matched).on(0).add(5, 0, executing).on(0);
  h.add(100, 0, transfer_output_started).on(0).add(107, 0, checkpointed).on(0);
  h.add(200, 0, suspended).on(0).add(230, 0, unsuspended).on(0);
  h.add(300, 0, disconnected).on(0).add(310, 0, reconnected).on(0);
  h.add(400, 0, disconnected).on(0).add(2800, 0, reconnect_failed, Reason::lost_contact).on(0);
  h.add(2900, 0, aborted, Reason::manual);
  auto const spans = phases_of(h.get());
  CHECK(printed(spans) == Lines{"matched 0-5", "executing 5-100", "checkpoint 100-107",
                                "executing 107-200", "suspended 200-230", "executing 230-300",
                                "disconnected 300-310", "executing 310-400",
                                "disconnected 400-2800", "waiting 2800-2900"});
  CHECK(spans[8].cause->kind == reconnect_failed);
}

TEST_CASE("a vacate for a failed transfer that holds nothing is a cool-down") {
  auto h = one_job();
  h.add(0, 0, matched).on(0).add(0, 0, transfer_input_started).on(0);
  h.add(50, 0, evicted, Reason::transfer_failed).on(0);
  h.get().events.back().code = 13;
  h.add(90, 0, aborted);
  CHECK(printed(phases_of(h.get())) == Lines{"transfer 0-50", "cool_down 50-90"});
}

TEST_CASE("a step that continues at the end of the record lasts until that end, and is open") {
  HistoryBuilder h({{7, 0}, {7, 1}, {7, 2}}, {"A"});
  h.add(0, 0, submitted).add(0, 1, submitted).add(0, 2, submitted);
  h.add(10, 0, matched).on(0).add(20, 1, held, Reason::not_found).add(30, 2, aborted);
  CHECK(printed(phases_of(h.get())) == Lines{"waiting 0-10", "matched 10-30 open", "waiting 0-20",
                                             "held 20-30 open", "waiting 0-30"});
  h.get().dated = false;
  CHECK(printed(phases_of(h.get())) == Lines{"waiting 0-10", "waiting 0-20", "waiting 0-30"});
}

TEST_CASE("a record that begins in an attempt, and a place that is reported late") {
  auto h = one_job();
  h.add(10, 0, reconnected).add(20, 0, transfer_output_started).on(1, 4);
  h.add(25, 0, terminated).on(1, 4);
  auto const spans = phases_of(h.get());
  CHECK(printed(spans) == Lines{"executing 10-20", "output 20-25"});
  CHECK(spans[0].site == Id<Site>(1U));
  CHECK(spans[0].slot == 4);
}

TEST_CASE("slots by name, by number, or not known") {
  JobHistory history;
  CHECK(slot_name(history, 3) == "slot 3");
  history.slots = {"unknown", "slot1_2@node"};
  CHECK(slot_name(history, 1) == "slot1_2@node");
  CHECK(slot_name(history, 0) == "unknown slot");
}

/// One job that stalls, is evicted and succeeds; one that meets a 404.
JobHistory two_jobs() {
  test::HistoryBuilder history({{1, 0}, {1, 1}}, {"CHTC", "PDX"});
  history.add(0, 0, EventKind::submitted).add(0, 1, EventKind::submitted);
  history.add(60, 0, EventKind::matched).on(1, 3);
  history.add(61, 0, EventKind::transfer_input_started).on(1, 3);
  history.add(60, 1, EventKind::matched).on(0);
  history.add(61, 1, EventKind::transfer_input_started).on(0);
  history.add(62, 1, EventKind::held, Reason::not_found).on(0);
  history.add(3961, 0, EventKind::shadow_exception, Reason::transfer_stalled).on(1, 3);
  history.add(4000, 0, EventKind::matched).on(0, 5);
  history.add(4001, 0, EventKind::transfer_input_started).on(0, 5);
  history.add(5001, 0, EventKind::transfer_input_finished).on(0, 5);
  history.add(5002, 0, EventKind::executing).on(0, 5);
  history.add(6002, 0, EventKind::evicted, Reason::pilot_ended).on(0, 5);
  history.add(7000, 0, EventKind::matched).on(0, 6);
  history.add(7001, 0, EventKind::transfer_input_started).on(0, 6);
  history.add(8001, 0, EventKind::transfer_input_finished).on(0, 6);
  history.add(8002, 0, EventKind::executing).on(0, 6);
  history.add(15202, 0, EventKind::transfer_output_started).on(0, 6);
  history.add(15210, 0, EventKind::transfer_output_finished).on(0, 6);
  history.add(15210, 0, EventKind::terminated).on(0, 6);
  return history.get();
}

TEST_CASE("attempts run from a match to its end", "[attempts]") {
  auto const attempts = attempts_of(two_jobs());
  REQUIRE(attempts.size() == 4);
  CHECK(attempts[0].end == EventKind::shadow_exception);
  CHECK(*attempts[0].transfer_ended - *attempts[0].transfer_started == Seconds(3900));
  CHECK_FALSE(attempts[0].execution().has_value());
  CHECK(attempts[1].end == EventKind::held);
  CHECK(attempts[2].number == 2);
  CHECK(attempts[2].end == EventKind::evicted);
  CHECK(attempts[2].execution()->value() == 1000);
  CHECK(attempts[3].end == EventKind::terminated);
  CHECK(attempts[3].execution()->value() == 7200);
}

// Two checkpoints of 50 s; evicted 50 s after the second.
TEST_CASE("an execution goes on after a checkpoint", "[attempts]") {
  auto history = one_job();
  history.add(0, 0, submitted).add(5, 0, matched).on(0).add(5, 0, transfer_input_started).on(0);
  history.add(105, 0, transfer_input_finished).add(105, 0, executing).on(0);
  history.add(505, 0, transfer_output_started).add(555, 0, checkpointed);
  history.add(1005, 0, transfer_output_started).add(1055, 0, checkpointed);
  history.add(1105, 0, evicted, Reason::out_of_resources).on(0);
  auto const attempts = attempts_of(history.get());
  REQUIRE(attempts.size() == 1);
  CHECK(attempts[0].execute_ended == Seconds(1105));
  CHECK(attempts[0].execution() == Seconds(1000));
  CHECK_FALSE(attempts[0].output_started);
  REQUIRE(attempts[0].checkpoints.size() == 2);
  CHECK(attempts[0].checkpoints[1].started == Seconds(1005));
  CHECK(attempts[0].checkpoints[1].ended == Seconds(1055));
}

TEST_CASE("an attempt waits for attempts that were matched before it", "[attempts]") {
  auto const history = two_jobs();
  std::vector<std::pair<std::size_t, int>> seen;
  AttemptFollower follower(
      [&](Attempt const& attempt) { seen.emplace_back(attempt.job.index(), attempt.number); });
  each_step(history.events, [&](AttemptStep const& step) {
    follower.add(step);
    if (step.event.at == Seconds(62)) CHECK(seen.empty());  // 1.1 is over, 1.0 is not
  });
  follower.finish();
  CHECK(seen == std::vector<std::pair<std::size_t, int>>{{0, 1}, {1, 1}, {0, 2}, {0, 3}});
}

TEST_CASE("an attempt as a stretch of events: its end alone shows one", "[attempts]") {
  auto h = one_job();
  h.add(0, 0, submitted).add(5, 0, held).add(6, 0, released);
  h.add(10, 0, matched).add(10, 0, matched).on(0).add(20, 0, executing).on(1).add(30, 0, evicted);
  h.add(40, 0, evicted).add(50, 0, matched);
  auto const spans = attempt_spans(h.get().events);
  REQUIRE(spans.size() == 3);
  CHECK(spans[0].first == 3);
  CHECK(spans[0].last == 6);
  CHECK(spans[0].begin == Seconds(10));
  CHECK(spans[0].end == Seconds(30));
  CHECK(spans[0].site == Id<Site>(1U));
  CHECK(spans[0].executed);
  CHECK_FALSE(spans[0].open);
  CHECK(spans[1].first == spans[1].last);
  CHECK_FALSE(spans[1].executed);
  CHECK(spans[2].open);
}

}  // namespace
}  // namespace gridcast::history
