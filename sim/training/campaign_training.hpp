// Jobs of a campaign that train a workload of the catalogue: how long one takes at each site of the
// pool, and what it reads over the network if it streams. The site says how many GPUs of which
// model a node has; the catalogue, how fast they are and what lies between them.
//
//   copied first   the slot's disk (or `storage`) is read; the network has been paid for before
//   streaming      the profile's own store, without its shared bandwidth: that is the network's,
//                  which the engine shares among jobs; each reader is a stream
#pragma once

#include <optional>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "sim/training/execution.hpp"

namespace gridcast::training {

struct SiteTraining {
  TrainingSetup setup;
  TrainingWork work;  // at the pace of the models, were the network no limit
  Bytes streamed;     // by all the work; 0: reads nothing over the network
  bool saves = true;  // what it saves outlives its slot
};

struct CampaignTraining {
  std::vector<std::optional<SiteTraining>> sites;  // by site; none where the jobs do not match
  bool streams = false;
  Bytes dataset;
};

/// The campaign's workload has to be of the catalogue. `world`: how fast a stream is at each site;
/// null: as the profile's store says. `luck` in (0, 1): which of the worlds that a fitted profile leaves
/// possible this is (uncertainty.hpp); none: the profile's own values. InputError with everything
/// that does not fit.
CampaignTraining campaign_training(scenario::Pool const& pool, scenario::Campaign const& campaign,
                                   scenario::Strategy const& strategy,
                                   scenario::ParameterDraw const* draw,
                                   std::optional<double> luck = std::nullopt);

/// InputError where the jobs of a scenario, under any of its strategies, cannot train where they
/// may run. Nothing to say of calibrated workloads.
void check_training(scenario::Scenario const& scenario);

}  // namespace gridcast::training
