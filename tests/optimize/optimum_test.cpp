// Whole searches through the simulator: lessons whose best setting is known in closed form.
#include "sim/optimize/optimum.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <unistd.h>

#include "sim/study/comparison.hpp"
#include "tests/optimize/closed_form.hpp"
#include "tests/test.hpp"

namespace gridcast::optimize {
namespace {

scenario::Scenario lesson(std::string const& name, std::vector<std::string> overrides) {
  overrides.emplace_back("study.goal=gpu-hours");
  return scenario::read_scenario(test::source_dir() / "scenarios/teaching" / name, overrides);
}

Optimum found(scenario::Scenario const& scenario, Party as, std::size_t campaigns,
              std::filesystem::path const& kept = {}) {
  OptimizeOptions options;
  options.study.resume = kept;
  options.as = as;
  options.replicas = campaigns;
  options.study.processes = 2;
  options.study.seed = scenario.study.seed;
  return optimum(scenario, scenario.strategy(scenario.baseline), options);
}

/// GPU hours (slot hours of jobs without one) for each success, in campaigns of another seed.
double cost(scenario::Scenario scenario, scenario::Strategy strategy) {
  strategy.name = "tested";
  scenario.strategies = {strategy};
  scenario.baseline = strategy.name;
  study::StudyOptions options;
  options.replicas = 40;
  options.seed = 991;
  options.processes = 2;
  auto const comparison = study::complete(study::compare(scenario, options));
  return study::choose(comparison).strategies.front().figures.front();
}

TEST_CASE("the best checkpoint interval of the simulator costs as much as Daly's",
          "[optimize][slow]") {
  auto const scenario = lesson("07-checkpoint-interval.yaml", {});
  // Epochs of 15 min, 5 min a checkpoint, an eviction every 10 h.
  Checkpoints const closed;
  double const best = best_on_grid([&](double t) { return closed.expected(t); }, 900, 86400);
  auto known = scenario.strategy(scenario.baseline);
  known.retry.policy.checkpoint_every_epochs = static_cast<int>(std::lround(best / 900));
  auto const result = found(scenario, Party::owner, 1500);
  CAPTURE(result.recommended.retry.policy.checkpoint_every_epochs);
  REQUIRE(result.changes.size() >= 1);
  CHECK(cost(scenario, result.recommended) < 1.05 * cost(scenario, known));
  CHECK(cost(scenario, result.recommended) < cost(scenario, result.current));
  // The range within the margin, 2 % of the current cost, of pieces of 1 to 96 epochs.
  auto const epochs = [](std::string const& text) { return std::stoi(text); };
  Change const& change = result.changes.front();
  REQUIRE(change.key == "checkpoint.every_epochs");
  double const limit = closed.expected(900.0 * epochs(change.to)) + 0.02 * closed.expected(10800);
  int least = 96, most = 1;
  for (int pieces = 1; pieces <= 96; ++pieces) {
    if (closed.expected(900.0 * pieces) > limit) continue;
    least = std::min(least, pieces);
    most = std::max(most, pieces);
  }
  CAPTURE(least, most, change.low, change.high);
  CHECK(std::abs(epochs(change.low) - least) <= 1);
  CHECK(std::abs(epochs(change.high) - most) <= 1);
}

TEST_CASE("the best stall timeout of the simulator costs as much as the closed form's",
          "[optimize][slow]") {
  auto const scenario = lesson("05-stall-timeout.yaml", {});
  // 15 % of the tries never go on. 90 % of the others pause for an exponential time of 10 min. A
  // try that is ended has had half of its 30 min.
  auto const lost = [](double timeout) {
    double const failed = 0.15 + 0.85 * 0.9 * std::exp(-timeout / 600);
    double const shortened = 600 - (timeout + 600) * std::exp(-timeout / 600);
    return (failed * (900 + timeout) + 0.85 * 0.9 * shortened) / (1 - failed);
  };
  double const best = best_on_grid(lost, 60, 28800);
  auto known = scenario.strategy(scenario.baseline);
  known.transfer.stall_timeout = Seconds(best);
  auto const result = found(scenario, Party::site, 2500);
  CAPTURE(best, result.recommended.transfer.stall_timeout.value());
  REQUIRE(result.changes.size() >= 1);
  CHECK(cost(scenario, result.recommended) < 1.05 * cost(scenario, known));
  // The response has its best value inside: a short timeout ends healthy transfers.
  auto const of_timeout = [](Response const& each) { return each.key == "transfer.stall_timeout"; };
  auto const& all = result.responses;
  auto const response = std::find_if(all.begin(), all.end(), of_timeout);
  REQUIRE(response != all.end());
  REQUIRE(response->values.size() >= 3);
  auto const hours = [&](std::size_t i) { return response->values[i].gain.after; };
  double least = hours(0);
  for (std::size_t i = 0; i < response->values.size(); ++i) least = std::min(least, hours(i));
  CHECK(least < 0.95 * hours(0));
  CHECK(least < 0.95 * hours(response->values.size() - 1));
  CHECK(std::count_if(response->values.begin(), response->values.end(),
                      [](ResponseValue const& value) { return value.here; }) == 1);
}

TEST_CASE("a search that was cut off and resumed gives the same answer", "[optimize][slow]") {
  auto const scenario = lesson("05-stall-timeout.yaml", {"campaign.submit=[{at: 0 s, jobs: 20}]"});
  auto const kept =
      std::filesystem::temp_directory_path() / ("gridcast-resumed-" + std::to_string(::getpid()));
  std::filesystem::remove_all(kept);
  // A smaller budget leaves the first campaigns of a larger one.
  found(scenario, Party::site, 150, kept);
  auto const before = std::filesystem::file_size(kept / "search.journal");
  auto const resumed = found(scenario, Party::site, 400, kept);
  CHECK(std::filesystem::file_size(kept / "search.journal") > before);
  auto const again = found(scenario, Party::site, 400, kept);  // all campaigns are known
  auto const whole = found(scenario, Party::site, 400);
  for (Optimum const& other : {resumed, again}) {
    CHECK(other.recommended == whole.recommended);
    CHECK(other.gain.difference == whole.gain.difference);
    CHECK(other.campaigns == whole.campaigns);
    CHECK(other.tried == whole.tried);
  }
  std::filesystem::remove_all(kept);
}

TEST_CASE("a party without a setting is refused", "[optimize]") {
  auto scenario = lesson("01-waiting-and-matching.yaml", {});
  scenario.campaign.input.clear();  // nothing for an access point to retry
  CHECK_THROWS_WITH(found(scenario, Party::access_point, 100),
                    test::has_text("--as access-point has no setting to change here") &&
                        test::has_text("the search space is empty"));
}

TEST_CASE("one seed and one number of campaigns give one recommendation", "[optimize][slow]") {
  auto const scenario = lesson("05-stall-timeout.yaml", {"campaign.submit=[{at: 0 s, jobs: 20}]"});
  auto const once = found(scenario, Party::anyone, 400),
             again = found(scenario, Party::anyone, 400);
  CHECK(once.recommended == again.recommended);
  CHECK(once.gain.difference == again.gain.difference);
  CHECK(once.campaigns <= 400);
}

}  // namespace
}  // namespace gridcast::optimize
