#include "sim/report/data/result_json.hpp"

#include <cmath>

#include "sim/base/error.hpp"
#include "sim/base/json_fields.hpp"
#include "tests/history/history_builder.hpp"
#include "tests/report/results.hpp"
#include "tests/test.hpp"

namespace gridcast::report {
namespace {

using test::has_text;

std::string problem_of(std::string const& text) {
  try {
    read_result(text, "r.json");
  } catch (InputError const& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a comparison comes back as it was printed", "[result_reader]") {
  auto const result = test::read_back(test::comparison_result());
  CHECK(result.kind == ResultKind::comparison);
  CHECK(result.scenario == "s.yaml");
  CHECK(result.question == "Which is best?");
  REQUIRE(result.strategies.size() == 2);
  CHECK(baseline(result)->name == "published");
  CHECK(jobs(result) == 2);
  auto const badput = summary(baseline(result)->metrics, "badput_s");
  CHECK(badput.mean == 9000);
  CHECK(baseline(result)->sites.at(1).second.at("badput_s").mean == 9000);
  // (3600 - 7200 + 5400 - 10800) / 2
  CHECK(result.strategies[1].versus_baseline.at("badput_s").mean == -4500);
  CHECK(result.strategies[1].probability_best.at("badput_s") == 1);
  REQUIRE(baseline(result)->finish);
  // The curve ends at the 95 % quantile of makespan, 19,500 s: one replica has one job then, the
  // other both.
  CHECK(baseline(result)->finish->p50.back() == 1.5);
  CHECK(baseline(result)->finish->at.back().value() == 19500);
  CHECK(result.hypotheses.size() == 2);
  auto const before = test::comparison_result();
  REQUIRE(result.choice);
  CHECK(result.choice->state == before.choice->state);
  CHECK(result.choice->best == 1);
  CHECK(result.choice->strategies[0].loss == before.choice->strategies[0].loss);
  CHECK(result.choice->strategies[1].best_under == before.choice->strategies[1].best_under);
  CHECK(result.strategies[1].probability_best_ci95.at("badput_s").low ==
        before.strategies[1].probability_best_ci95.at("badput_s").low);
  CHECK(baseline(result)->finish->wanted == 2);
  CHECK(baseline(result)->finish->reached == baseline(before)->finish->reached);
  // A null in the JSON means unknown.
  CHECK(summary(baseline(result)->metrics, "stalls").n == 0);
}

TEST_CASE("a result that was read is written with the same bytes", "[result_reader]") {
  auto const result = GENERATE(test::comparison_result(), test::prediction_result());
  auto const text = json_text(result_json(result));
  CHECK(json_text(result_json(read_result(text, "r.json"))) == text);
}

TEST_CASE("values of parameters keep their ranges and names", "[result_reader]") {
  auto result = test::comparison_result();
  result.parameter_values = {
      {"explanation", "why", 0.1, {0.05, 0.15}, {{infinity, 1, "slow"}, {infinity, 0, "overload"}}},
      {"x", "a number", 0.05, {0.01, 0.09}, {{12, 0}, {infinity, 1}}}};
  auto const again = test::read_back(result).parameter_values;
  REQUIRE(again.size() == 2);
  CHECK(again[0].ranges[0].name == "slow");
  CHECK(again[0].ranges[1].choice == 0);
  CHECK(again[1].ranges[0].upto == 12);
  CHECK(again[1].ranges[0].name.empty());
  CHECK(std::isinf(again[1].ranges[1].upto));
}

TEST_CASE("a prediction and a ledger come back as they were printed", "[result_reader]") {
  auto const prediction = test::read_back(test::prediction_result());
  CHECK(baseline(prediction)->name == "published");
  CHECK(summary(baseline(prediction)->metrics, "makespan_s").p50 == 15000);

  test::HistoryBuilder history({{1, 0}}, {"PDX"});
  history.add(0, 0, history::EventKind::submitted)
      .add(10, 0, history::EventKind::matched)
      .on(0)
      .add(20, 0, history::EventKind::executing)
      .on(0)
      .add(120, 0, history::EventKind::terminated)
      .on(0);
  auto const ledger = test::read_back(result_of(ledger::account(history.get()), true));
  CHECK(figure(ledger.ledger->metrics, "compute_success_s") == 100);
  CHECK(ledger.ledger->dated);
  REQUIRE(ledger.ledger->jobs.size() == 1);
  CHECK(figure(ledger.ledger->jobs[0].figures, "execute_last_s") == 100);
  CHECK(ledger.ledger->finish->at.back() == Seconds(120));
  CHECK(result_json(test::read_back(ledger)) == result_json(ledger));
}

TEST_CASE("a ledger that is printed in parts has the same text") {
  std::size_t const sites = GENERATE(0, 1, 3, 2000);
  std::vector<std::string> names;
  std::vector<history::JobName> jobs;
  for (std::size_t i = 0; i < sites; ++i) {
    names.push_back(fmt::format("site \"{}\" \\ {{}}", i * 7919 % 1000 + i));
    jobs.push_back({static_cast<std::uint32_t>(i), 0});
  }
  test::HistoryBuilder h(jobs, names);
  for (std::size_t i = 0; i < sites; ++i) {
    h.add(0, i, history::EventKind::submitted).add(10, i, history::EventKind::matched).on(i);
    if (i % 3 == 0) continue;
    h.add(20, i, history::EventKind::executing).on(i);
    h.add(30 + static_cast<double>(i), i, history::EventKind::terminated).on(i);
  }
  auto const ledger = ledger::account(h.get());
  std::string parts;
  print_ledger_json(result_json(result_without_sites(ledger, true)), "sites", "site", ledger,
                    [&parts](std::string_view part) { parts += part; });
  CHECK(parts == json_text(result_json(result_of(ledger, true))));
}

TEST_CASE("when jobs had succeeded counts from the first submission, as the makespan does") {
  double const first = GENERATE(-7200.0, 0.0, 86400.0);
  test::HistoryBuilder h({{1, 0}, {2, 0}}, {"PDX"});
  for (std::size_t const job : {0U, 1U}) {
    double const at = first + 7200.0 * static_cast<double>(job);
    h.add(at, job, history::EventKind::submitted).add(at + 60, job, history::EventKind::matched);
    h.on(0).add(at + 60, job, history::EventKind::executing).on(0);
    h.add(at + 3660, job, history::EventKind::terminated).on(0);
  }
  auto const finish = result_of(ledger::account(h.get()), false).ledger->finish;
  REQUIRE(finish);
  CHECK(finish->at ==
        std::vector<Seconds>{Seconds(), Seconds(3660), Seconds(10860), Seconds(10860)});
  CHECK(finish->p50 == std::vector<double>{0, 1, 2, 2});
}

TEST_CASE("a result of before there were finish curves is still a result", "[result_reader]") {
  auto const result = read_result(
      R"({"schema": "gridcast.comparison/1", "baseline": "a", "replicas": 1, "seed": 1,
          "strategies": {"a": {"metrics": {"badput_s": {"mean": 5}}}}})",
      "old.json");
  CHECK_FALSE(baseline(result)->finish);
  CHECK(summary(baseline(result)->metrics, "badput_s").mean == 5);
}

TEST_CASE("truncated JSON is reported with line and column", "[result_reader]") {
  CHECK_THAT(problem_of("{\"schema\": \"gridcast.ledger/1\",\n \"met"), has_text("r.json:2:6: "));
  CHECK_THAT(problem_of("{\"schema\":\n }"), has_text("r.json:2:2: is not JSON"));
  CHECK_THAT(problem_of(""), has_text("r.json:1:1: "));
}

TEST_CASE("another schema or version is named", "[result_reader]") {
  CHECK_THAT(problem_of(R"({"schema": "gridcast.ledger/2"})"),
             has_text("schema gridcast.ledger/2 (this gridcast reads gridcast.ledger/1)"));
  CHECK_THAT(problem_of(R"({"schema": "other/1"})"), has_text("is of schema 'other/1'"));
  CHECK_THAT(problem_of("[]"), has_text("names no schema"));
}

TEST_CASE("every value of the wrong type is named, all at once", "[result_reader]") {
  auto const text = problem_of(
      R"({"schema": "gridcast.prediction/1", "seed": "one",
          "metrics": {"badput_s": {"mean": "much"}, "stalls": 3}})");
  CHECK_THAT(text, has_text("'seed' is not a whole number"));
  CHECK_THAT(text, has_text("'metrics.badput_s.mean' is not a number"));
  CHECK_THAT(text, has_text("'metrics.stalls' is not an object"));
}

}  // namespace
}  // namespace gridcast::report
