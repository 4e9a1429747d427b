#include "sim/optimize/goal_score.hpp"

#include <algorithm>
#include <cmath>

#include "sim/optimize/knob.hpp"
#include "tests/test.hpp"

namespace gridcast::optimize {
namespace {

TEST_CASE("a campaign that fails early and costs nearly nothing does not outweigh the others",
          "[optimize]") {
  // The first node needs no GPU. In some campaigns it is the only job that succeeds.
  auto const scenario =
      scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml",
                              {"campaign.requests={prep: {gpus: 0}}",
                               "campaign.submit=[{at: 0 s, jobs: 1, request: prep, name: prep}, "
                               "{at: 0 s, jobs: 20, name: train, after: [prep]}]"});
  auto const& current = scenario.strategy(scenario.baseline);
  StrategySpace const space(knobs_of(scenario, current, Party::owner), current);
  study::StudyOptions options;
  options.processes = 2;
  GoalScore score(scenario, space, options);
  std::vector<Trial> trials;
  for (std::uint32_t k = 0; k < 150; ++k) trials.push_back({space.space().start(), k});
  auto const scores = score(trials);
  REQUIRE(scores.size() == trials.size());
  // The mean is at most 1 + 1/2 + 1/4. A campaign in which all jobs succeed scores up to about
  // four. The first node alone scores more than eight if only its hours count.
  CHECK(*std::max_element(scores.begin(), scores.end()) < 6);
}

TEST_CASE("a goal that the current strategy seldom reaches weighs no more than the first goal",
          "[optimize]") {
  // Fewer than half of the campaigns have the 90 successes that a makespan and a price need.
  auto const scenario =
      scenario::read_scenario(test::source_dir() / "scenarios/osg-imagenet.yaml", {});
  auto const& current = scenario.strategy(scenario.baseline);
  StrategySpace const space(knobs_of(scenario, current, Party::owner), current);
  study::StudyOptions options;
  options.processes = 2;
  GoalScore score(scenario, space, options);
  std::vector<Trial> trials;
  for (std::uint32_t k = 0; k < 150; ++k) trials.push_back({space.space().start(), k});
  auto const scores = score(trials);
  REQUIRE(scores.size() == trials.size());
  // 1 for the successes, and at most half of 1/2 + 1/4 times the value of the level, ln 11. If
  // campaigns without a makespan lowered its level, the mean would be above 2.
  CHECK(mean(scores) > 1);
  CHECK(mean(scores) < 1 + 0.375 * std::log(11.0));
}

}  // namespace
}  // namespace gridcast::optimize
