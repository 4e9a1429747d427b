// The kinds of event that only event logs have: requeues, checkpoints, suspensions, lost contact.
#include "sim/ledger/accountant.hpp"

#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

using test::HistoryBuilder;
using enum history::EventKind;

HistoryBuilder one_job() { return HistoryBuilder({{1, 0}}, {"A", "B"}); }

/// An attempt from `at` at a site: 10 s of input, then executing.
void start(HistoryBuilder& h, double at, std::size_t site) {
  h.add(at, 0, matched).on(site).add(at, 0, transfer_input_started).on(site);
  h.add(at + 10, 0, transfer_input_finished).on(site).add(at + 10, 0, executing).on(site);
}

Seconds in(Ledger const& ledger, TimeClass time_class) { return ledger.classes[time_class]; }

TEST_CASE("a requeued execution is retried computing, not evicted") {
  auto h = one_job();
  h.add(0, 0, submitted);
  start(h, 5, 0);
  h.add(115, 0, requeued, history::Reason::exit_code).on(0);
  start(h, 120, 1);
  h.add(330, 0, terminated).on(1);
  auto const ledger = account(h.get());
  CHECK(ledger.total.compute_retried == Seconds(100));
  CHECK(ledger.total.compute_evicted == Seconds(0));
  CHECK(ledger.total.compute_success == Seconds(200));
  CHECK(ledger.total.requeues == 1);
  CHECK(ledger.total.evictions == 0);
  CHECK(ledger.total.attempts == 2);
  CHECK(ledger.total.executions == 2);
  CHECK(ledger.sites.at("A").compute_retried == Seconds(100));
  CHECK(ledger.total.badput() == Seconds(100 + 10));
  CHECK(in(ledger, TimeClass::idle) == Seconds(10));
  CHECK(ledger.classes.total() == Seconds(330));
}

TEST_CASE("a job that is held while idle: its execution was lost before, not by the hold") {
  auto h = one_job();
  start(h, 0, 0);
  h.add(70, 0, shadow_exception).on(0);
  h.add(80, 0, held, history::Reason::policy);
  auto const lines = account(h.get()).total;
  CHECK(lines.compute_evicted == Seconds(60));
  CHECK(lines.compute_held == Seconds(0));
  CHECK(lines.transfer_held == Seconds(10));
  // The same hold, of the running job.
  auto running = one_job();
  start(running, 0, 0);
  running.add(70, 0, held, history::Reason::policy).on(0);
  CHECK(account(running.get()).total.compute_held == Seconds(60));
  CHECK(account(running.get()).total.compute_evicted == Seconds(0));
}

TEST_CASE("held for its output, then released: retried; if it stays held: a held job's") {
  auto h = one_job();
  start(h, 0, 0);
  h.add(60, 0, transfer_output_started).on(0);
  h.add(65, 0, held, history::Reason::output_missing).on(0);
  CHECK(account(h.get()).total.compute_held == Seconds(50));
  h.add(100, 0, released);
  start(h, 110, 0);
  h.add(150, 0, terminated).on(0);
  auto const ledger = account(h.get());
  CHECK(ledger.total.compute_held == Seconds(0));
  CHECK(ledger.total.compute_retried == Seconds(50));
  CHECK(ledger.total.compute_evicted == Seconds(0));
  CHECK(in(ledger, TimeClass::held) == Seconds(35));
  CHECK(in(ledger, TimeClass::transfer_output) == Seconds(5));
}

TEST_CASE("saved work is not lost, on any slot where the job continues") {
  auto h = one_job();
  start(h, 0, 0);  // executes from 10
  h.add(110, 0, transfer_output_started).on(0).add(113, 0, checkpointed).on(0);
  h.add(213, 0, transfer_output_started).on(0).add(216, 0, checkpointed).on(0);
  h.add(246, 0, evicted, history::Reason::pilot_ended).on(0);  // 30 s lost
  start(h, 300, 1);
  h.add(350, 0, transfer_output_started).on(1).add(352, 0, transfer_output_finished).on(1);
  h.add(352, 0, terminated).on(1);
  auto const ledger = account(h.get());
  CHECK(ledger.total.compute_success == Seconds(100 + 100 + 40));
  CHECK(ledger.total.compute_evicted == Seconds(30));
  CHECK(ledger.total.checkpoint == Seconds(6));
  CHECK(ledger.total.overhead == Seconds(2));
  CHECK(ledger.total.checkpoints == 2);
  CHECK(ledger.sites.at("A").compute_success == Seconds(200));
  CHECK(ledger.sites.at("B").compute_success == Seconds(40));
  CHECK(ledger.jobs[0].final_execution == Seconds(240));
  CHECK(in(ledger, TimeClass::checkpoint) == Seconds(6));
  CHECK(in(ledger, TimeClass::execute) == Seconds(270));
  CHECK(in(ledger, TimeClass::transfer_output) == Seconds(2));
  CHECK(ledger.endings.size() == 1);
  CHECK(ledger.endings[0].slot_time_lost == Seconds(30));
}

TEST_CASE("a checkpoint without an output transfer (003) makes all before it safe") {
  auto h = one_job();
  start(h, 0, 0);
  h.add(40, 0, checkpointed).on(0).add(50, 0, evicted, history::Reason::vacated).on(0);
  auto const ledger = account(h.get());
  CHECK(ledger.total.compute_evicted == Seconds(10));
  CHECK(ledger.total.compute_unfinished == Seconds(30));
  CHECK(ledger.total.checkpoint == Seconds(0));
}

TEST_CASE("an output transfer that an eviction cuts off was no checkpoint") {
  auto h = one_job();
  start(h, 0, 0);
  h.add(40, 0, transfer_output_started).on(0).add(44, 0, evicted, history::Reason::vacated).on(0);
  auto const ledger = account(h.get());
  CHECK(ledger.total.compute_evicted == Seconds(30));
  CHECK(ledger.total.checkpoint == Seconds(0));
  CHECK(in(ledger, TimeClass::transfer_output) == Seconds(4));
}

TEST_CASE("suspended time is slot time, but no execution") {
  auto h = one_job();
  start(h, 0, 0);
  h.add(40, 0, suspended).on(0).add(100, 0, unsuspended).on(0).add(120, 0, terminated).on(0);
  auto const ledger = account(h.get());
  CHECK(ledger.total.suspended == Seconds(60));
  CHECK(ledger.total.compute_success == Seconds(50));
  CHECK(in(ledger, TimeClass::suspended) == Seconds(60));
  CHECK(ledger.total.wallclock() == Seconds(120));
}

TEST_CASE("a slot out of contact works on, unless the attempt is lost") {
  auto h = one_job();
  start(h, 0, 0);
  h.add(30, 0, disconnected).on(0).add(50, 0, reconnected).on(0);
  h.add(100, 0, disconnected, history::Reason::lost_contact).on(0);
  h.add(120, 0, reconnect_failed, history::Reason::lost_contact).on(0);
  auto const ledger = account(h.get());
  CHECK(ledger.total.compute_evicted == Seconds(90));
  CHECK(ledger.total.contact_lost == Seconds(20));
  CHECK(ledger.total.evictions == 1);
  CHECK(ledger.total.disconnects == 2);
  CHECK(in(ledger, TimeClass::disconnected) == Seconds(40));
  CHECK(in(ledger, TimeClass::execute) == Seconds(70));
  CHECK(ledger.total.wallclock() == Seconds(120));
}

TEST_CASE("signs of life after a lost contact are a reconnection") {
  auto h = one_job();
  start(h, 0, 0);
  h.add(30, 0, disconnected).on(0).add(50, 0, transfer_output_started).on(0);
  h.add(55, 0, checkpointed).on(0).add(80, 0, disconnected).on(0).add(99, 0, terminated).on(0);
  auto const ledger = account(h.get());
  CHECK(ledger.total.compute_success == Seconds(40 + 44));
  CHECK(ledger.total.contact_lost == Seconds(0));
  CHECK(ledger.total.checkpoint == Seconds(5));
}

TEST_CASE("contact lost before the transfer begins, and a second 022") {
  auto h = one_job();
  h.add(0, 0, submitted).add(3, 0, disconnected).on(0).add(10, 0, disconnected).on(0);
  h.add(23, 0, reconnect_failed, history::Reason::lost_contact).on(0).add(30, 0, submitted);
  auto const ledger = account(h.get());
  CHECK(ledger.total.attempts == 1);
  CHECK(ledger.total.contact_lost == Seconds(20));
  CHECK(ledger.total.overhead == Seconds(0));
  CHECK(in(ledger, TimeClass::disconnected) == Seconds(20));
  CHECK(in(ledger, TimeClass::idle) == Seconds(10));
}

TEST_CASE("a vacate for a transfer without a hold is a cool-down") {
  auto h = one_job();
  h.add(0, 0, matched).on(0).add(0, 0, transfer_input_started).on(0);
  h.add(20, 0, evicted, history::Reason::transfer_failed).on(0);
  h.get().events.back().code = 13;
  h.get().events.back().subcode = 2816;
  start(h, 400, 1);
  h.add(500, 0, terminated).on(1);
  auto const ledger = account(h.get());
  CHECK(in(ledger, TimeClass::cool_down) == Seconds(380));
  CHECK(in(ledger, TimeClass::idle) == Seconds(0));
}

TEST_CASE("waiting for a transfer slot is matched time, input and output apart") {
  auto h = one_job();
  h.add(0, 0, matched).on(0).add(1, 0, transfer_input_queued).on(0);
  h.add(8, 0, transfer_input_started).on(0).add(10, 0, transfer_input_finished).on(0);
  h.add(10, 0, executing).on(0).add(20, 0, transfer_output_queued).on(0);
  h.add(24, 0, transfer_output_started).on(0).add(25, 0, transfer_output_finished).on(0);
  h.add(26, 0, terminated).on(0);
  auto const ledger = account(h.get());
  CHECK(in(ledger, TimeClass::matched) == Seconds(8));
  CHECK(in(ledger, TimeClass::transfer_output) == Seconds(6));
  CHECK(ledger.total.overhead == Seconds(14));
}

TEST_CASE("a job first seen in the middle of its life") {
  auto h = one_job();
  h.add(50, 0, checkpointed).on(0).add(80, 0, terminated).on(0);
  auto const ledger = account(h.get());
  CHECK(ledger.total.compute_success == Seconds(30));
  CHECK(ledger.total.attempts == 1);
  CHECK(ledger.classes.total() == Seconds(30));
}

TEST_CASE("a slot in use at the record's end is so until then, in the lines and the classes") {
  HistoryBuilder h({{1, 0}, {1, 1}}, {"A"});
  h.add(0, 0, matched).on(0).add(0, 0, executing).on(0);
  h.add(5, 1, submitted).add(100, 1, aborted, history::Reason::manual);
  auto const ledger = account(h.get());
  CHECK(ledger.total.compute_unfinished == Seconds(100));
  CHECK(ledger.jobs[0].classes[TimeClass::execute] == Seconds(100));
  CHECK(ledger.jobs[0].classes.total() == Seconds(100));
  CHECK(ledger.site_classes.at("A")[TimeClass::execute] == Seconds(100));
  CHECK(ledger.jobs[1].classes.total() == Seconds(95));
}

/// A hold with this subcode from `begin` on: 10 s of a slot, then held for so long.
void hold(HistoryBuilder& h, double begin, int subcode, double held_for) {
  h.add(begin, 0, matched).on(0).add(begin, 0, transfer_input_started).on(0);
  h.add(begin + 10, 0, history::EventKind::held, history::Reason::transfer_failed).on(0);
  h.get().events.back().code = 13;
  h.get().events.back().subcode = subcode;
  h.add(begin + 10 + held_for, 0, released);
}

TEST_CASE("endings are in the order of their cost, with the time held") {
  auto h = one_job();
  hold(h, 0, 1, 50);
  start(h, 100, 0);
  h.add(140, 0, evicted, history::Reason::vacated).on(0);
  hold(h, 200, 2, 20);
  hold(h, 300, 3, 80);
  h.add(400, 0, aborted);
  auto const ledger = account(h.get());
  std::vector<double> costs;
  for (EndingAccount const& ending : ledger.endings) {
    costs.push_back((ending.slot_time_lost + ending.held).value());
  }
  CHECK(costs == std::vector<double>{90, 60, 40, 30, 0});
}

TEST_CASE("kinds of endings beyond the first 500 are reported together, none is lost") {
  auto h = one_job();
  int const kinds = 520;
  for (int i = 0; i < kinds; ++i) hold(h, 100.0 * i, 1000 + i, 20);
  auto const ledger = account(h.get());
  REQUIRE(ledger.endings.size() == 501);
  std::size_t times = 0, of_others = 0;
  Seconds held;
  for (EndingAccount const& ending : ledger.endings) {
    times += ending.times;
    if (ending.ending.others) of_others += ending.times;
    held += ending.held;
    CHECK(ending.jobs == 1);
  }
  CHECK(times == kinds);
  CHECK(of_others == 20);
  CHECK(held == Seconds(20.0 * kinds));
}

}  // namespace
}  // namespace gridcast::ledger
