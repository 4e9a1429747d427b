// SimGrid's engine: one a process, prepared once, before replicas are forked.
#pragma once

#include <simgrid/s4u.hpp>

namespace gridcast::engine {

/// The root zone that platforms are built in; sealed by the first run. Sets up the engine on first
/// use: CM02 flows without cross-traffic (the transfers of a campaign go one way), no latency
/// terms.
simgrid::s4u::NetZone* grid_zone();

}  // namespace gridcast::engine
