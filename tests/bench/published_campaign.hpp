// The published campaign, 100 jobs of 5 epochs with 137 GB of input, on its three sites, in a world
// made by hand in the likeness of the calibrated one.
#pragma once

#include "sim/engine/replica.hpp"

namespace gridcast::bench {

struct PublishedCampaign {
  Pool pool;
  Campaign campaign;
  Strategy strategy;
  World world;

  Replica run(std::uint32_t replica) const {
    return simulate(pool, campaign, strategy, world, RandomStreams(1, replica));
  }
};

PublishedCampaign published_campaign();

}  // namespace gridcast::bench
