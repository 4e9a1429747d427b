#include "sim/optimize/goal_score.hpp"

#include <algorithm>

#include "sim/optimize/strategy_space.hpp"
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
  // The mean is 1 + 1/4 + 1/16. Where all jobs succeed, the score is up to about four; the first
  // node alone has more than eight if its hours count alone.
  CHECK(*std::max_element(scores.begin(), scores.end()) < 6);
}

}  // namespace
}  // namespace gridcast::optimize
