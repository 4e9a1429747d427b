#include "sim/scenario/strategy_variant.hpp"

#include "sim/scenario/scenario.hpp"
#include "sim/scenario/tables.hpp"
#include "tests/scenario/changed_strategies.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::calibration_name;
using test::pool_name;
using test::scenario_name;
using test::ScenarioFiles;

namespace {

/// The scenario as it is read again with the variant.
Scenario written(ScenarioFiles const& files, Scenario const& scenario, Strategy const& current,
                 Strategy const& variant) {
  files.write("variant.yaml",
              with_variant(scenario, current, variant, {pool_name, calibration_name}));
  return read_scenario(files / "variant.yaml");
}

}  // namespace

TEST_CASE("A variant is read as it was written, beside all that the scenario says") {
  ScenarioFiles const files;
  Scenario const scenario = read_scenario(files / scenario_name, {"campaign.work.epochs=9"});
  Strategy const& current = scenario.strategy(scenario.baseline);
  Strategy variant = current;
  variant.name = "optimized";
  variant.transfer.stall_timeout = minutes(7);
  variant.release.transfer_holds_after = minutes(20);
  variant.match.avoid_site_after_stalls = 2;
  variant.match.avoid_site_for = hours(3);
  variant.retry.policy.rank = classad::parse("GPUs_Capability");
  Scenario const again = written(files, scenario, current, variant);
  CHECK(again.strategy("optimized") == variant);
  CHECK(again.strategy(scenario.baseline) == current);
  CHECK(again.baseline == scenario.baseline);
  CHECK(again.strategies.size() == scenario.strategies.size() + 1);
  CHECK(again.campaign.work.epochs == 9);
}

TEST_CASE("A variant has each key that differs, lists too") {
  ScenarioFiles const files;
  Scenario const scenario = read_scenario(files / scenario_name, {"strategies.plain={}"});
  Strategy current;
  current.name = "plain";
  for (auto& [path, changed] : test::changed_strategies()) {
    CAPTURE(path);
    changed.name = "optimized";
    YamlDocument document("variant.yaml",
                          with_variant(scenario, current, changed, {pool_name, calibration_name}));
    Strategy again;
    again.name = changed.name;
    strategy_table().read({document, document.root()["strategies"][changed.name], ""}, again);
    CHECK(again == changed);
  }
}

TEST_CASE("A variant without a setting of the current strategy loses it") {
  ScenarioFiles const files;
  Scenario const scenario =
      read_scenario(files / scenario_name, {"strategies.cool.release.transfer_holds_after=20 min"});
  Strategy variant = scenario.strategy("cool");
  variant.name = "optimized";
  variant.release.transfer_holds_after.reset();
  Scenario const again = written(files, scenario, scenario.strategy("cool"), variant);
  CHECK(again.strategy("optimized") == variant);
  CHECK(again.strategy("cool").release.transfer_holds_after == minutes(20));
}

TEST_CASE("A strategy of the baseline's keys is the baseline, with the overrides of that") {
  ScenarioFiles const files;
  std::vector<std::string> overrides = {
      "baseline=cool", "strategies.cool.release.transfer_holds_after=20 min",
      "strategies.cool.match.requirements=\"Site =!= \\\"A, B\\\"\"",
      "strategies.cool.about=\"Waits after a failure.\""};
  auto const keys = baseline_keys(files / scenario_name, overrides);
  overrides.emplace_back("strategies.mine={}");
  for (std::string const& key : keys) overrides.push_back("strategies.mine." + key);
  overrides.emplace_back("strategies.mine.retry.times=7");
  Scenario const scenario = read_scenario(files / scenario_name, overrides);
  Strategy expected = scenario.strategy("cool");
  CHECK(expected.release.transfer_holds_after == minutes(20));
  expected.name = "mine";
  expected.description = scenario.strategy("mine").description;
  expected.retry.times = 7;
  CHECK(scenario.strategy("mine") == expected);
  CHECK(scenario.strategy("mine").description.about.empty());
}

TEST_CASE("The first strategy is the baseline of a file that names none") {
  ScenarioFiles const files;
  files.write("first.yaml", "strategies: {a: {retry: {times: 3}}, b: {}}\n");
  files.write("none.yaml", "title: none\n");
  files.write("other.yaml", "strategies: {a: {}}\nbaseline: c\n");
  using Keys = std::vector<std::string>;
  CHECK(baseline_keys(files / "first.yaml", {}) == Keys{"retry={times: 3}"});
  CHECK(baseline_keys(files / "none.yaml", {}).empty());
  CHECK(baseline_keys(files / "other.yaml", {}).empty());
}

}  // namespace gridcast::scenario
