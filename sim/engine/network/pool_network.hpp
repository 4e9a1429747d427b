// The links of a pool under one draw, and the routes over them:
//
//   origin -- origin egress --> caches                         (cache fills)
//   cache -- site link, node link --> slots of a node          (OSDF)
//   origin -- origin egress, site link, node link --> slots    (plain HTTP)
//   access point -- its link, site link, node link --> slots   (HTCondor's own transfer)
//
// A site's link stands for everything that its jobs share on the way from the cache, except the
// node's own link where its capacity is known. A link without a known capacity is left out.
//
// The pool's SimGrid platform (platform.hpp) has a zone for each site, whose hosts are its nodes;
// one for the caches, which are hosts with disks; one for the origin; and one for the access point.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/network/network.hpp"
#include "sim/engine/replica.hpp"

namespace gridcast::engine {

/// The slots of a site, numbered from zero. Those of one node follow each other.
struct SiteSlots {
  std::uint32_t slots = 0;
  std::uint32_t slots_per_node = 1;
  std::uint32_t first_slot = 0, first_node = 0;  // numbers in the whole pool

  std::uint32_t nodes() const { return (slots + slots_per_node - 1) / slots_per_node; }
};

struct PoolNetwork {
  /// Zones of the platform; the sites follow in their order.
  static constexpr std::uint32_t origin_zone = 0, access_point_zone = 1, cache_zone = 2,
                                 first_site_zone = 3;

  NetworkPlan plan;
  Route origin_to_cache;                    // to the first cache; the others have the same links
  std::vector<SiteSlots> sites;             // by site of the pool
  std::vector<std::vector<Route>> to_node;  // by site, node (one entry if nodes share nothing)

  Route const& to_slot(std::size_t site, std::uint32_t slot) const {
    auto const& nodes = to_node[site];
    return nodes.size() == 1 ? nodes[0] : nodes[slot / sites[site].slots_per_node];
  }
};

/// `slots`: number of slots by site.
PoolNetwork make_pool_network(ReplicaInput const& in, std::vector<std::uint32_t> const& slots,
                              NetworkModel model);

}  // namespace gridcast::engine
