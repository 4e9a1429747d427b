// The meaning of each line of the ledger, one small history a case.
#include <algorithm>
#include <iterator>

#include "sim/ledger/metrics.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::ledger {
namespace {

using test::HistoryBuilder;
using enum history::EventKind;

HistoryBuilder job_at_two_sites() { return HistoryBuilder({{1, 0}}, {"A", "B"}); }

double metric_value(Ledger const& ledger, std::string_view name) {
  for (auto const& metric : metrics(ledger)) {
    if (metric.name == name) return metric.value;
  }
  FAIL("no metric " << name);
  return 0;
}

TEST_CASE("a success: overhead, transfer, execution, from match to completion") {
  auto h = job_at_two_sites();
  h.add(0, 0, submitted).add(60, 0, matched).on(0).add(65, 0, transfer_input_started).on(0);
  h.add(165, 0, transfer_input_finished).on(0).add(167, 0, executing).on(0);
  h.add(1167, 0, transfer_output_started).on(0).add(1170, 0, transfer_output_finished).on(0);
  h.add(1171, 0, terminated).on(0);
  auto const ledger = account(h.get());
  REQUIRE(ledger.total.succeeded == 1);
  REQUIRE(ledger.total.transfer_success == Seconds(100));
  REQUIRE(ledger.total.compute_success == Seconds(1000));
  REQUIRE(ledger.total.overhead == Seconds(5 + 2 + 4));
  REQUIRE(ledger.total.wallclock() == Seconds(1111));
  REQUIRE(ledger.total.badput() == Seconds(11));
  REQUIRE(ledger.match_to_done_mean == Seconds(1111));
  REQUIRE(ledger.makespan == Seconds(1171));
  REQUIRE(ledger.jobs[0].final_execution == Seconds(1000));
  REQUIRE(ledger.jobs[0].last_transfer == Seconds(100));
  REQUIRE(ledger.sites.size() == 1);
}

TEST_CASE("a job in several slots spends the time of each") {
  auto h = job_at_two_sites();
  h.add(0, 0, submitted).add(60, 0, matched).on(0).add(65, 0, transfer_input_started).on(0);
  h.add(165, 0, transfer_input_finished).on(0).add(167, 0, executing).on(0);
  h.add(467, 0, evicted, history::Reason::vacated).on(0);
  h.add(500, 0, matched).on(0).add(500, 0, transfer_input_started).on(0);
  h.add(510, 0, executing).on(0).add(1510, 0, terminated).on(0);
  auto history = h.get();
  auto const once = account(history);
  history.occupied.add(1, 3);
  auto const ledger = account(history);
  CHECK(ledger.total.compute_success == Seconds(3000));
  CHECK(ledger.total.compute_evicted == Seconds(900));
  CHECK(ledger.total.transfer_retried == Seconds(300));
  CHECK(ledger.total.wallclock() == once.total.wallclock() * 3);
  CHECK(ledger.gpu_time == once.gpu_time * 3);
  REQUIRE(ledger.endings.size() == 1);
  CHECK(ledger.endings[0].slot_time_lost == Seconds(3 * (467 - 60)));
  // Its own times stay.
  CHECK(ledger.jobs[0].final_execution == Seconds(1000));
  CHECK(ledger.jobs[0].last_transfer == Seconds(10));
  CHECK(ledger.jobs[0].retried == Seconds(100));
  CHECK(ledger.classes[TimeClass::execute] == Seconds(1300));
  CHECK(ledger.makespan == Seconds(1510));
}

TEST_CASE("the work of a job that is submitted again after its end is lost") {
  bool const removed = GENERATE(false, true);
  bool const saved = GENERATE(false, true);
  auto h = job_at_two_sites();
  h.add(0, 0, submitted).add(10, 0, matched).on(0).add(10, 0, transfer_input_started).on(0);
  h.add(20, 0, transfer_input_finished).on(0).add(20, 0, executing).on(0);
  if (saved) h.add(70, 0, checkpointed).on(0);
  h.add(120, 0, removed ? aborted : terminated, history::Reason::node_failed).on(0);
  h.add(150, 0, submitted).add(160, 0, matched).on(1).add(160, 0, transfer_input_started).on(1);
  h.add(170, 0, transfer_input_finished).on(1).add(170, 0, executing).on(1);
  h.add(470, 0, terminated).on(1);
  auto const ledger = account(h.get());
  CHECK(ledger.total.jobs == 1);
  CHECK(ledger.total.succeeded == 1);
  CHECK(ledger.total.removed == 0);
  CHECK(ledger.total.compute_success == Seconds(300));
  CHECK(ledger.sites.at("A").compute_retried == Seconds(removed ? 0 : 100));
  CHECK(ledger.sites.at("A").compute_evicted == Seconds(removed ? 100 : 0));
  CHECK(ledger.total.transfer_success == Seconds(10));
  CHECK(ledger.sites.at("A").transfer_retried == Seconds(10));
  CHECK(ledger.total.wallclock() == Seconds(420));
  CHECK(ledger.classes[TimeClass::idle] == Seconds(10 + 30 + 10));
  CHECK(ledger.jobs[0].final_execution == Seconds(300));

  // Never in a slot again.
  h = job_at_two_sites();
  h.add(10, 0, matched).on(0).add(20, 0, executing).on(0).add(120, 0, terminated).on(0);
  h.add(150, 0, submitted).add(200, 0, aborted);
  auto const lost = account(h.get());
  CHECK(lost.total.removed == 1);
  CHECK(lost.total.compute_retried == Seconds(100));
  CHECK(lost.total.compute_unfinished == Seconds());
}

TEST_CASE("transfers before the last are retried, each at its site; idle time is nobody's") {
  auto h = job_at_two_sites();
  h.add(0, 0, matched).on(0).add(0, 0, transfer_input_started).on(0);
  h.add(3700, 0, shadow_exception, history::Reason::transfer_stalled).on(0);
  h.add(5000, 0, matched).on(1).add(5000, 0, transfer_input_started).on(1);
  h.add(5100, 0, transfer_input_finished).on(1).add(5100, 0, executing).on(1);
  h.add(5600, 0, terminated).on(1);
  auto const ledger = account(h.get());
  REQUIRE(ledger.total.transfer_retried == Seconds(3700));
  REQUIRE(ledger.total.transfer_success == Seconds(100));
  REQUIRE(ledger.total.stalls == 1);
  REQUIRE(ledger.jobs[0].stalls == 1);
  REQUIRE(ledger.jobs[0].retried == Seconds(3700));
  REQUIRE(ledger.total.wallclock() == Seconds(4300));
  REQUIRE(ledger.sites.at("A").transfer_retried == Seconds(3700));
  REQUIRE(ledger.sites.at("A").stalls == 1);
  REQUIRE(ledger.sites.at("A").jobs == 0);
  REQUIRE(ledger.sites.at("B").jobs == 1);
  REQUIRE(ledger.sites.at("B").compute_success == Seconds(500));
}

TEST_CASE("an evicted execution is lost, and its transfer was in vain") {
  auto h = job_at_two_sites();
  h.add(0, 0, matched).on(0).add(0, 0, transfer_input_started).on(0);
  h.add(100, 0, transfer_input_finished).on(0).add(100, 0, executing).on(0);
  h.add(400, 0, evicted).on(0);
  h.add(500, 0, matched).on(0).add(500, 0, transfer_input_started).on(0);
  h.add(650, 0, transfer_input_finished).on(0).add(650, 0, executing).on(0);
  h.add(1650, 0, terminated).on(0);
  auto const ledger = account(h.get());
  REQUIRE(ledger.total.compute_evicted == Seconds(300));
  REQUIRE(ledger.total.transfer_retried == Seconds(100));
  REQUIRE(ledger.total.transfer_success == Seconds(150));
  REQUIRE(ledger.total.compute_success == Seconds(1000));
  REQUIRE(ledger.total.evictions == 1);
}

TEST_CASE("an execution that a hold ends is a held job's, unless it is started anew") {
  auto h = job_at_two_sites();
  h.add(0, 0, matched).on(0).add(0, 0, transfer_input_started).on(0);
  h.add(100, 0, transfer_input_finished).on(0).add(100, 0, executing).on(0);
  h.add(72100, 0, held, history::Reason::execution_too_long).on(0);
  auto ledger = account(h.get());
  REQUIRE(ledger.total.held == 1);
  REQUIRE(ledger.total.holds == 1);
  REQUIRE(ledger.total.compute_held == Seconds(72000));
  REQUIRE(ledger.total.transfer_held == Seconds(100));

  h.add(80000, 0, released).add(80010, 0, matched).on(1);
  h.add(80010, 0, transfer_input_started)
      .on(1)
      .add(80020, 0, held, history::Reason::not_found)
      .on(1);
  ledger = account(h.get());
  REQUIRE(ledger.total.releases == 1);
  REQUIRE(ledger.total.compute_held == Seconds(0));
  REQUIRE(ledger.total.compute_evicted == Seconds(72000));
  REQUIRE(ledger.total.transfer_retried_unsuccessful == Seconds(100));
  REQUIRE(ledger.total.transfer_held == Seconds(10));
}

TEST_CASE("wrong outputs, removals and jobs that still run have lines of their own") {
  HistoryBuilder h({{1, 0}, {1, 1}, {1, 2}, {1, 3}}, {"A"});
  for (std::size_t job = 0; job < 3; ++job) {
    h.add(0, job, matched).on(0).add(0, job, transfer_input_started).on(0);
    h.add(10, job, transfer_input_finished).on(0).add(10, job, executing).on(0);
  }
  h.add(0, 3, submitted).add(40, 0, terminated).on(0).useless();
  h.add(60, 1, aborted, history::Reason::manual)
      .on(0)
      .add(110, 3, aborted, history::Reason::manual);
  auto const ledger = account(h.get());
  REQUIRE(ledger.total.wrong_output == 1);
  REQUIRE(ledger.total.removed == 2);
  REQUIRE(ledger.total.unfinished == 1);
  REQUIRE(ledger.total.compute_wrong_output == Seconds(30));
  REQUIRE(ledger.total.transfer_wrong_output == Seconds(10));
  // Until the removal, and until the record ends.
  REQUIRE(ledger.total.compute_unfinished == Seconds(50 + 100));
  REQUIRE(ledger.total.transfer_unfinished == Seconds(20));
  REQUIRE(ledger.sites.at("").jobs == 1);
  REQUIRE_FALSE(ledger.match_to_done_mean);
}

TEST_CASE("opaque retries include evicted computing, which is not added again") {
  auto h = job_at_two_sites();
  h.add(0, 0, matched).on(0).add(0, 0, transfer_input_started).on(0);
  h.add(900, 0, evicted).on(0);
  h.get().events.back().executed = Seconds(700);
  h.add(900, 0, matched).on(0).add(900, 0, transfer_input_started).on(0);
  h.add(950, 0, transfer_input_finished).on(0).add(950, 0, executing).on(0);
  h.add(990, 0, terminated).on(0);
  h.get().dated = false;
  h.get().retries_opaque = true;
  auto const ledger = account(h.get());
  REQUIRE(ledger.total.transfer_retried == Seconds(900));
  REQUIRE(ledger.total.transfer_retried_evicted_compute == Seconds(700));
  REQUIRE(ledger.total.wallclock() == Seconds(990));
  REQUIRE_FALSE(ledger.makespan);
  for (auto const& metric : metrics(ledger)) {
    bool const no_dates = metric.name == "makespan_s" || metric.name == "client_stalls";
    bool const hidden = no_dates || find_metric(metric.name)->scope == MetricScope::open_site;
    INFO(metric.name);
    REQUIRE(metric.available != hidden);
  }
}

// Scripts rely on these.
TEST_CASE("metrics keep their names") {
  std::vector<MetricValue> const values = metrics(account(history::JobHistory()));
  for (std::string_view const name : {"jobs",
                                      "succeeded",
                                      "wrong_output",
                                      "held",
                                      "removed",
                                      "unfinished",
                                      "compute_success_s",
                                      "transfer_success_s",
                                      "transfer_retried_s",
                                      "compute_evicted_s",
                                      "compute_held_s",
                                      "transfer_held_s",
                                      "compute_wrong_output_s",
                                      "transfer_wrong_output_s",
                                      "badput_s",
                                      "wallclock_s",
                                      "goodput_fraction",
                                      "stalls",
                                      "evictions",
                                      "holds",
                                      "releases",
                                      "match_to_done_mean_s",
                                      "match_to_done_median_s",
                                      "makespan_s"}) {
    INFO(name);
    CHECK(std::any_of(values.begin(), values.end(),
                      [name](MetricValue const& value) { return value.name == name; }));
  }
}

TEST_CASE("a ledger without slot time divides by nothing") {
  auto const ledger = account(history::JobHistory());
  REQUIRE(metric_value(ledger, "goodput_fraction") == 0);
  REQUIRE(metric_value(ledger, "wallclock_s") == 0);
  REQUIRE(ledger.sites.empty());
  REQUIRE_FALSE(ledger.makespan);
}

}  // namespace
}  // namespace gridcast::ledger
