// How many jobs run at a site at a time.
//
// A pool that states slots has them, or as many as the draw where that counts them, with GPUs in
// proportion. GPUs that the pool states without slots are the most that pilots hold. A pool that
// states neither has as many as the calibration saw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::engine {

/// Slots by site of the pool: none at sites that the jobs do not match.
std::vector<std::uint32_t> slots_by_site(scenario::Pool const& pool,
                                         scenario::Campaign const& campaign,
                                         scenario::ParameterDraw const& draw);

/// Slots of all sites; with none the jobs wait for good.
std::size_t slots_offered(scenario::Pool const& pool, scenario::Campaign const& campaign,
                          scenario::ParameterDraw const& draw);

}  // namespace gridcast::engine
