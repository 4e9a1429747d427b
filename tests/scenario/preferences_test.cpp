#include "sim/scenario/preferences.hpp"

#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::scenario_name;
using test::ScenarioFiles;

TEST_CASE("a goal is written as it is read", "[preferences]") {
  for (std::string const text : {"successes", "makespan", "gpu-hours", "cost", "deadline:3 d"}) {
    auto const goal = parse_goal(text);
    REQUIRE(goal);
    CHECK(to_text(*goal) == text);
  }
  CHECK(parse_goal("deadline:'36 h'")->deadline == hours(36));
  for (char const* bad : {"", "success", "deadline", "deadline:", "deadline:soon", "deadline:0 s",
                          "makespan:3 d", "gpu_hours"}) {
    CHECK_FALSE(parse_goal(bad));
  }
}

TEST_CASE("each order of goals begins with the owner's and has no figure twice", "[preferences]") {
  using enum GoalKind;
  CHECK(order_of_goals(successes) == std::vector{successes, makespan, cost});
  CHECK(order_of_goals(deadline) == std::vector{deadline, successes, makespan, cost});
  CHECK(order_of_goals(gpu_hours) == std::vector{gpu_hours, successes, makespan});
  CHECK(order_of_goals(cost) == std::vector{cost, successes, makespan});
}

TEST_CASE("preferences, prices and descriptions of a scenario are read", "[preferences]") {
  ScenarioFiles const files;
  Scenario const plain = read_scenario(files / scenario_name);
  CHECK(plain.study.preferences.goal == Goal());
  CHECK(plain.study.preferences.wanted == 0.9);
  CHECK_FALSE(plain.prices.any());
  Scenario const set = read_scenario(
      files / scenario_name,
      {"study.goal='deadline:2 d'", "study.wanted=0.5", "study.margin=0.1",
       "prices={currency: USD, gpu_hour: 1, gpu_hours: {V100: 2.5}, terabyte: 20, person_hour: 60}",
       "strategies.cool.about=You wait.", "strategies.cool.work=2 h"});
  CHECK(set.study.preferences.goal == Goal{GoalKind::deadline, days(2)});
  CHECK(set.study.preferences.wanted == 0.5);
  CHECK(set.study.preferences.margin == 0.1);
  CHECK(set.prices.of_gpu("V100") == 2.5);
  CHECK(set.prices.of_gpu("A100") == 1);
  CHECK(set.prices.terabyte == 20);
  auto const& cool = set.strategy("cool");
  CHECK(cool.description.about == "You wait.");
  CHECK(cool.description.work == hours(2));
  // A description changes no simulation.
  CHECK(cool == plain.strategy("cool"));
}

TEST_CASE("a GPU model without a price beside one with a price is free, with a note") {
  Prices prices;
  Pool pool;
  for (auto const* gpu : {"A100", "V100", "V100", ""}) pool.sites.emplace_back().gpu = gpu;
  CHECK(models_without_price(prices, pool).empty());
  prices.gpu_hours = {{"A100", 4}};
  CHECK(models_without_price(prices, pool) == std::vector<std::string>{"V100"});
  prices.gpu_hour = 1;
  CHECK(models_without_price(prices, pool).empty());
}

TEST_CASE("an empty group makes a new strategy, whose keys follow", "[preferences]") {
  ScenarioFiles const files;
  Scenario const set = read_scenario(
      files / scenario_name, {"strategies.mine={}", "strategies.mine.transfer.stall_timeout=2 h"});
  CHECK(set.strategies.back().name == "mine");
  CHECK(set.strategy("mine").transfer.stall_timeout == hours(2));
  for (auto const& [bad, reported] :
       {std::pair("study.goal=quick", "study.goal: 'quick' is no goal"),
        std::pair("study.wanted=2", "study.wanted"), std::pair("study.margin=-1", "study.margin"),
        std::pair("prices.gpu_hours={V100: -1}", "prices.gpu_hours.V100"),
        std::pair("prices.gpu_hours={H900: 2}", "prices.gpu_hours: no site has H900")}) {
    auto const problems =
        files.problems([&, set = bad] { read_scenario(files / scenario_name, {set}); });
    REQUIRE_FALSE(problems.empty());
    CHECK_THAT(problems.front(), has_text(reported));
  }
}

}  // namespace gridcast::scenario
