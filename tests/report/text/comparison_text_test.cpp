#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/ledger/metrics.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/report/data/result_json.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/choice_text.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/study_text.hpp"
#include "tests/report/fake_study.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::fake_sample;
using test::has_text;

history::Ending const too_large{history::EventKind::held, history::Reason::input_too_large};

test::Figures outcome(double succeeded, double badput_h, double makespan_d = 7) {
  test::Figures figures = {{"jobs", 100},
                           {"succeeded", succeeded},
                           {"wallclock_s", succeeded > 0 ? 3600 * (400 + badput_h) : 0},
                           {"compute_success_s", succeeded > 0 ? 3600. * 400 : 0},
                           {"executions", succeeded},
                           {"never_ran", succeeded > 0 ? 0. : 4.},
                           {"cause", study::cause_number(too_large)},
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
  comparison.input = Bytes(137e9);
  comparison.input_limit = Bytes(5e9);
  comparison.weights = {{scenario::Hypothesis::overload, 0.25, 1.1, 0.5}};
  comparison.requested = 4;
  comparison.samples = {
      fake_sample({outcome(80, 300), outcome(80, 310), outcome(79, 320), outcome(81, 280)}),
      fake_sample({outcome(80, 330), outcome(80, 10), outcome(79, 330), outcome(81, 20)}),
      fake_sample({outcome(0, 0, 0), outcome(0, 0, 0), outcome(0, 0, 0), outcome(0, 0, 0)})};
  return comparison;
}

/// Words as they stand, whatever lines they are in.
std::string in_one_line(std::string const& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

TEST_CASE("the verdict names its conditions and the cost of each choice", "[comparison]") {
  auto const text = in_one_line(comparison_text(result_of(three_strategies())));
  // Both bring 80 of 100 jobs, and never 90; move-on needs fewer hours, but not under overload.
  CHECK_THAT(text, has_text("Undecided: on average move-on needs the fewest GPU hours for each "
                            "success of those that finish as many jobs, but it depends on why "
                            "transfers stall."));
  CHECK_THAT(text, has_text("With it 80 of 100 jobs finish, but never the wanted 90, for "));
  CHECK_THAT(text, has_text("prior 25 % - ln Bayes factor +1.10 - posterior 50 % 50 %"));
  // (700 + 720) / 159 and (710 + 680) / 161, the first the best there.
  CHECK_THAT(text, has_text("published *8.93 / 80 8.63 / 81"));
}

TEST_CASE("a strategy that the record cannot speak of is named", "[comparison]") {
  auto comparison = three_strategies();
  std::string const sentence =
      "move-on: the record has no input that came from the origin by HTTP.";
  CHECK_THAT(in_one_line(comparison_text(result_of(comparison))), !has_text(sentence));
  using scenario::RecordGap;
  comparison.beyond_record = {RecordGap::none, RecordGap::http, RecordGap::none};
  Result const result = result_of(comparison);
  CHECK_THAT(in_one_line(comparison_text(result)), has_text(sentence));
  Result const again = read_result(json_text(result_json(result)), "r.json");
  REQUIRE(again.strategies.size() == 3);
  for (auto const& strategy : again.strategies) {
    CHECK(strategy.beyond_record ==
          (strategy.name == "move-on" ? RecordGap::http : RecordGap::none));
  }
}

TEST_CASE("a headline says that its strategy is beyond the record", "[comparison]") {
  auto comparison = three_strategies();
  using scenario::RecordGap;
  comparison.beyond_record = {RecordGap::none, RecordGap::http, RecordGap::none};
  CHECK_THAT(in_one_line(comparison_text(result_of(comparison))),
             has_text("But the record has no input that came as move-on's does: nothing speaks for "
                      "it."));
  comparison.beyond_record = {RecordGap::none, RecordGap::none, RecordGap::access_point};
  CHECK_THAT(in_one_line(comparison_text(result_of(comparison))), !has_text("But the record"));
}

TEST_CASE("a record without transfers is noted once for any number of strategies", "[comparison]") {
  auto comparison = three_strategies();
  comparison.beyond_record.assign(3, scenario::RecordGap::transfers);
  auto const text = in_one_line(comparison_text(result_of(comparison)));
  std::string const sentence = "The record has no input transfers";
  auto const first = text.find(sentence);
  REQUIRE(first != std::string::npos);
  CHECK(text.find(sentence, first + 1) == std::string::npos);
  CHECK_THAT(text, !has_text("But the record"));
}

TEST_CASE("the verdict mentions a record without stalls, and the JSON keeps it", "[comparison]") {
  auto comparison = three_strategies();
  comparison.no_stalls = "no stall was seen: with 0 of 130 attempts the rate is below 2.3 %";
  Result const again = read_result(json_text(result_json(result_of(comparison))), "r.json");
  CHECK(again.no_stalls == comparison.no_stalls);
  CHECK_THAT(in_one_line(comparison_text(result_of(comparison))),
             has_text("The record: no stall was seen: with 0 of 130 attempts the rate is below "
                      "2.3 %. The saving by a timer"));
}

TEST_CASE("a comparison beyond its record names the factor and test jobs, and keeps them",
          "[comparison]") {
  Result result = result_of(three_strategies());
  CHECK_THAT(in_one_line(comparison_text(result)), !has_text("Beyond the record"));
  result.extrapolation = "input 47 times the record's (137 GB, not 2.9 GB)";
  Result const again = read_result(json_text(result_json(result)), "r.json");
  CHECK(again.extrapolation == result.extrapolation);
  CHECK_THAT(in_one_line(comparison_text(result)),
             has_text("Beyond the record: input 47 times the record's (137 GB, not 2.9 GB). "
                      "Test: run 5 of these jobs to their end, and forecast again"));
}

TEST_CASE("a strategy that gives up wins nothing, and is named with its cause", "[comparison]") {
  auto const text = in_one_line(comparison_text(result_of(three_strategies())));
  CHECK_THAT(text,
             has_text("Not ranked: give-up, under which as many jobs succeed as under published "
                      "(90 % at least) in < 60 % of the campaigns; held: input of 137 GB is over "
                      "the limit of 5 GB."));
  CHECK_THAT(text,
             has_text("give-up: no job ran in any of 4 campaigns (held: input of 137 GB is over "
                      "the limit of 5 GB)."));
}

TEST_CASE("a difference is a median and a range over pairs of campaigns", "[comparison]") {
  auto const text = in_one_line(comparison_text(result_of(three_strategies())));
  CHECK_THAT(text, has_text("Differences to published in pairs of campaigns"));
  // Badput 30, -300, 10 and -260 hours more, in four campaigns.
  CHECK_THAT(text, has_text("-125 (-294..+27.0) 4 50 % ±"));
}

TEST_CASE("a comparison's tables fit a terminal", "[comparison]") {
  auto comparison = three_strategies();
  comparison.strategies[1] = "thirty-minute-stall-timeout";
  comparison.samples[1] = comparison.samples[0];
  comparison.samples[0] = three_strategies().samples[1];
  comparison.samples[1].records[1] = comparison.samples[0].records[1];
  Screen const terminal{Charset::utf8, 104};
  std::istringstream lines(comparison_text(result_of(comparison), terminal));
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

/// Lines of at most so many columns.
std::vector<std::size_t> widths(std::string const& text) {
  std::vector<std::size_t> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) all.push_back(text_width(line));
  return all;
}

TEST_CASE("the brief answer has at most twelve lines of eighty columns", "[comparison]") {
  auto comparison = three_strategies();
  comparison.descriptions = {{"No change."},
                             {"A change that takes so many words that one line cannot have all of "
                              "them, and that the site's administrators have to make."},
                             {}};
  for (std::string const& name :
       {std::string("move-on"), std::string(90, 'x'), std::string("two words")}) {
    comparison.strategies[1] = name;
    auto result = result_of(comparison);
    for (std::optional<Seconds> const deadline : {std::optional<Seconds>(), {days(3)}}) {
      result.deadline = deadline;
      for (std::size_t const width : {60, 80, 200}) {
        auto const text =
            brief_comparison(result, {Charset::ascii, width, "gridcast compare x.yaml"});
        INFO(text);
        auto const columns = widths(text);
        CHECK(columns.size() <= most_brief_lines);
        CHECK(*std::max_element(columns.begin(), columns.end()) <=
              std::min<std::size_t>(width, 80));
        CHECK_THAT(text, has_text("Undecided: "));
        CHECK_THAT(text, has_text("--details"));
      }
    }
  }
}

TEST_CASE("a table too wide for its ranges shows the medians", "[comparison]") {
  auto comparison = three_strategies();
  comparison.strategies[1] = "a-strategy-with-26-letters";
  auto const hours = [](double badput_h) {
    auto figures = outcome(80, badput_h, 1234);
    figures["finish_s:40"] = 86400. * 1234;
    return figures;
  };
  for (auto& sample : comparison.samples) {
    sample = fake_sample({hours(1e5), hours(2e5), hours(1e6), hours(3e6)});
  }
  auto const text = brief_comparison(result_of(comparison), {Charset::ascii, 80});
  INFO(text);
  CHECK_THAT(text, has_text("\nstrategy "));
  CHECK_THAT(text, has_text("\na-strategy-with-26-letters "));
  CHECK_THAT(text, has_text("\nEvidence: "));
  CHECK(widths(text).size() <= most_brief_lines);
}

TEST_CASE("the goal 'cost' without prices says so, and how to state one", "[comparison]") {
  auto comparison = three_strategies();
  comparison.preferences.goal = {scenario::GoalKind::cost, {}};
  std::string const sentence =
      "No prices are stated, so GPU hours stand for the cost. --set prices.gpu_hour=2 states one.";
  CHECK_THAT(in_one_line(brief_comparison(result_of(comparison), {})), has_text(sentence));
  CHECK_THAT(in_one_line(comparison_text(result_of(comparison))), has_text(sentence));
  comparison.bill.prices.currency = "EUR";
  comparison.bill.prices.gpu_hour = 2;
  CHECK_THAT(in_one_line(brief_comparison(result_of(comparison), {})), !has_text("No prices"));
  comparison = three_strategies();
  CHECK_THAT(in_one_line(brief_comparison(result_of(comparison), {})), !has_text("No prices"));
}

/// Campaigns with so many jobs, which are the wanted 90 after a day or never.
test::Figures finishing(double succeeded) {
  auto figures = outcome(succeeded, 10, 1);
  for (std::size_t step = 1; step <= study::finish_steps && succeeded >= 90; ++step) {
    figures["finish_s:" + std::to_string(step)] = 86400;
  }
  return figures;
}

TEST_CASE("the median number of jobs agrees with the median time", "[comparison]") {
  study::Comparison comparison;
  comparison.strategies = {"half"};
  // Two campaigns of four have the 90 jobs: one median is between 80 and 95, the other a day.
  comparison.samples = {fake_sample({finishing(70), finishing(80), finishing(95), finishing(100)})};
  comparison.requested = 4;
  auto const result = result_of(comparison);
  CHECK_THAT(choice_sentence(result), has_text("With it 95 of 100 jobs finish, 90 of them in 24"));
  // One of three has them.
  comparison.samples = {fake_sample({finishing(70), finishing(89), finishing(100)})};
  comparison.requested = 3;
  CHECK_THAT(choice_sentence(result_of(comparison)),
             has_text("With it 89 of 100 jobs finish, but never the wanted 90"));
}

TEST_CASE("where all jobs are wanted, their number is there once") {
  CHECK_THAT(
      to_text({9, 9, {9, 9, 9}, {7200, 7200, 7200}, {5, 5, 5}, "GPU hours"}, TimeWords(7200)),
      has_text("9 of 9 jobs finish, in 2.0 h, for 5.0 GPU hours"));
  CHECK_THAT(
      to_text({9, 8, {9, 9, 9}, {7200, 7200, 7200}, {5, 5, 5}, "GPU hours"}, TimeWords(7200)),
      has_text("9 of 9 jobs finish, 8 of them in 2.0 h"));
}

TEST_CASE("a short time beside a long one is not nothing") {
  TimeWords const days(10 * 86400);
  CHECK(days.number(3600) == "< 0.1");
  CHECK(days.number(0) == "0.0");
  CHECK(days.number(8640) == "0.1");
}

TEST_CASE("a strategy of the user's question is shown", "[comparison]") {
  study::Comparison comparison;
  comparison.requested = 4;
  // Each is worse than the one before.
  for (int i = 0; i < 8; ++i) {
    comparison.strategies.push_back(fmt::format("s{}", i));
    auto const figures = outcome(80 - 5 * i, 100);
    comparison.samples.push_back(fake_sample({figures, figures, figures, figures}));
  }
  comparison.baseline = 6;
  auto const shown = [&](std::vector<std::string> const& asked) {
    comparison.asked = asked;
    auto const text = brief_comparison(result_of(comparison), {Charset::ascii, 80});
    std::string names;
    for (auto const& line : split(text, '\n')) {
      if (line.starts_with("s") && line.find("  ") == 2) names += line.substr(0, 2) + " ";
    }
    return names;
  };
  CHECK(shown({}) == "s0 s1 s2 s6 ");
  CHECK(shown({"s5"}) == "s0 s1 s5 s6 ");
  CHECK(shown({"s1", "s6"}) == "s0 s1 s2 s6 ");
  CHECK(shown({"s4", "s5", "s7"}) == "s0 s4 s5 s6 s7 ");
  CHECK(shown({"s3", "s4", "s5", "s7"}) == "s0 s3 s4 s5 s6 ");
}

TEST_CASE("with prices the strategies are shown with their money", "[comparison]") {
  auto comparison = three_strategies();
  comparison.bill.prices.currency = "EUR";
  comparison.bill.prices.gpu_hour = 2;
  auto const text = brief_comparison(result_of(comparison), {Charset::ascii, 80});
  INFO(text);
  // 700, 710, 720 and 680 slot hours at 2 EUR.
  CHECK_THAT(text, has_text(" EUR\n"));
  CHECK_THAT(text, has_text(" 1400 (1360..1440)\n"));
}

TEST_CASE("a trade-off names a disadvantage", "[comparison]") {
  // Three campaigns of four have as many jobs, and none has the wanted 90: the medians are alike.
  auto comparison = three_strategies();
  comparison.strategies = {"sure", "cheap"};
  comparison.samples = {
      fake_sample({outcome(81, 300), outcome(81, 300), outcome(81, 300), outcome(81, 300)}),
      fake_sample({outcome(81, 50), outcome(81, 50), outcome(81, 50), outcome(63, 50)})};
  // 700 and 450 hours; (3 * 81 + 63) / 4 / 90 is 85 %.
  CHECK(trade_off_sentence(result_of(comparison)) ==
        "Trade-off: cheap needs 36 % fewer GPU hours, but finishes 85 % instead of 90 % of the "
        "wanted jobs on average.");
}

TEST_CASE("a deadline that no strategy meets is named as such", "[comparison]") {
  auto comparison = three_strategies();
  comparison.preferences.goal = {scenario::GoalKind::deadline, days(3)};
  Result const missed = result_of(comparison);
  CHECK(choice_sentence(missed).starts_with("No strategy meets the deadline of 3 d. "));
  CHECK(asked_deadline(missed) == days(3));
  auto in_a_day = outcome(95, 10, 1);
  for (std::size_t step = 1; step <= study::finish_steps; ++step) {
    in_a_day["finish_s:" + std::to_string(step)] = days(1).value();
  }
  comparison.samples[1] = fake_sample({in_a_day, in_a_day, in_a_day, in_a_day});
  CHECK_THAT(choice_sentence(result_of(comparison)), !has_text("No strategy meets"));
}

TEST_CASE("a makespan has one definition in every figure of a comparison", "[comparison]") {
  // "late" has 90 of 100 jobs after 4 and 6 days, "give-up" ends without any.
  auto const finished = [](double succeeded, double days_to_90) {
    auto figures = outcome(succeeded, 10, days_to_90 / 0.9);
    for (std::size_t step = 1; step <= study::finish_steps && succeeded > 0; ++step) {
      figures["finish_s:" + std::to_string(step)] =
          86400 * days_to_90 * static_cast<double>(step) / 45;  // step 45 of 50: 90 jobs
    }
    return figures;
  };
  study::Comparison comparison;
  comparison.strategies = {"late", "give-up"};
  comparison.requested = 2;
  comparison.samples = {fake_sample({finished(100, 4), finished(100, 6)}),
                        fake_sample({finished(0, 1), finished(0, 1)})};
  auto const result = result_of(comparison);
  auto const json = Json::parse(json_text(result_json(result)));
  auto const median = [&](char const* name) -> std::vector<Json> {
    return {json["strategies"][name]["metrics"]["makespan_s"]["p50"],
            json["strategies"][name]["finish"]["wanted_quantiles_s"][50],
            json["choice"]["strategies"][name]["makespan_s"]["p50"]};
  };
  for (Json const& days_to_90 : median("late"))
    CHECK(days_to_90.get<double>() == Approx(4 * 86400.));
  for (Json const& never : median("give-up")) CHECK(never.is_null());
  CHECK(json["strategies"]["give-up"]["metrics"]["makespan_s"]["mean"].is_null());
  CHECK(
      json["strategies"]["give-up"]["versus_baseline"]["makespan_s"]["mean_difference"].is_null());
  CHECK(json["strategies"]["give-up"]["probability_best"]["makespan_s"] == 0);
  CHECK(!json["strategies"]["give-up"].contains("spread"));
  std::string metrics, replicas;
  for (auto const& file : result_csv(result)) {
    if (file.name == "metrics.csv") metrics = file.text;
    if (file.name == "replicas.csv") replicas = file.text;
  }
  CHECK_THAT(metrics, has_text("give-up,all,makespan_s,2,,,inf,inf,inf,inf,inf,,"));
  CHECK_THAT(metrics, has_text("late,all,makespan_s,2,432000,"));
  CHECK_THAT(replicas, has_text("late,0,") && has_text("345600") && has_text(",inf,"));
}

TEST_CASE("a choice comes back from JSON, with times that are never", "[comparison]") {
  auto comparison = three_strategies();
  comparison.descriptions = {{}, {"The site upgrades.", hours(8)}, {}};
  comparison.preferences.goal = {scenario::GoalKind::deadline, days(3)};
  auto const result = result_of(comparison);
  auto const again = read_result(json_text(result_json(result)), "r.json");
  REQUIRE(again.choice);
  CHECK(again.choice->best == result.choice->best);
  CHECK(again.choice->state == result.choice->state);
  CHECK(again.choice->wanted == 90);
  CHECK(again.choice->preferences.goal == comparison.preferences.goal);
  CHECK(std::isinf(again.choice->strategies[1].makespan.middle));
  CHECK(again.strategies[1].about == "The site upgrades.");
  CHECK(brief_comparison(again, {}) == brief_comparison(result, {}));
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
  CHECK(json["explanations"]["overload"]["prior"] == 0.25);
  auto const& choice = json["choice"];
  CHECK(choice["state"] == "undecided");
  CHECK(choice["best"] == "move-on");
  CHECK(choice["strategies"]["move-on"]["best_under"] == Json::array({1}));
  CHECK(json["strategies"]["give-up"]["rank"]["is"] == "too_few_succeed");
  CHECK(move_on["pooled"]["gpu_hours_per_success"]["ratio"] == (730 + 410 + 730 + 420) / 320.);
  CHECK(move_on["probability_best_ci95"]["gpu_hours_per_success"].size() == 2);
  CHECK(badput["better"]["share"] == 0.5);
  CHECK(bad_path["strategies"]["move-on"]["probability_best"]["gpu_hours_per_success"] == 1);
}

TEST_CASE("a partial comparison says so, and how many replicas all strategies finished",
          "[comparison]") {
  auto comparison = three_strategies();
  comparison.interrupted = true;
  comparison.requested = 100;
  comparison.samples[2].records.pop_back();
  comparison.samples[2].replicas.pop_back();
  comparison.failed.push_back({"give-up", 3, "killed by signal 9 (Killed)"});
  CHECK_THAT(comparison_text(result_of(comparison)), has_text("PARTIAL: after 3 of 100 campaigns"));
  auto const json = result_json(result_of(comparison));
  CHECK(json["partial"] == true);
  CHECK(json["replicas"] == 3);
  CHECK(json["strategies"]["published"]["replicas"] == 4);
  CHECK(json["failed"][0]["strategy"] == "give-up");
  CHECK(json["failed"][0]["command"] ==
        "gridcast forecast s.yaml --once --seed 7 --replica 3 --strategy give-up");
}

TEST_CASE("a comparison without a single complete replica is still an answer", "[comparison]") {
  auto comparison = three_strategies();
  for (auto& sample : comparison.samples) sample = fake_sample({});
  CHECK_THAT(comparison_text(result_of(comparison)), has_text("No campaign was finished"));
  auto const json = Json::parse(json_text(result_json(result_of(comparison))));
  CHECK(json["replicas"] == 0);
  CHECK(json["strategies"]["published"]["probability_best"]["badput_s"].is_null());
}

TEST_CASE("a comparison's CSV has a line for each figure of each strategy", "[comparison]") {
  auto const files = result_csv(result_of(three_strategies()));
  REQUIRE(files.size() == 6);
  auto const lines = [](NamedText const& file) {
    return static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '\n'));
  };
  std::size_t const figures = ledger::metric_names(ledger::MetricScope::replica).size();
  CHECK(lines(files[0]) == 1 + 3 * 3 * figures);
  CHECK(lines(files[1]) == 1 + 3 * 3 * figures);
  CHECK(lines(files[2]) == 1 + 3 * 3 * study::compared_figures().size());
  CHECK(files[3].name == "explanations.csv");
  CHECK(lines(files[3]) == 1 + 3 * 2);
  CHECK(files[4].name == "standings.csv");
  CHECK(lines(files[4]) == 1 + 3);
  CHECK(lines(files[5]) == 1 + 3 * 4);
}

}  // namespace
}  // namespace gridcast::report
