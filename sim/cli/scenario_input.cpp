#include "sim/cli/scenario_input.hpp"

#include "sim/training/campaign_training.hpp"

namespace gridcast::cli {

scenario::Scenario read_runnable_scenario(std::filesystem::path const& file,
                                          std::vector<std::string> const& overrides) {
  scenario::Scenario scenario = scenario::read_scenario(file, overrides);
  training::check_training(scenario);
  return scenario;
}

}  // namespace gridcast::cli
