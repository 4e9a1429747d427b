#include "sim/study/verdict.hpp"

#include <cmath>

#include "sim/study/record.hpp"
#include "sim/study/value_of_information.hpp"
#include "tests/test.hpp"

namespace gridcast::study {
namespace {

using scenario::Hypothesis;

/// GPU hours and successes of a strategy under one hypothesis.
struct Lived {
  double hours = 0, won = 0;
};
/// So many replicas of a hypothesis, in which each strategy has the same figures but for a little.
struct Part {
  Hypothesis hypothesis = Hypothesis::overload;
  std::size_t replicas = 0;
  std::vector<Lived> lived;  // by strategy
};

Comparison comparison_of(std::vector<std::string> strategies, std::vector<Part> const& parts) {
  Comparison comparison;
  comparison.strategies = std::move(strategies);
  comparison.seed = 3;
  auto const names = record_names({});
  for (std::size_t s = 0; s < comparison.strategies.size(); ++s) {
    StudySample sample{names, {}, {}};
    for (auto const& part : parts) {
      for (std::size_t i = 0; i < part.replicas; ++i) {
        Record record(names.size(), not_known);
        auto const put = [&](std::string_view name, double value) {
          record[column_index(sample, name)] = value;
        };
        double const wobble = 1 + 0.02 * (static_cast<double>(i % 5) - 2);
        put("jobs", 100);
        put("succeeded", part.lived[s].won);
        put("wallclock_s", 3600 * part.lived[s].hours * wobble);
        put("stalls", 10 * static_cast<double>(part.hypothesis));
        put("hypothesis", static_cast<double>(part.hypothesis));
        put("draw", static_cast<double>(sample.records.size()));
        sample.replicas.push_back(static_cast<std::uint32_t>(sample.records.size()));
        sample.records.emplace_back(std::move(record));
      }
    }
    comparison.samples.push_back(std::move(sample));
  }
  return comparison;
}

/// Patience pays if bytes are slow, moving on if nothing comes; a compromise is second everywhere.
Comparison rivals(std::size_t dead, std::size_t slow) {
  return comparison_of({"published", "move-on", "patience", "compromise"},
                       {{Hypothesis::overload, dead, {{800, 80}, {400, 80}, {1600, 80}, {480, 80}}},
                        {Hypothesis::slow, slow, {{800, 80}, {2400, 80}, {400, 80}, {480, 80}}}});
}

TEST_CASE("a winner that differs between probable explanations is none", "[verdict]") {
  auto const result = verdict(rivals(50, 50));
  CHECK(result.decision == Decision::undecided);
  CHECK(result.disputed == Approx(0.5));
  REQUIRE(result.states.size() == 2);
  CHECK(result.states[0].name == "overload");
  CHECK(result.states[0].cost[1] == Approx(5));
  CHECK(result.states[0].best == std::vector<std::size_t>{1});
  CHECK(result.states[1].best == std::vector<std::size_t>{2});
  // The compromise costs 1 more than the best under each; moving on 25 more if bytes are slow.
  CHECK(result.least_regret == 3);
  CHECK(result.regrets[3].expected == Approx(1));
  CHECK(result.regrets[3].worst == Approx(1));
  CHECK(result.regrets[1].expected == Approx(12.5));
  CHECK(result.regrets[1].worst == Approx(25));
  CHECK(result.regrets[1].worst_in == 1);
  CHECK(result.regrets[1].expected_ci90.low < 12.5);
  CHECK(result.regrets[1].expected_ci90.high > 12.5);
  CHECK(result.same_in_resamples == 1);
}

TEST_CASE("of strategies that cost the same the first is named", "[verdict]") {
  auto const result =
      verdict(comparison_of({"a", "b"}, {{Hypothesis::overload, 20, {{800, 80}, {800, 80}}}}));
  CHECK(result.best == 0);
  CHECK(result.least_regret == 0);
}

TEST_CASE("a tenth of the posterior may differ, no more", "[verdict]") {
  CHECK(verdict(rivals(90, 10)).decision == Decision::decided);
  CHECK(verdict(rivals(90, 10)).best == 1);
  CHECK(verdict(rivals(89, 11)).decision == Decision::undecided);
  CHECK(verdict(rivals(100, 0)).decision == Decision::decided);
  CHECK(verdict(rivals(100, 0)).same_in_resamples == 1);
  // Expected regret does not follow the winner: 25 in one of ten is more than 1 always.
  CHECK(verdict(rivals(90, 10)).least_regret == 3);
}

// In eleven of twenty replicas b costs half of what a does, in nine twice as much: what is drawn
// again decides. With each a hundred times as often it does not: the difference is 22 standard
// errors.
TEST_CASE("what fewer than nine of ten resamples share is not decided", "[verdict]") {
  auto const luck = [](std::size_t times) {
    return verdict(
        comparison_of({"a", "b"}, {{Hypothesis::overload, 9 * times, {{800, 80}, {1600, 80}}},
                                   {Hypothesis::overload, 11 * times, {{1600, 80}, {800, 80}}}}));
  };
  CHECK(luck(1).decision == Decision::unsettled);
  CHECK(luck(1).best == 1);
  CHECK(luck(1).same_in_resamples > 0.5);
  CHECK(luck(1).same_in_resamples < 0.9);
  CHECK(luck(100).decision == Decision::decided);
}

TEST_CASE("costs within a hundredth are alike", "[verdict]") {
  auto const result =
      verdict(comparison_of({"a", "b"}, {{Hypothesis::overload, 50, {{800, 80}, {805, 80}}},
                                         {Hypothesis::slow, 50, {{805, 80}, {800, 80}}}}));
  CHECK(result.decision == Decision::decided);
  CHECK(result.states[0].best.size() == 2);
}

TEST_CASE("who wins by pooled replicas may lose under each explanation's price", "[verdict]") {
  // Pooled over all replicas b is cheaper; that hides that it is ruinous where few jobs succeed.
  auto const result =
      verdict(comparison_of({"a", "b"}, {{Hypothesis::overload, 95, {{800, 80}, {780, 80}}},
                                         {Hypothesis::slow, 5, {{800, 80}, {800, 73}}}}));
  CHECK(result.decision == Decision::decided);
  CHECK(result.best == 1);
  CHECK(result.regrets[1].worst == Approx(800. / 73 - 10));
}

TEST_CASE("giving up is not cheap: what is missing has the baseline's price", "[verdict]") {
  auto const result = verdict(comparison_of({"published", "give-up-if-slow"},
                                            {{Hypothesis::overload, 60, {{800, 80}, {400, 80}}},
                                             {Hypothesis::slow, 40, {{800, 80}, {100, 40}}}}));
  auto const& slow = result.states[1];
  CHECK(slow.cost[1] == Approx(2.5));  // cheap, but half of the jobs
  CHECK(slow.rank[1] == Rank::too_few_succeed);
  CHECK(slow.best == std::vector<std::size_t>{0});
  // 100 hours for 40, and 40 more at 10: 6.25 a job, less than the baseline's 10.
  CHECK(slow.regret[1] == 0);
  CHECK(result.states[0].regret[0] == Approx(5));
}

TEST_CASE("a strategy that fails in most replicas has no regret, as it is none to choose",
          "[verdict]") {
  auto const result = verdict(
      comparison_of({"published", "hold-all"}, {{Hypothesis::overload, 50, {{800, 80}, {0, 0}}},
                                                {Hypothesis::slow, 50, {{800, 80}, {0, 0}}}}));
  CHECK(result.decision == Decision::decided);
  CHECK(result.best == 0);
  CHECK(std::isnan(result.regrets[1].expected));
  CHECK(std::isinf(result.states[0].cost[1]));
  CHECK(regret_table(result).strategies == std::vector<std::size_t>{0});
}

TEST_CASE("where nothing ever succeeds there is no verdict, and no NaN", "[verdict]") {
  auto const result =
      verdict(comparison_of({"a", "b"}, {{Hypothesis::overload, 20, {{800, 0}, {700, 0}}}}));
  CHECK(result.decision == Decision::no_success);
  auto const one = verdict(comparison_of({"a"}, {{Hypothesis::overload, 1, {{800, 10}}}}));
  CHECK(one.decision == Decision::decided);
  CHECK(one.regrets[0].expected == 0);
  CHECK(std::isnan(one.regrets[0].expected_ci90.low));
}

RegretTable table_of(std::vector<double> posterior, std::vector<std::vector<double>> regret) {
  RegretTable table{std::move(posterior), {}, std::move(regret)};
  for (std::size_t s = 0; s < table.regret.size(); ++s) table.strategies.push_back(s);
  return table;
}

TEST_CASE("what an observation is worth, by hand", "[value]") {
  // Regret 10 of one choice in one world, 4 of the other in the other; 30 : 70.
  auto const table = table_of({0.3, 0.7}, {{10, 0}, {0, 4}});
  // Now: choice 1 costs 2.8, choice 0 costs 3.
  auto const all = observe(table, {{"x", {1, 0}}, {"y", {0, 1}}});
  CHECK(all.saving == Approx(2.8));
  REQUIRE(all.outcomes.size() == 2);
  CHECK(all.outcomes[0].choice == 1);
  CHECK(all.outcomes[1].choice == 0);
  CHECK(all.outcomes[0].probability == Approx(0.3));
  // A witness that errs in a fifth: after "x" (0.24 + 0.14) choice 1 costs 0.56, after "y" choice 0
  // costs 0.6; of 2.8 remain 1.16.
  auto const some = observe(table, {{"x", {0.8, 0.2}}, {"y", {0.2, 0.8}}});
  CHECK(some.saving == Approx(2.8 - 1.16));
  // One that says the same in each world is worth nothing, and so is one that changes no choice.
  CHECK(observe(table, {{"x", {0.5, 0.5}}, {"y", {0.5, 0.5}}}).saving == Approx(0).margin(1e-12));
  CHECK(observe(table_of({0.3, 0.7}, {{0, 0}, {5, 5}}), {{"x", {1, 0}}, {"y", {0, 1}}}).saving ==
        0);
}

TEST_CASE("a run whose figures tell is worth what knowing is, one that tells nothing nothing",
          "[value]") {
  auto const comparison = rivals(60, 60);
  auto const result = verdict(comparison);
  auto const table = regret_table(result);
  // Stalls are 0 under overload and 20 if bytes are slow.
  auto runs = test_runs(comparison.samples[0], result);
  auto const telling = observe(table, runs);
  CHECK(telling.saving == Approx(1));
  CHECK(telling.outcomes.size() == 2);
  for (auto& figure : runs.figures) figure.assign(figure.size(), 1);
  CHECK(observe(table, runs).saving < 0.3);
  runs.state.resize(10);
  CHECK(observe(table, runs).saving == 0);
}

TEST_CASE("observations: all known is worth most, a starter's log as much where it tells all",
          "[value]") {
  auto const comparison = rivals(50, 50);
  auto const all = observations(comparison, verdict(comparison));
  REQUIRE(all.size() >= 3);
  CHECK(all[0].kind == ObservationKind::everything);
  for (auto const& each : all) CHECK(each.saving <= all[0].saving + 1e-9);
  for (auto const& each : all) {
    if (each.kind == ObservationKind::starter_log) CHECK(each.saving == Approx(1));
    // In force 3 : 1 for slow: moving on or patience would be dearer than the compromise, which
    // stays; another version (1 in 4) is of dead transfers only: moving on saves 1.
    if (each.kind == ObservationKind::htcondor_version) CHECK(each.saving == Approx(0.25));
    if (each.kind == ObservationKind::test_run) CHECK(each.jobs == 100);
  }
  CHECK(observations(rivals(50, 0), verdict(rivals(50, 0))).empty());
}

TEST_CASE("a run needs as few jobs as save four fifths of what the best one saves", "[value]") {
  auto const run = [](std::size_t strategy, std::size_t jobs, double saving) {
    Observation each;
    each.kind = ObservationKind::test_run;
    each.strategy = strategy;
    each.jobs = jobs;
    each.saving = saving;
    return each;
  };
  std::vector<Observation> const all = {run(1, 100, 1.0), run(1, 25, 0.85), run(1, 10, 0.5),
                                        run(2, 10, 0.0)};
  CHECK(enough_jobs(all, 1)->jobs == 25);
  CHECK(enough_jobs(all, 2) == nullptr);
  CHECK(enough_jobs(all, 3) == nullptr);
}

TEST_CASE("what is undecided is played with a tenth, a quarter and half of its jobs", "[value]") {
  scenario::Scenario scenario;
  scenario.campaign.submit = {{Seconds(0), 100}};
  Comparison open = rivals(50, 50);
  open.requested = 100;
  auto const runs = smaller_runs(open, scenario);
  REQUIRE(runs);
  CHECK(runs->jobs == std::vector<int>{10, 25, 50});
  CHECK(runs->replicas == 100);
  open.requested = 2500;
  CHECK(smaller_runs(open, scenario)->replicas == 1000);
  scenario.campaign.submit = {{Seconds(0), 15}};  // one job is no campaign
  CHECK(smaller_runs(open, scenario)->jobs == std::vector<int>{3, 7});
  scenario.campaign.submit = {{Seconds(0), 3}};
  CHECK_FALSE(smaller_runs(open, scenario));
  scenario.campaign.submit = {{Seconds(0), 100}};
  CHECK_FALSE(smaller_runs(rivals(100, 0), scenario));
  open.interrupted = true;
  CHECK_FALSE(smaller_runs(open, scenario));
}

TEST_CASE("a smaller campaign is the first jobs in order of submission", "[value]") {
  scenario::Campaign campaign;
  for (int const jobs : {50, 30, 20}) {
    scenario::Submission submission;
    submission.jobs = jobs;
    campaign.submit.push_back(submission);
  }
  auto const first = first_jobs(campaign, 60);
  REQUIRE(first.submit.size() == 2);
  CHECK(first.submit[1].jobs == 10);
  CHECK(first_jobs(campaign, 500).jobs() == 100);
}

}  // namespace
}  // namespace gridcast::study
