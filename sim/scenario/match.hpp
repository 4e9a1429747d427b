// Which sites a request matches, and what stands against it at the others.
#pragma once

#include <string>

#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::scenario {

/// "disk 500 GB, 350 TB wanted; ..." or, where it matches, nothing.
std::string against_match(SiteSpec const& site, Request const& request);

/// How many jobs with this request fit on so many GPUs of a matching site at a time: all GPUs of a
/// job on one node, or evenly on as many nodes as it wants. Free GPUs are taken to lie on as few
/// nodes as they can.
int slots_of_gpus(SiteSpec const& site, Request const& request, int gpus);

}  // namespace gridcast::scenario
