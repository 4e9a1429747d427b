// How many of a campaign's jobs can run at a time at all.
#pragma once

#include <cstddef>

#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::engine {

/// In that draw, at all sites that match them; with none they wait for good.
std::size_t slots_offered(scenario::Pool const& pool, scenario::Campaign const& campaign,
                          scenario::ParameterDraw const& draw);

}  // namespace gridcast::engine
