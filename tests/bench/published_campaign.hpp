// The published campaign as the shipped scenario has it, under the strategy that was used.
#pragma once

#include <filesystem>

#include "sim/study/prediction.hpp"

namespace gridcast::bench {

class PublishedCampaign {
 public:
  PublishedCampaign()
      : scenario_(scenario::read_scenario(root() / "scenarios" / "osg-imagenet.yaml")) {
    run(0);  // SimGrid finishes its platform in the first run
  }

  engine::Replica run(std::uint32_t replica) const {
    return study::simulate_replica(scenario_, scenario_.strategy("published"), 1, replica);
  }
  /// GPUs that the replica's pilots held.
  int gpus(std::uint32_t replica) const {
    int gpus = 0;
    for (auto const& [name, site] : study::draw_of(scenario_.calibration, 1, replica).sites) {
      gpus += site.gpus.value_or(0);
    }
    return gpus;
  }

 private:
  static std::filesystem::path root() { return std::filesystem::path(GRIDCAST_SOURCE_DIR); }

  scenario::Scenario scenario_;
};

}  // namespace gridcast::bench
