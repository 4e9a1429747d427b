#include "sim/report/text/ledger_text.hpp"

#include <filesystem>
#include <limits>

#include <nlohmann/json.hpp>

#include "sim/history/job_table.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/data/result_json.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

std::string json_of(ledger::Ledger const& ledger, bool with_jobs = false) {
  return json_text(result_json(result_of(ledger, with_jobs)));
}

using test::has_text;

ledger::Ledger published_ledger() {
  return ledger::account(history::to_history(history::read_job_table(
      test::source_dir() / "calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv")));
}

TEST_CASE("the text says how jobs ended and where the hours went") {
  auto const text = ledger_text(published_ledger());
  REQUIRE_THAT(text, has_text("100 jobs: 79 succeeded, 3 with a wrong output, 18 held"));
  REQUIRE_THAT(text, has_text("computing the result                   332.3 h   43.6 %"));
  REQUIRE_THAT(text, has_text("input transfers before it              302.2 h   39.7 %"));
  REQUIRE_THAT(text, has_text("computing lost to evictions or holds"));
  REQUIRE_THAT(text, has_text("5.5 h (1.6 %) of the "));
  REQUIRE_THAT(text, has_text("mean 8.61 h, median 4.96 h"));
  REQUIRE_THAT(text, has_text("makespan: not known (no dates)"));
  REQUIRE_THAT(text, has_text("GP-ARGO-ksu-backfill   13 of 15  4.89 h"));
  // Jobs that met no site come last.
  REQUIRE(text.find("(no site)") > text.find("PDX-Coeus-CE1"));
}

TEST_CASE("the JSON holds the metrics under their names, whole seconds as integers") {
  auto const text = json_of(published_ledger());
  REQUIRE_THAT(text, has_text("\"compute_success_s\": 1196137,\n"));
  REQUIRE_THAT(text, has_text("\"makespan_s\": null,\n"));
  auto const json = Json::parse(text);
  REQUIRE(json["schema"] == "gridcast.ledger/1");
  REQUIRE(json["metrics"].begin().key() == "jobs");
  REQUIRE(json["metrics"]["match_to_done_mean_s"].get<double>() == Approx(31006.658228));
  REQUIRE(json["metrics"]["compute_evicted_s"].is_null());
  REQUIRE(json["sites"]["PDX-Coeus-CE1"]["succeeded"] == 42);
  REQUIRE(json["sites"]["GP-ARGO-ksu-backfill"]["execute_median_s"] == 17608);
  REQUIRE(json["sites"]["(no site)"]["held"] == 15);
  REQUIRE(json["sites"]["(no site)"]["execute_mean_s"].is_null());
  REQUIRE(json["metrics"].size() == ledger::metrics(ledger::Ledger()).size());
}

TEST_CASE("numbers are rounded to a millionth, integers have no point") {
  REQUIRE(json_number(3).dump() == "3");
  REQUIRE(json_number(0.1 + 0.2).dump() == "0.3");
  REQUIRE(json_number(-2.0000000001).dump() == "-2");
  REQUIRE(json_number(1e300).dump() == "1e+300");
  REQUIRE(json_number(std::numeric_limits<double>::quiet_NaN()).is_null());
}

TEST_CASE("an empty ledger can be reported too") {
  REQUIRE_THAT(ledger_text(ledger::Ledger()), has_text("0 jobs: 0 succeeded"));
  REQUIRE(Json::parse(json_of(ledger::Ledger()))["sites"].empty());
}

TEST_CASE("a dated ledger shows its makespan and its evictions") {
  history::JobHistory history;
  history.jobs = {{1, 0}};
  history.sites = {"A"};
  auto add = [&](double at, history::EventKind kind) {
    history::JobEvent event;
    event.at = Seconds(at);
    event.job = Id<history::Job>(0);
    event.kind = kind;
    event.site = Id<history::Site>(0);
    history.events.push_back(event);
  };
  add(0, history::EventKind::matched);
  add(0, history::EventKind::executing);
  add(7200, history::EventKind::evicted);
  add(7200, history::EventKind::matched);
  add(7200, history::EventKind::executing);
  add(864000, history::EventKind::terminated);
  auto const text = ledger_text(ledger::account(history));
  REQUIRE_THAT(text, has_text("makespan: 10 d"));
  REQUIRE_THAT(text, has_text("computing lost to evictions or holds    2.0 h    0.8 %"));
  REQUIRE(text.find("proven") == std::string::npos);
}

using test::HistoryBuilder;
using enum history::EventKind;

/// 7.0 is held for a failed transfer, released, and succeeds at B with a checkpoint; 7.1 waits.
ledger::Ledger two_jobs() {
  HistoryBuilder h({{7, 0}, {7, 1}}, {"A", "B"});
  h.add(0, 0, submitted).add(0, 1, submitted);
  h.add(60, 0, matched).on(0).add(60, 0, transfer_input_started).on(0);
  h.add(120, 0, held, history::Reason::transfer_failed).on(0);
  h.get().events.back().code = 13;
  h.get().events.back().subcode = 256;
  h.add(3720, 0, released, history::Reason::manual).add(3780, 0, matched).on(1);
  h.add(3780, 0, transfer_input_started).on(1).add(3840, 0, transfer_input_finished).on(1);
  h.add(3840, 0, executing).on(1).add(7440, 0, transfer_output_started).on(1);
  h.add(7500, 0, checkpointed).on(1).add(11100, 0, terminated).on(1);
  h.add(11200, 1, aborted, history::Reason::manual);
  return ledger::account(h.get());
}

TEST_CASE("the classes of time: in all, by site, by job") {
  auto const text = classes_text(two_jobs());
  CHECK_THAT(text, has_text("idle in the queue                    3.14 h"));
  CHECK_THAT(text, has_text("held                                 60 min"));
  CHECK_THAT(text, has_text("in all                               6.19 h  100.0 %"));
  CHECK_THAT(text, has_text("time on slots at  input  execute  checkpoint"));
  CHECK_THAT(text, has_text("B                  60 s      2 h        60 s"));
  auto const jobs = jobs_text(two_jobs());
  CHECK_THAT(jobs, has_text("7.0  succeeded  B "));
  CHECK_THAT(jobs, has_text("7.1  removed    (no site)         0    3.11 h         -"));
}

TEST_CASE("each reason has its number, its cost and its remedy") {
  auto const text = reasons_text(two_jobs());
  CHECK_THAT(text,
             has_text("held       input transfer failed: the plugin gave up (exit 1)      1"));
  CHECK_THAT(text, has_text("60 s    60 min"));
  CHECK_THAT(text, has_text("Advice\n  input transfer failed: the plugin gave up (exit 1)\n"));
  CHECK_THAT(text, has_text("removed    a person did it"));
  std::size_t longest = 0, start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    longest = std::max(longest, end - start);
  }
  CHECK(longest <= 100);
}

TEST_CASE("a short campaign is reported in minutes") {
  auto const text = ledger_text(two_jobs());
  CHECK_THAT(text, has_text("computing the result               120.0 min"));
  CHECK_THAT(text, has_text("saving checkpoints                   1.0 min"));
  CHECK_THAT(text, has_text("2 attempts, 1 execution, 0 requeues, 1 checkpoint, 0 disconnections"));
}

TEST_CASE("the JSON has classes in all, by site, and by job when asked for") {
  auto const json = Json::parse(json_of(two_jobs(), true));
  CHECK(json["classes"]["idle_s"] == 120 + 11200);
  CHECK(json["classes"]["cool_down_s"] == 0);
  CHECK(json["sites"]["B"]["classes"]["checkpoint_s"] == 60);
  CHECK(json["sites"]["A"]["classes"]["held_s"] == 0);
  CHECK(json["jobs"]["7.0"]["outcome"] == "succeeded");
  CHECK(json["jobs"]["7.0"]["site"] == "B");
  CHECK(json["jobs"]["7.0"]["attempts"] == 2);
  CHECK(json["jobs"]["7.1"]["site"].is_null());
  CHECK(json["jobs"]["7.1"]["classes"]["idle_s"] == 11200);
  auto const& first = json["reasons"][0];
  CHECK(first["ended"] == "held");
  CHECK(first["code"] == 13);
  CHECK(first["held_s"] == 3600);
  CHECK(first["slot_time_lost_s"] == 60);
  CHECK_FALSE(Json::parse(json_of(two_jobs())).contains("jobs"));
}

TEST_CASE("a source without dates has neither") {
  auto ledger = two_jobs();
  ledger.dated = false;
  CHECK(classes_text(ledger).empty());
  CHECK(reasons_text(ledger).empty());
  auto const json = Json::parse(json_of(ledger));
  CHECK(json["classes"].is_null());
  CHECK(json["reasons"].is_null());
}

}  // namespace
}  // namespace gridcast::report
