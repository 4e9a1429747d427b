#include "sim/study/lesson_study.hpp"

#include <cmath>
#include <numeric>

#include "sim/ledger/ledger.hpp"
#include "sim/ledger/metrics.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

scenario::Lesson shipped(std::string const& name) {
  return scenario::read_lesson(test::source_dir() / "scenarios/teaching" / name);
}

LessonRun run_with(scenario::Lesson const& lesson, std::vector<std::string> const& overrides) {
  return run_lesson(lesson, {.overrides = overrides});
}

SolvedRun solved(std::string const& answer, double figure) {
  return {.run = {.answer = answer}, .figure = figure};
}

}  // namespace

TEST_CASE("a mean's precision is half its 95 % interval, relative to it", "[lesson_study]") {
  scenario::Lesson lesson = shipped("11-replicas.yaml");
  auto const run = run_with(lesson, {"study.replicas=5"});
  auto const makespans = column(run.prediction->sample, "makespan_s");
  REQUIRE(makespans.size() == 5);
  double const mean = std::accumulate(makespans.begin(), makespans.end(), 0.0) / 5;
  double squares = 0;
  for (double const x : makespans) squares += (x - mean) * (x - mean);
  double const t = 2.7764;  // 97.5 % of Student's t with 4 degrees of freedom
  CHECK(run.figure == Approx(t * std::sqrt(squares / 4 / 5) / mean).epsilon(1e-4));

  lesson.solution.figure = "makespan_s";
  CHECK(run_with(lesson, {"study.replicas=5"}).figure == Approx(mean).epsilon(1e-12));
  lesson.solution.figure = "precision:makspan_s";
  CHECK_THROWS_WITH(run_with(lesson, {"study.replicas=2"}), test::has_text("makespan_s"));
}

TEST_CASE("the answer follows from the runs' figures by the lesson's rule", "[lesson_study]") {
  scenario::Lesson lesson = shipped("11-replicas.yaml");
  std::vector<SolvedRun> const runs = {solved("a", 0.3), solved("b", 0.1), solved("c", 0.2),
                                       solved("d", 0.4)};
  lesson.solution.rule = scenario::AnswerRule::least;
  CHECK(answer_of(lesson, runs) == "b");
  lesson.solution.rule = scenario::AnswerRule::most;
  CHECK(answer_of(lesson, runs) == "d");
  lesson.solution.rule = scenario::AnswerRule::value;
  CHECK(answer_of(lesson, runs) == "0.3");
  lesson.solution.rule = scenario::AnswerRule::first_within;
  lesson.solution.bound = 0.2;
  CHECK(answer_of(lesson, runs) == "b");
  lesson.solution.bound = 0.05;
  CHECK(answer_of(lesson, runs).empty());
}

TEST_CASE("figures of one campaign come from its history", "[lesson_study]") {
  scenario::Lesson lesson = shipped("03-shared-link.yaml");
  auto const run = run_with(lesson, {});
  REQUIRE(run.simulated);
  history::JobHistory const& history = run.simulated->history;
  ledger::Ledger const ledger = ledger::account(history);

  lesson.solution.figure = "transfer_s:" + to_text(history.jobs[0]);
  CHECK(run_with(lesson, {}).figure == ledger.jobs[0].last_transfer->value());
  lesson.solution.figure = "attempts_per_success";
  CHECK(run_with(lesson, {}).figure ==
        static_cast<double>(ledger.total.attempts) / static_cast<double>(ledger.total.succeeded));
  for (ledger::MetricValue const& metric : ledger::metrics(ledger, ledger::MetricScope::replica)) {
    if (!metric.available) continue;
    INFO(metric.name);
    lesson.solution.figure = metric.name;
    CHECK(run_with(lesson, {}).figure == metric.value);
  }
  lesson.solution.figure = "makspan_s";
  CHECK_THROWS_WITH(run_with(lesson, {}), test::has_text("makespan_s"));
}

}  // namespace gridcast::study
