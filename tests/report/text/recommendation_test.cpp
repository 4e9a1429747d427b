#include <algorithm>
#include <map>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/text/answer.hpp"
#include "sim/scenario/tables.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using Catch::Matchers::StartsWith;
using test::has_text;

/// Ten jobs and a hundred seconds of slot time, of which `lost` went to this line.
Result record_with(std::string const& line, double lost, double succeeded = 10) {
  Result result;
  result.ledger.emplace();
  result.ledger->metrics = {{"jobs", 10},          {"succeeded", succeeded}, {"unfinished", 0},
                            {"wallclock_s", 1000}, {"badput_s", lost},       {line, lost}};
  result.ledger->dated = true;
  return result;
}

ResultReason reason(std::string const& advice, double lost_s) {
  ResultReason row;
  row.ended = "evicted";
  row.what = "the pilot ended";
  row.advice = advice;
  row.times = row.jobs = 4;
  row.slot_time_lost = Seconds(lost_s);
  return row;
}

std::string of(Result const& result, ledger::BlackHoles const& holes = {}) {
  return recommendation({result}, std::nullopt, holes);
}

TEST_CASE("a record with small losses needs no change", "[recommendation]") {
  CHECK(of(record_with("compute_evicted_s", 20)) ==
        "nothing to change, as 2 % of the slot time is lost.");
}

TEST_CASE("the largest loss of a record has a remedy", "[recommendation]") {
  auto result = record_with("compute_evicted_s", 400);
  CHECK_THAT(of(result), has_text("checkpoints") && has_text("40 % of the slot time"));
  result.ledger->reasons = {reason("Keep off.", 399)};
  CHECK(of(result) == "most costly: evicted because the pilot ended (4 times, 4 jobs). Keep off.");
  // An ending that explains little, or for which nothing can be done, gives way to the line.
  result.ledger->reasons = {reason("Keep off.", 100)};
  CHECK_THAT(of(result), !has_text("Keep off"));
  result.ledger->reasons = {reason("Nothing: the job was queued again.", 399)};
  CHECK_THAT(of(result), !has_text("queued again"));
}

TEST_CASE("settings are remedies for lost slot time", "[recommendation]") {
  std::map<std::string, std::vector<std::string>> keys;
  scenario::each_key(scenario::strategy_table().section(),
                     [&](std::string const& path, scenario::Key const& key) {
                       if (key.acts_on.empty()) return;
                       for (auto const& line : split(key.acts_on, ' ')) keys[line].push_back(path);
                     });
  for (auto const& [line, of_line] : keys) {
    CAPTURE(line);
    CHECK(std::ranges::any_of(ledger::slot_time_lines(),
                              [&](auto const& each) { return each.name == line && each.lost; }));
  }
  std::vector<std::string> const of_failures{"retry.max_retries",
                                             "match.avoid_site.after_failures"};
  CHECK(keys["compute_retried_s"] == of_failures);
}

TEST_CASE("hosts to avoid come first", "[recommendation]") {
  ledger::BlackHoles holes;
  holes.hosts = {{"n1.example", "A", 41, 40, Seconds(10)}};
  CHECK(of(record_with("compute_evicted_s", 20), holes) ==
        "avoid host n1.example, where 40 of 41 attempts failed: `requirements = "
        "(Machine != \"n1.example\")`.");
  holes.hosts.resize(3, holes.hosts.front());
  CHECK_THAT(of(record_with("compute_evicted_s", 400), holes),
             has_text("3 hosts, where 120 of 123") && has_text("--black-holes") &&
                 has_text("Save checkpoints"));
}

TEST_CASE("jobs that have not ended are forecast", "[recommendation]") {
  auto result = record_with("compute_evicted_s", 20, 8);
  result.ledger->metrics["unfinished"] = 2;
  CHECK_THAT(of(result), StartsWith("nothing to change") && has_text("forecast LOG --running"));
}

TEST_CASE("attempts that the record lacks have no known loss", "[recommendation]") {
  auto result = record_with("compute_evicted_s", 400);
  result.ledger->attempts_unrecorded = 3;
  CHECK_THAT(of(result), has_text("job event log") && !has_text("40 %"));
}

TEST_CASE("a forecast answers for its deadline", "[recommendation]") {
  // Its two campaigns have two jobs each, and end after 10,000 and 20,000 s.
  auto const forecast = test::prediction_result();
  CHECK_THAT(recommendation({forecast}, Seconds(30000)), StartsWith("submit it as it is"));
  CHECK_THAT(recommendation({forecast}, Seconds(12000)),
             StartsWith("do not rely on the deadline, as 50 % ±") &&
                 has_text("gridcast optimize") && has_text("--goal 'deadline:3.33 h'"));
}

TEST_CASE("a forecast without a deadline names the settings that act on its largest loss",
          "[recommendation]") {
  // 9,000 of 16,200 s.
  CHECK_THAT(recommendation({test::prediction_result()}, std::nullopt),
             has_text("56 % of the slot time") && has_text("transfer.stall_timeout"));
}

TEST_CASE("several forecasts have no common recommendation", "[recommendation]") {
  auto const forecast = test::prediction_result();
  CHECK(recommendation({forecast, forecast}, std::nullopt).empty());
}

}  // namespace
}  // namespace gridcast::report
