#include "sim/report/phases.hpp"

#include <array>

#include "sim/ledger/ledger.hpp"
#include "tests/condor/random_history.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using enum history::EventKind;
using test::HistoryBuilder;

HistoryBuilder one_job() { return HistoryBuilder({{7, 0}}, {"A", "B"}); }

std::string told(PhaseSpan const& span) {
  return std::string(name(span.phase)) + " " + std::to_string(int(span.begin.value())) + "-" +
         std::to_string(int(span.end.value())) + (span.open ? " open" : "");
}

std::vector<std::string> told(std::vector<PhaseSpan> const& spans) {
  std::vector<std::string> lines;
  for (auto const& span : spans) lines.push_back(told(span));
  return lines;
}

using Lines = std::vector<std::string>;

TEST_CASE("a stalled attempt, a hold and a success") {
  auto h = one_job();
  h.add(0, 0, submitted).add(10, 0, matched).on(0, 3).add(12, 0, transfer_input_started).on(0, 3);
  h.add(3612, 0, shadow_exception, history::Reason::transfer_stalled).on(0, 3);
  h.add(3700, 0, held, history::Reason::policy).add(4000, 0, released, history::Reason::manual);
  h.add(4100, 0, matched).on(1, 5).add(4100, 0, transfer_input_started).on(1, 5);
  h.add(4200, 0, transfer_input_finished).on(1, 5).add(4205, 0, executing).on(1, 5);
  h.add(5000, 0, transfer_output_started).on(1, 5);
  h.add(5010, 0, transfer_output_finished).on(1, 5).add(5010, 0, terminated).on(1, 5);
  auto const spans = phases_of(h.get());
  CHECK(told(spans) == Lines{"waiting 0-10", "matched 10-12", "stalled 12-3612",
                             "waiting 3612-3700", "held 3700-4000", "waiting 4000-4100",
                             "transfer 4100-4200", "matched 4200-4205", "executing 4205-5000",
                             "output 5000-5010"});
  CHECK(spans[0].attempt == 0);
  CHECK(!spans[0].cause);
  CHECK(spans[2].site == Id<history::Site>(0U));
  CHECK(spans[2].slot == 3);
  CHECK(spans[2].attempt == 1);
  CHECK(cause_in_words(spans[2]) == "input transfer stalled: no byte for too long");
  CHECK(cause_in_words(spans[3]) == "input transfer stalled: no byte for too long");
  CHECK(cause_in_words(spans[4]) ==
        "an expression of the job's policy did it (periodic_*, on_exit_*)");
  CHECK(!spans[5].cause);
  CHECK(!spans[8].cause);
  CHECK(spans[9].site == Id<history::Site>(1U));
  CHECK(spans[9].attempt == 2);
  CHECK(cause_in_words(spans[9]) == "the program ended with exit code 0");
}

TEST_CASE("checkpoints, suspensions and lost contact are phases of an execution") {
  auto h = one_job();
  h.add(0, 0, matched).on(0).add(5, 0, executing).on(0);
  h.add(100, 0, transfer_output_started).on(0).add(107, 0, checkpointed).on(0);
  h.add(200, 0, suspended).on(0).add(230, 0, unsuspended).on(0);
  h.add(300, 0, disconnected).on(0).add(310, 0, reconnected).on(0);
  h.add(400, 0, disconnected)
      .on(0)
      .add(2800, 0, reconnect_failed, history::Reason::lost_contact)
      .on(0);
  h.add(2900, 0, aborted, history::Reason::manual);
  auto const spans = phases_of(h.get());
  CHECK(told(spans) == Lines{"matched 0-5", "executing 5-100", "checkpoint 100-107",
                             "executing 107-200", "suspended 200-230", "executing 230-300",
                             "disconnected 300-310", "executing 310-400", "disconnected 400-2800",
                             "waiting 2800-2900"});
  CHECK(spans[8].cause->kind == reconnect_failed);
}

TEST_CASE("a vacate for a failed transfer that holds nothing is a cool-down") {
  auto h = one_job();
  h.add(0, 0, matched).on(0).add(0, 0, transfer_input_started).on(0);
  h.add(50, 0, evicted, history::Reason::transfer_failed).on(0);
  h.get().events.back().code = 13;
  h.add(90, 0, aborted);
  CHECK(told(phases_of(h.get())) == Lines{"transfer 0-50", "cool_down 50-90"});
}

TEST_CASE("what goes on when the record ends goes to its end, and is open") {
  HistoryBuilder h({{7, 0}, {7, 1}, {7, 2}}, {"A"});
  h.add(0, 0, submitted).add(0, 1, submitted).add(0, 2, submitted);
  h.add(10, 0, matched).on(0).add(20, 1, held, history::Reason::not_found).add(30, 2, aborted);
  CHECK(told(phases_of(h.get())) == Lines{"waiting 0-10", "matched 10-30 open", "waiting 0-20",
                                          "held 20-30 open", "waiting 0-30"});
  h.get().dated = false;
  CHECK(told(phases_of(h.get())) == Lines{"waiting 0-10", "waiting 0-20", "waiting 0-30"});
}

TEST_CASE("a record that begins in an attempt, and a place that is told late") {
  auto h = one_job();
  h.add(10, 0, reconnected).add(20, 0, transfer_output_started).on(1, 4);
  h.add(25, 0, terminated).on(1, 4);
  auto const spans = phases_of(h.get());
  CHECK(told(spans) == Lines{"executing 10-20", "output 20-25"});
  CHECK(spans[0].site == Id<history::Site>(1U));
  CHECK(spans[0].slot == 4);
}

TEST_CASE("slots by name, by number, or not known") {
  history::JobHistory history;
  CHECK(slot_name(history, 3) == "slot 3");
  history.slots = {"unknown", "slot1_2@node"};
  CHECK(slot_name(history, 1) == "slot1_2@node");
  CHECK(slot_name(history, 0) == "unknown slot");
}

// The ledger's accounts come from other code: they know no spans, only sums.
TEST_CASE("spans touch, do not overlap, and add up to the ledger's classes") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    history::JobHistory const history =
        test::RandomHistory(seed, condor::CondorVersion::v25, 1'700'000'000).get();
    auto const spans = phases_of(history);
    ledger::TimeClasses sums;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      PhaseSpan const& span = spans[i];
      REQUIRE(span.begin < span.end);
      bool const first = i == 0 || spans[i - 1].job != span.job;
      if (!first) REQUIRE(spans[i - 1].end == span.begin);
      REQUIRE(has_slot(span.phase) == (span.attempt > 0));
      if (!span.open) sums[time_class_of(span.phase)] += span.end - span.begin;
    }
    ledger::Ledger const ledger = ledger::account(history);
    for (auto c : ledger::all_time_classes()) {
      INFO("seed " << seed << " " << name(c));
      REQUIRE(sums[c].value() == Approx(ledger.classes[c].value()).margin(1e-6));
    }
  }
}

}  // namespace
}  // namespace gridcast::report
