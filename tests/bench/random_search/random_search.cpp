// `gridcast optimize` against a random search with the same number of campaigns: 200 strategies
// that are drawn from the whole space, each with the same share of the campaigns, of which the best
// mean score is chosen. The rule of `compare` then judges both in campaigns that neither has seen.
//
//   tests/bench/optimize               the published campaign, seeds 1 to 10
//   tests/bench/optimize --help        its options
#include <array>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sim/optimize/goal_score.hpp"
#include "sim/optimize/optimum.hpp"
#include "sim/study/choice.hpp"

namespace gridcast::optimize {
namespace {

struct Options {
  std::string scenario = GRIDCAST_SOURCE_DIR "/scenarios/osg-imagenet.yaml";
  std::string goal = "successes";
  Party as = Party::owner;
  std::size_t campaigns = 4000, fresh = 800, seeds = 10;
  std::uint64_t first_seed = 1;
  std::size_t workers = 2;
};

study::StudyOptions study_options(Options const& options, std::uint64_t seed) {
  study::StudyOptions study;
  study.processes = options.workers;
  study.seed = seed;
  return study;
}

/// The best of the drawn strategies by the mean score of its campaigns.
scenario::Strategy best_drawn(scenario::Scenario const& scenario, Options const& options,
                              std::uint64_t seed) {
  constexpr std::size_t strategies = 200;
  constexpr double settings_drawn = 0.5;
  auto const& current = scenario.strategy(scenario.baseline);
  StrategySpace const space(knobs_of(scenario, current, options.as), current);
  GoalScore score(scenario, space, study_options(options, seed));
  auto budget = Budget::of_replicas(options.campaigns);
  Scoreboard board([&](std::vector<Trial> const& trials) { return score(trials); }, budget);
  auto stream = RandomStreams(seed, 0).stream(Purpose::bootstrap, 99);
  std::vector<Point> drawn;
  for (std::size_t i = 0; i < strategies; ++i) {
    drawn.push_back(space.space().random_from(space.space().start(), settings_drawn, stream));
  }
  board.extend(drawn, options.campaigns / strategies);
  return space.strategy_at(board.ranked(1).front());
}

scenario::Strategy searched(scenario::Scenario const& scenario, Options const& options,
                            std::uint64_t seed) {
  OptimizeOptions search;
  search.as = options.as;
  search.replicas = options.campaigns;
  search.study = study_options(options, seed);
  return optimum(scenario, scenario.strategy(scenario.baseline), search).recommended;
}

/// The comparison of both in fresh campaigns; the search's strategy comes first.
study::Choice judged(scenario::Scenario scenario, scenario::Strategy found,
                     scenario::Strategy drawn, Options const& options, std::uint64_t seed) {
  constexpr std::uint64_t fresh_seeds = 770000;
  found.name = "searched";
  drawn.name = "drawn";
  scenario.strategies = {found, drawn};
  scenario.baseline = found.name;
  auto study = study_options(options, fresh_seeds + seed);
  study.replicas = options.fresh;
  return study::choose(study::complete(study::compare(scenario, study)));
}

std::string figures(study::Choice const& choice, std::size_t strategy) {
  std::string text;
  for (double const figure : choice.strategies[strategy].figures) {
    text += fmt::format(" {:10.4g}", figure);
  }
  return text;
}

void compare_seeds(Options const& options) {
  auto const scenario = scenario::read_scenario(options.scenario, {"study.goal=" + options.goal});
  std::size_t won = 0;
  for (std::size_t i = 0; i < options.seeds; ++i) {
    std::uint64_t const seed = options.first_seed + i;
    auto const choice = judged(scenario, searched(scenario, options, seed),
                               best_drawn(scenario, options, seed), options, seed);
    bool const alike = choice.alike.size() == 2;
    bool const better = !alike && choice.best == 0;
    won += better ? 1 : 0;
    if (i == 0) {
      std::cout << "figures by goal:";
      for (auto const goal : choice.order)
        std::cout << ' ' << scenario::goal_names[static_cast<std::size_t>(goal)];
      std::cout << '\n';
    }
    std::cout << fmt::format("seed {:3}  search{}  random{}  {}\n", seed, figures(choice, 0),
                             figures(choice, 1),
                             alike    ? "alike"
                             : better ? "search is better"
                                      : "random is better")
              << std::flush;
  }
  std::cout << fmt::format("the search is better in {} of {} seeds\n", won, options.seeds);
}

Options read_options(int argc, char** argv) {
  Options options;
  CLI::App app("The search of gridcast optimize against a random search");
  std::map<std::string, Party> parties;
  for (std::size_t i = 0; i < party_names.size(); ++i) {
    parties.emplace(party_names[i], static_cast<Party>(i));
  }
  app.add_option("scenario", options.scenario, "Scenario");
  app.add_option("--goal", options.goal, "As of gridcast optimize");
  app.add_option("--as", options.as, "As of gridcast optimize")
      ->transform(CLI::CheckedTransformer(parties));
  app.add_option("--campaigns", options.campaigns, "Budget of each search");
  app.add_option("--fresh", options.fresh, "Campaigns that judge");
  app.add_option("--seeds", options.seeds, "Number of seeds");
  app.add_option("--first-seed", options.first_seed, "The first of them");
  app.add_option("--workers", options.workers, "Processes");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    std::exit(app.exit(error));
  }
  return options;
}

}  // namespace
}  // namespace gridcast::optimize

int main(int argc, char** argv) {
  try {
    gridcast::optimize::compare_seeds(gridcast::optimize::read_options(argc, argv));
  } catch (std::exception const& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
