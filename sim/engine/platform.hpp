// The links of a replica and the routes over them, from pool and world.
//
//   origin -- origin egress --> caches                       (cache fills)
//   cache  -- site link ------> slots of the site            (OSDF)
//   origin -- origin egress, site link --> slots             (plain HTTP: two shared links)
//   access point -- AP link, site link --> slots             (HTCondor's own transfer: two shared
//   links)
// A site's link stands for whatever its jobs share on the way from the cache: the cache's own NIC,
// the uplink, the node's. The table cannot tell these apart; its capacity is fitted.
#pragma once

#include <vector>

#include "sim/engine/network.hpp"
#include "sim/engine/replica.hpp"

namespace gridcast::engine {

struct Platform {
  std::vector<LinkSpec> links;
  std::vector<Route> routes;  // all that the strategy can use
  Route origin_to_cache;
  std::vector<Route> to_slot;  // by site: the route of the strategy's protocol
  bool maxmin = false;
};

Platform make_platform(scenario::Pool const& pool, scenario::ParameterDraw const& draw,
                       scenario::Protocol protocol, NetworkModel model);

}  // namespace gridcast::engine
