#include <algorithm>
#include <sstream>

#include "sim/ledger/metrics.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/study_text.hpp"
#include "sim/study/prediction.hpp"
#include "tests/report/fake_study.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::fake_prediction;
using test::has_text;

study::Prediction two_replicas() {
  return fake_prediction(
      {{{"succeeded", 79}, {"badput_s", 3600 * 300}, {"goodput_fraction", 0.5}},
       {{"succeeded", 81}, {"badput_s", 3600 * 100}, {"goodput_fraction", 0.7}}});
}

/// The line of a text that begins with `start`.
std::string line_of(std::string const& text, std::string const& start) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(start, 0) == 0) return line;
  }
  return "";
}

TEST_CASE("figures are shown in units that a person reads", "[figure_words]") {
  CHECK(number_text(3600 * 302.2, Unit::hours) == "302");
  CHECK(number_text(3600 * 45.84, Unit::hours) == "45.8");
  CHECK(number_text(86400 * 7.128, Unit::days) == "7.13");
  CHECK(number_text(0.4361, Unit::percent) == "43.6");
  CHECK(number_text(79, Unit::jobs) == "79");
  CHECK(number_text(79.25, Unit::jobs) == "79.2");
  CHECK(number_text(std::numeric_limits<double>::quiet_NaN(), Unit::hours) == "-");
  CHECK(signed_text(-3600 * 12.0, Unit::hours) == "-12.0");
  CHECK(spread_text(study::summarise({1, 1, 1}).range(), Unit::ratio) == "1.0");
  CHECK(spread_text(study::summarise({10, 20, 30}).range(), Unit::jobs) == "20 (11..29)");
  CHECK(spread_text(study::summarise(std::vector<double>{}).range(), Unit::jobs) == "-");
  CHECK(error_text({-10800, -3600}, Unit::hours) == "1.00");
  // No error of zero: it has as many digits as it takes.
  CHECK(error_text({3600 - 7.2, 3600 + 7.2}, Unit::hours) == "0.002");
  CHECK(error_text({11.98, 12.02}, Unit::events) == "0.02");
  CHECK(error_text({1, 1}, Unit::ratio) == "0.00");
  CHECK(words_of("badput_s").unit == Unit::hours);
  CHECK(words_of("nothing_of_ours").words == "nothing_of_ours");
}

TEST_CASE("a short campaign is reported in seconds, also where a few replicas go on for long",
          "[figure_words]") {
  auto const scale = [](std::vector<double> const& wallclocks) {
    std::vector<test::Figures> replicas;
    for (double const time : wallclocks) replicas.push_back({{"wallclock_s", time}});
    return time_scale(result_of(fake_prediction(replicas)));
  };
  CHECK(scale({600, 700, 800}) == TimeScale::short_campaign);
  CHECK(scale({600, 700, 90000}) == TimeScale::short_campaign);
  CHECK(scale({600, 7300, 90000}) == TimeScale::long_campaign);
}

TEST_CASE("every figure has words", "[figure_words]") {
  for (auto const& name : ledger::metric_names(ledger::MetricScope::replica)) {
    INFO(name);
    auto const words = words_of(name);
    CHECK((words.words != words.name || words.unit == Unit::jobs || words.unit == Unit::events));
  }
}

TEST_CASE("a prediction's text gives quantiles, and each hypothesis's share", "[prediction]") {
  auto const text = prediction_text(result_of(two_replicas()));
  CHECK_THAT(text, has_text("s.yaml, strategy published, 2 campaigns, seed 7"));
  CHECK_THAT(line_of(text, "lost slot time (badput)"), has_text("200"));
  CHECK_THAT(text, has_text("(50 % of the"));
  CHECK_THAT(text, !has_text("PARTIAL"));
  CHECK_THAT(text, !has_text("evictions"));  // not available here
}

TEST_CASE("a partial prediction says so in text and JSON", "[prediction]") {
  auto prediction = two_replicas();
  prediction.requested = 10;
  prediction.interrupted = true;
  prediction.failed.push_back({5, "killed by signal 9 (Killed)"});
  CHECK_THAT(prediction_text(result_of(prediction)),
             has_text("PARTIAL: after 2 of 10 campaigns.") && has_text("1 campaign failed"));
  auto const json = result_json(result_of(prediction));
  CHECK(json["partial"] == true);
  CHECK(json["requested"] == 10);
  CHECK(json["failed"][0]["replica"] == 5);
  CHECK(json["failed"][0]["command"] ==
        "gridcast forecast s.yaml --once --seed 7 --replica 5 --strategy published");
}

TEST_CASE("a prediction of which nothing was finished is still an answer", "[prediction]") {
  auto prediction = fake_prediction({});
  prediction.interrupted = true;
  CHECK_THAT(prediction_text(result_of(prediction)), has_text("No campaign was finished."));
  auto const json = Json::parse(json_text(result_json(result_of(prediction))));
  CHECK(json["replicas"] == 0);
  CHECK(json["metrics"]["badput_s"]["p50"].is_null());
}

TEST_CASE("a prediction's JSON has the keys that scripts rely on", "[prediction]") {
  auto const json = Json::parse(json_text(result_json(result_of(two_replicas()))));
  CHECK(json["schema"] == "gridcast.prediction/1");
  CHECK(json["scenario"] == "s.yaml");
  CHECK(json["strategy"] == "published");
  CHECK(json["replicas"] == 2);
  CHECK(json["seed"] == 7);
  CHECK(json["partial"] == false);
  auto const& badput = json["metrics"]["badput_s"];
  for (auto const* key : {"mean", "sd", "p05", "p25", "p50", "p75", "p95"}) {
    INFO(key);
    CHECK(badput[key].is_number());
  }
  CHECK(badput["mean"] == 720000);
  CHECK(badput["mean_ci95"].size() == 2);
  CHECK(json["metrics"]["makespan_s"]["mean"].is_null());
  CHECK(json["explanations"]["overload"]["weight"] == 0.5);
  CHECK(json["explanations"]["bad_path"]["metrics"]["badput_s"]["p50"] == 360000);
  CHECK_FALSE(json.contains("against"));
}

study::RecordComparison something_observed() {
  study::RecordComparison against;
  against.jobs = 3;
  against.figures.push_back(
      {"badput_s", 3600 * 500, study::summarise({3600 * 100, 3600 * 300}), 1, false});
  against.figures.push_back({"succeeded", 80, study::summarise({79, 81}), 0.5, true});
  against.executions.push_back({"1.0", "CHTC", 11000, 10900, true});
  return against;
}

TEST_CASE("figures that could not be otherwise are not counted as hits", "[prediction]") {
  auto against = something_observed();
  against.figures.push_back({"jobs", 100, study::summarise({100, 100}), 0.5, true});
  auto const text = prediction_text(result_of(two_replicas(), against));
  CHECK_THAT(text,
             has_text("1 of 2 observed figures lie in the central 90 %, and 1 more is the same"));
}

TEST_CASE("observed figures stand beside predicted ones", "[prediction]") {
  auto const text = prediction_text(result_of(two_replicas(), something_observed()));
  CHECK_THAT(text, has_text("1 of 2 observed figures lie in the central 90 %"));
  CHECK_THAT(line_of(text, "lost slot time (badput)"), has_text("NO"));
  CHECK_THAT(text, has_text("Beware: 3 jobs were observed and 2 are predicted."));
  CHECK_THAT(line_of(text, "1.0 "), has_text("+0.9 %"));
  auto const json = result_json(result_of(two_replicas(), something_observed()));
  CHECK(json["against"]["metrics"]["badput_s"]["observed"] == 1800000);
  CHECK(json["against"]["metrics"]["badput_s"]["inside_90"] == false);
  CHECK(json["against"]["executions"][0]["within_5_percent"] == true);
}

TEST_CASE("executions at sites without a forecast are no misses", "[prediction]") {
  auto against = something_observed();
  against.executions.push_back({"2.0", "PDX", 9000, std::nan(""), false});
  auto const result = result_of(two_replicas(), against);
  CHECK_THAT(prediction_text(result),
             has_text("1 execution at sites where the forecast has no success is not compared."));
  CHECK_THAT(prediction_text(result), !has_text("2.0"));
  auto const json = result_json(result)["against"];
  CHECK(json["executions_not_compared"] == 1);
  CHECK(json["executions"][1]["within_5_percent"].is_null());
  CHECK_THAT(result_csv(result).back().text, has_text("2.0,PDX,9000,,\n"));
}

TEST_CASE("many executions are shown by site", "[prediction]") {
  auto against = something_observed();
  against.executions.assign(20, {"1.0", "CHTC", 11000, 10900, true});
  against.executions.back().within = false;
  CHECK_THAT(line_of(prediction_text(result_of(two_replicas(), against)), "CHTC"),
             has_text("95 %"));
}

TEST_CASE("a prediction's CSV has a line for each figure and each replica", "[prediction]") {
  auto const files = result_csv(result_of(two_replicas(), something_observed()));
  REQUIRE(files.size() == 4);
  auto const lines = [](std::string const& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  };
  CHECK(files[0].name == "metrics.csv");
  CHECK(lines(files[0].text) == 1 + 3 * ledger::metric_names(ledger::MetricScope::replica).size());
  CHECK_THAT(files[0].text, has_text("all,badput_s,2,720000,"));
  CHECK(files[1].name == "replicas.csv");
  CHECK(lines(files[1].text) == 3);
  CHECK(files[2].name == "against.csv");
  CHECK(files[3].name == "executions.csv");
}

study::RecordComparison rows_of(study::StudySample const& sample, double badput_s) {
  study::RecordComparison rows;
  study::PlacedFigure placed;
  placed.name = "badput_s";
  placed.observed = badput_s;
  placed.predicted = study::summarise(sample, "table:badput_s");
  rows.figures.push_back(placed);
  return rows;
}

TEST_CASE("a replay in which all replicas agree is one re-enactment", "[replay]") {
  auto const replay = test::fake_prediction(
      {{{"table:badput_s", 3600}}, {{"table:badput_s", 3600}}, {{"table:badput_s", 3600}}});
  CHECK(study::deterministic(replay.sample));
  auto const rows = rows_of(replay.sample, 3600);
  CHECK_THAT(replay_text(replay_result(replay, rows)),
             has_text("all 3 campaigns agree") && has_text("0 %"));
  auto const json = result_json(replay_result(replay, rows));
  CHECK(json["schema"] == "gridcast.replay/1");
  CHECK(json["deterministic"] == true);
  CHECK(json["metrics"]["badput_s"]["relative_difference"] == 0);
}

TEST_CASE("a replay that has to draw is shown with its spread, by hypothesis", "[replay]") {
  auto const replay =
      test::fake_prediction({{{"table:badput_s", 3600 * 50.}}, {{"table:badput_s", 3600 * 10.}}});
  CHECK_FALSE(study::deterministic(replay.sample));
  auto const rows = rows_of(replay.sample, 3600 * 60.);
  CHECK_THAT(replay_text(replay_result(replay, rows)),
             has_text("30 (12..48)") && has_text("-50 %") && has_text("overload (50 %)"));
  auto const json = result_json(replay_result(replay, rows));
  CHECK(json["metrics"]["badput_s"]["mean_difference"] == -30 * 3600);
  CHECK(json["explanations"]["bad_path"]["metrics"]["badput_s"]["p50"] == 36000);
}

}  // namespace
}  // namespace gridcast::report
