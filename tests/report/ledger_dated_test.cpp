// What only dated sources tell, as text and as JSON: classes of time, reasons, jobs.
#include <nlohmann/json.hpp>

#include "sim/report/data/ledger_json.hpp"
#include "sim/report/text/ledger_classes.hpp"
#include "sim/report/text/ledger_reasons.hpp"
#include "sim/report/text/ledger_text.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using Json = nlohmann::json;
using test::has_text;
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
  CHECK_THAT(jobs, has_text("7.1  removed    (no site)         0     0"));
}

TEST_CASE("the reasons: how often, how dear, and what to do") {
  auto const text = reasons_text(two_jobs());
  CHECK_THAT(text,
             has_text("held       input transfer failed: the plugin gave up (exit 1)      1"));
  CHECK_THAT(text, has_text("60 s    60 min"));
  CHECK_THAT(text, has_text("What to do\n  input transfer failed: the plugin gave up (exit 1)\n"));
  CHECK_THAT(text, has_text("removed    a person did it"));
  std::size_t longest = 0, start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    longest = std::max(longest, end - start);
  }
  CHECK(longest <= 100);
}

TEST_CASE("a short campaign is told in minutes") {
  auto const text = ledger_text(two_jobs());
  CHECK_THAT(text, has_text("computing the result               120.0 min"));
  CHECK_THAT(text, has_text("saving checkpoints                   1.0 min"));
  CHECK_THAT(text, has_text("2 attempts, 1 execution, 0 requeues, 1 checkpoint, 0 disconnections"));
}

TEST_CASE("the JSON has classes in all, by site, and by job when asked for") {
  auto const json = Json::parse(ledger_json(two_jobs(), true));
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
  CHECK_FALSE(Json::parse(ledger_json(two_jobs())).contains("jobs"));
}

TEST_CASE("a source without dates has neither") {
  auto ledger = two_jobs();
  ledger.dated = false;
  CHECK(classes_text(ledger).empty());
  CHECK(reasons_text(ledger).empty());
  auto const json = Json::parse(ledger_json(ledger));
  CHECK(json["classes"].is_null());
  CHECK(json["reasons"].is_null());
}

}  // namespace
}  // namespace gridcast::report
