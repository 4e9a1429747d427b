// The platform of a replica in SimGrid's own format (platform DTD, version 4.1).
//
// Sites, caches, origin and access point are zones, as in platform.hpp. Routes lead from the
// origin, the access point and the caches to each other and to each site. Bandwidths and numbers
// of slots are those of the draw.
#pragma once

#include <string>

#include "sim/base/random.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::engine {

std::string platform_xml(scenario::Pool const& pool, scenario::Campaign const& campaign,
                         scenario::Strategy const& strategy, scenario::ParameterDraw const& draw);

}  // namespace gridcast::engine
