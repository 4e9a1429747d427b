#include "sim/report/text/replay_text.hpp"
#include "sim/study/prediction.hpp"
#include "tests/report/fake_study.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

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
  CHECK_THAT(replay_text(replay, rows), has_text("all 3 replicas agree") && has_text("0 %"));
  auto const json = replay_json(replay, rows);
  CHECK(json["schema"] == "gridcast.replay/1");
  CHECK(json["deterministic"] == true);
  CHECK(json["metrics"]["badput_s"]["relative_difference"] == 0);
}

TEST_CASE("a replay that has to draw is shown with its spread, by explanation", "[replay]") {
  auto const replay =
      test::fake_prediction({{{"table:badput_s", 3600 * 50.}}, {{"table:badput_s", 3600 * 10.}}});
  CHECK_FALSE(study::deterministic(replay.sample));
  auto const rows = rows_of(replay.sample, 3600 * 60.);
  CHECK_THAT(replay_text(replay, rows),
             has_text("30 (12..48)") && has_text("-50 %") && has_text("overload (50 %)"));
  auto const json = replay_json(replay, rows);
  CHECK(json["metrics"]["badput_s"]["mean_difference"] == -30 * 3600);
  CHECK(json["explanations"]["bad_path"]["metrics"]["badput_s"]["p50"] == 36000);
}

}  // namespace
}  // namespace gridcast::report
