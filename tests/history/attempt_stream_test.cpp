#include "sim/history/attempt_stream.hpp"

#include <string>

#include "tests/test.hpp"

namespace gridcast::history {
namespace {

using enum EventKind;

JobEvent event(EventKind kind, int code = 0, std::size_t job = 0) {
  JobEvent result;
  result.job = Id<Job>(job);
  result.kind = kind;
  result.code = static_cast<std::int16_t>(code);
  return result;
}

/// The phases after each event of a job.
std::string phases_after(std::vector<JobEvent> const& events,
                         AttemptRule rule = AttemptRule::slot_time) {
  std::string text;
  auto const add = [&text](AttemptStep const& step) {
    text += (text.empty() ? "" : " ") + std::string(name(step.now));
  };
  each_step(events, add, rule);
  return text;
}

std::string phases_after(std::vector<EventKind> const& kinds) {
  std::vector<JobEvent> events;
  for (EventKind const kind : kinds) events.push_back(event(kind));
  return phases_after(events);
}

/// How many attempts some events are.
std::uint32_t attempts(std::vector<EventKind> const& kinds, AttemptRule rule) {
  std::vector<JobEvent> events;
  for (EventKind const kind : kinds) events.push_back(event(kind));
  std::uint32_t begun = 0, last = 0;
  auto const count = [&](AttemptStep const& step) {
    begun += step.begins == Sign::none ? 0 : 1;
    last = step.attempt;
  };
  each_step(events, count, rule);
  CHECK(begun == last);
  return begun;
}

TEST_CASE("an attempt goes through its phases and back to the queue", "[attempt_stream]") {
  CHECK(phases_after({submitted, matched, transfer_input_queued, transfer_input_started,
                      transfer_input_finished, executing, transfer_output_queued,
                      transfer_output_started, transfer_output_finished, terminated}) ==
        "waiting matched matched transfer matched executing output output output waiting");
  for (EventKind const end : {evicted, shadow_exception, requeued, reconnect_failed, aborted}) {
    CHECK(phases_after({matched, executing, end}) == "matched executing waiting");
  }
  CHECK(phases_after({matched, held, released, matched}) == "matched held waiting matched");
}

TEST_CASE("a vacate with the hold code of a transfer begins a cool-down", "[attempt_stream]") {
  CHECK(phases_after({event(matched), event(evicted, 13)}) == "matched cool_down");
  CHECK(phases_after({event(matched), event(evicted, 12)}) == "matched cool_down");
  CHECK(phases_after({event(matched), event(evicted, 26)}) == "matched waiting");
  CHECK(phases_after({event(matched), event(shadow_exception, 13)}) == "matched waiting");
}

TEST_CASE("an interrupted execution continues after the interruption", "[attempt_stream]") {
  CHECK(phases_after({matched, executing, suspended, unsuspended, disconnected, reconnected}) ==
        "matched executing suspended executing disconnected executing");
  // Contact is lost while the job is suspended, and any later event shows that it is back.
  CHECK(phases_after({matched, executing, suspended, disconnected, unsuspended}) ==
        "matched executing suspended disconnected executing");
  CHECK(phases_after({matched, disconnected, disconnected, executing, unsuspended}) ==
        "matched disconnected disconnected executing executing");
}

TEST_CASE("an output transfer is a checkpoint's, or the end's", "[attempt_stream]") {
  AttemptStream stream;
  auto const next = [&stream](EventKind kind) {
    JobEvent const one = event(kind);
    AttemptStep const step = stream.next(one);
    return std::string(step.begins_output()  ? "begins"
                       : step.saves_output() ? "saves"
                                             : "no") +
           " " + std::string(name(step.now));
  };
  CHECK(next(matched) == "no matched");
  CHECK(next(executing) == "no executing");
  CHECK(next(checkpointed) == "no executing");
  CHECK(next(transfer_output_queued) == "begins output");
  CHECK(next(transfer_output_started) == "no output");
  CHECK(next(disconnected) == "no disconnected");
  CHECK(next(checkpointed) == "saves executing");
  CHECK(next(transfer_output_started) == "begins output");
  CHECK(next(terminated) == "no waiting");
}

TEST_CASE("a step has its event, the state of the slot and its attempt", "[attempt_stream]") {
  AttemptStream stream;
  JobEvent const events[] = {event(submitted), event(matched), event(disconnected),
                             event(executing), event(evicted), event(held)};
  CHECK_FALSE(stream.next(events[0]).in_attempt());
  auto const match = stream.next(events[1]);
  CHECK(match.begins == Sign::match);
  CHECK(match.passed == Phase::waiting);
  CHECK(match.was == Phase::matched);
  stream.next(events[2]);
  auto const back = stream.next(events[3]);
  CHECK(back.passed == Phase::disconnected);
  CHECK(back.was == Phase::matched);
  CHECK(back.begins == Sign::none);
  auto const lost = stream.next(events[4]);
  CHECK(lost.ends);
  CHECK(lost.begun_by == Sign::match);
  CHECK(lost.attempt == 1);
  auto const hold = stream.next(events[5]);  // of a job in the queue
  CHECK_FALSE(hold.ends);
  CHECK_FALSE(hold.in_attempt());
  CHECK(hold.now == Phase::held);
}

TEST_CASE("a rule defines attempts where lines are missing", "[attempt_stream]") {
  using enum AttemptRule;
  auto const all = {slot_time, as_recorded, start_seen, any_trace};
  for (auto rule : all) CHECK(attempts({submitted, matched, executing, terminated}, rule) == 1);
  for (auto rule : all) CHECK(attempts({submitted, held, released, aborted}, rule) == 0);
  // Two matches without an end.
  CHECK(attempts({matched, matched, terminated}, slot_time) == 2);
  CHECK(attempts({matched, matched, terminated}, start_seen) == 1);
  CHECK(attempts({matched, matched, terminated}, any_trace) == 1);
  // The record begins in the middle of an execution, or of the transfer of its output.
  for (EventKind const first : {checkpointed, suspended, disconnected, transfer_output_started}) {
    CHECK(attempts({first, terminated}, slot_time) == 1);
    CHECK(attempts({first, terminated}, start_seen) == 0);
    CHECK(attempts({first, terminated}, any_trace) == 1);
  }
  for (auto rule : all) CHECK(attempts({executing, terminated}, rule) == 1);
  // There is nothing but its end.
  CHECK(attempts({evicted}, slot_time) == 0);
  CHECK(attempts({evicted}, start_seen) == 0);
  CHECK(attempts({evicted}, any_trace) == 1);
}

TEST_CASE("an attempt that begins in an execution is executing", "[attempt_stream]") {
  CHECK(phases_after({reconnected, transfer_output_started}) == "executing output");
  CHECK(phases_after({unsuspended}) == "executing");
  CHECK(phases_after({disconnected, reconnected}) == "disconnected matched");
}

TEST_CASE("a checkpoint whose 001 is missing: executing for the accounts, not for a picture",
          "[attempt_stream]") {
  std::vector<JobEvent> const events = {event(matched), event(checkpointed), event(checkpointed)};
  CHECK(phases_after(events, AttemptRule::slot_time) == "matched executing executing");
  CHECK(phases_after(events, AttemptRule::as_recorded) == "matched matched matched");
}

TEST_CASE("jobs do not meet", "[attempt_stream]") {
  std::vector<JobEvent> const events = {event(matched, 0, 3), event(submitted, 0, 0),
                                        event(executing, 0, 3), event(held, 0, 0)};
  CHECK(phases_after(events) == "matched waiting executing held");
}

struct Kept : AttemptSink {
  std::vector<Phase> phases;
  void follow(AttemptStep const& step) override { phases.push_back(step.now); }
};

TEST_CASE("a sink takes the steps of a campaign while it is simulated", "[attempt_stream]") {
  Kept kept;
  HistorySink& sink = kept;
  sink.add(event(matched));
  sink.add(event(executing));
  CHECK(kept.phases == std::vector<Phase>{Phase::matched, Phase::executing});
}

}  // namespace
}  // namespace gridcast::history
