#include "sim/cli/scenario_input.hpp"

#include "sim/training/campaign_training.hpp"

namespace gridcast {

Scenario read_runnable_scenario(std::filesystem::path const& file,
                                std::vector<std::string> const& overrides) {
  Scenario scenario = read_scenario(file, overrides);
  check_training(scenario);
  return scenario;
}

}  // namespace gridcast
