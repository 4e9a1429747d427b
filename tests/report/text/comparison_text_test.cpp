#include <algorithm>
#include <sstream>

#include "sim/ledger/metrics.hpp"
#include "sim/report/data/result_csv.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"
#include "tests/report/fake_study.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::fake_sample;
using test::has_text;

test::Figures outcome(double succeeded, double badput_h, double makespan_d = 7) {
  test::Figures figures = {{"succeeded", succeeded},
                           {"badput_s", 3600 * badput_h},
                           {"makespan_s", 86400 * makespan_d},
                           {"goodput_fraction", 400 / (400 + badput_h)}};
  if (succeeded > 0) figures["gpu_hours_per_success"] = (400 + badput_h) / succeeded;
  return figures;
}

/// Under overload (even replicas) patience is best, on a bad path moving on; one strategy gives up.
study::Comparison three_strategies() {
  study::Comparison comparison;
  comparison.scenario = "s.yaml";
  comparison.title = "Two trainings";
  comparison.question = "What would help?";
  comparison.strategies = {"published", "move-on", "give-up"};
  comparison.seed = 7;
  comparison.requested = 4;
  comparison.samples = {
      fake_sample({outcome(80, 300), outcome(80, 310), outcome(79, 320), outcome(81, 280)}),
      fake_sample({outcome(80, 330), outcome(80, 10), outcome(79, 330), outcome(81, 20)}),
      fake_sample({outcome(0, 0, 0), outcome(0, 0, 0), outcome(0, 0, 0), outcome(0, 0, 0)})};
  return comparison;
}

TEST_CASE("the verdict names what it depends on", "[comparison]") {
  auto const text = comparison_text(result_of(three_strategies()));
  CHECK_THAT(text, has_text("published, move-on alike, each best in 50 % of the replicas"));
  CHECK_THAT(text, has_text("overload  (50 % of the replicas): published, best in 100 %"));
  CHECK_THAT(text, has_text("bad path  (50 % of the replicas): move-on, best in 100 %"));
}

TEST_CASE("a strategy that gives up wins nothing", "[comparison]") {
  CHECK_THAT(comparison_text(result_of(three_strategies())),
             has_text("give-up has the least badput only because few of its jobs succeed") &&
                 !has_text("give-up, best in"));
}

TEST_CASE("a comparison's tables fit a terminal", "[comparison]") {
  auto comparison = three_strategies();
  comparison.strategies[1] = "thirty-minute-stall-timeout";
  comparison.samples[1] = comparison.samples[0];
  comparison.samples[0] = three_strategies().samples[1];
  comparison.samples[1].records[1] = comparison.samples[0].records[1];
  std::istringstream lines(comparison_text(result_of(comparison)));
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(text_width(line) <= 104);
  }
}

TEST_CASE("a comparison fits every screen, with the characters that it has", "[comparison]") {
  auto comparison = three_strategies();
  comparison.strategies[1] =
      "a-strategy-with-a-name-of-more-than-sixty-characters-in-one-single-word";
  comparison.title =
      "数据 and \x1b[31m \u202E trainings of many words, so that the title alone is wide";
  for (std::size_t width = least_width; width <= most_width; width += 7) {
    for (auto const charset : {Charset::ascii, Charset::utf8}) {
      std::istringstream lines(comparison_text(result_of(comparison), {charset, width}));
      for (std::string line; std::getline(lines, line);) {
        INFO(width << ": " << line);
        REQUIRE(text_width(line) <= width);
        REQUIRE(line.find('\x1b') == std::string::npos);
        bool const ascii = std::all_of(line.begin(), line.end(), [](char c) { return c > 0; });
        REQUIRE((charset == Charset::utf8 || ascii));
      }
    }
  }
}

TEST_CASE("a comparison is drawn: dots, lines and finish curves", "[comparison]") {
  auto const text = comparison_text(result_of(three_strategies()), {Charset::ascii, 80});
  // Of "published" all replicas end on day 7, which is the end of the axis.
  CHECK_THAT(text, has_text("all jobs ended by") && has_text("7 d") && has_text("@"));
  CHECK_THAT(text, has_text("difference, GPU h/success") && has_text("GPU h/success"));
  auto const utf8 = comparison_text(result_of(three_strategies()), {Charset::utf8, 80});
  CHECK_THAT(utf8, has_text("●") && has_text("├"));
  CHECK_THAT(comparison_text(result_of(three_strategies()), {Charset::utf8, 80, true}),
             has_text("\x1b[32m"));
}

TEST_CASE("a comparison's JSON has the keys that scripts rely on", "[comparison]") {
  auto const json = Json::parse(json_text(result_json(result_of(three_strategies()))));
  CHECK(json["schema"] == "gridcast.comparison/1");
  CHECK(json["baseline"] == "published");
  CHECK(json["replicas"] == 4);
  CHECK(json["seed"] == 7);
  CHECK(json["partial"] == false);
  auto const& move_on = json["strategies"]["move-on"];
  CHECK(move_on["metrics"]["badput_s"]["mean_ci95"].size() == 2);
  auto const& badput = move_on["versus_baseline"]["badput_s"];
  CHECK(badput["mean_difference"] == 3600 * (30 - 300 + 10 - 260) / 4.);
  CHECK(badput["ci95"].size() == 2);
  CHECK(badput["variance_ratio"].is_number());
  CHECK(move_on["probability_best"]["gpu_hours_per_success"] == 0.5);
  CHECK(json["strategies"]["give-up"]["probability_best"]["gpu_hours_per_success"] == 0);
  CHECK(json["strategies"]["give-up"]["metrics"]["gpu_hours_per_success"]["p50"].is_null());
  auto const& bad_path = json["explanations"]["bad_path"];
  CHECK(bad_path["weight"] == 0.5);
  CHECK(bad_path["strategies"]["move-on"]["probability_best"]["gpu_hours_per_success"] == 1);
}

TEST_CASE("a partial comparison says so, and how many replicas all strategies finished",
          "[comparison]") {
  auto comparison = three_strategies();
  comparison.interrupted = true;
  comparison.requested = 100;
  comparison.samples[2].records.pop_back();
  comparison.samples[2].replicas.pop_back();
  comparison.failed.push_back({"give-up", {3, "killed by signal 9 (Killed)"}});
  CHECK_THAT(comparison_text(result_of(comparison)),
             has_text("PARTIAL: interrupted after 3 of 100 replicas"));
  auto const json = result_json(result_of(comparison));
  CHECK(json["partial"] == true);
  CHECK(json["replicas"] == 3);
  CHECK(json["strategies"]["published"]["replicas"] == 4);
  CHECK(json["failed"][0]["strategy"] == "give-up");
  CHECK(json["failed"][0]["command"] ==
        "gridcast run s.yaml --seed 7 --replica 3 --strategy give-up");
}

TEST_CASE("a comparison without a single complete replica is still an answer", "[comparison]") {
  auto comparison = three_strategies();
  for (auto& sample : comparison.samples) sample = fake_sample({});
  CHECK_THAT(comparison_text(result_of(comparison)), has_text("No replica was finished"));
  auto const json = Json::parse(json_text(result_json(result_of(comparison))));
  CHECK(json["replicas"] == 0);
  CHECK(json["strategies"]["published"]["probability_best"]["badput_s"].is_null());
}

TEST_CASE("a comparison's CSV has a line for each figure of each strategy", "[comparison]") {
  auto const files = result_csv(result_of(three_strategies()));
  REQUIRE(files.size() == 4);
  auto const lines = [](NamedText const& file) {
    return static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '\n'));
  };
  std::size_t const figures = ledger::metric_names(ledger::ToldOf::replica).size();
  CHECK(lines(files[0]) == 1 + 3 * 3 * figures);
  CHECK(lines(files[1]) == 1 + 3 * 3 * figures);
  CHECK(lines(files[2]) == 1 + 3 * 3 * study::compared_figures().size());
  CHECK(lines(files[3]) == 1 + 3 * 4);
}

}  // namespace
}  // namespace gridcast::report
