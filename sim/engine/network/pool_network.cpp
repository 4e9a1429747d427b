#include "sim/engine/network/pool_network.hpp"

#include <algorithm>

namespace gridcast::engine {

namespace {

constexpr std::uint32_t origin_zone = PoolNetwork::origin_zone,
                        access_point_zone = PoolNetwork::access_point_zone,
                        cache_zone = PoolNetwork::cache_zone,
                        first_site_zone = PoolNetwork::first_site_zone;
constexpr std::size_t origin_link = 0, access_point_link = 1;

/// A node's own link: the calibration's, else the platform file's.
BytesPerSecond node_link(scenario::SiteSpec const& spec, scenario::SiteParameters const& site) {
  bool const stated = spec.node_link > BytesPerSecond();
  return stated ? std::min(spec.node_link, site.node_capacity) : site.node_capacity;
}

bool known(BytesPerSecond capacity) { return capacity < scenario::unlimited_rate; }

/// No link if the pool does not describe its origin.
Route over(std::size_t link, LinkSpec const& spec) {
  Route route;
  if (spec.capacity > BytesPerSecond()) route.add(Id<Link>(link));
  return route;
}

/// The part of a site's routes before the site: a cache has no link of its own.
Route route_from_source(scenario::Protocol protocol, scenario::SiteSpec const& site,
                        std::vector<LinkSpec> const& links) {
  Route route;
  switch (protocol) {
    case scenario::Protocol::http:
      route = over(origin_link, links[origin_link]);
      route.from = {origin_zone, 0};
      break;
    case scenario::Protocol::htcondor:
      route = over(access_point_link, links[access_point_link]);
      route.from = {access_point_zone, 0};
      break;
    case scenario::Protocol::osdf:
      route.from = {cache_zone, site.caches.empty() ? 0 : site.caches.front().number()};
      break;
  }
  return route;
}

/// Adds the links of a site, and its routes.
void add_site(PoolNetwork& network, scenario::SiteSpec const& spec,
              scenario::SiteParameters const& site, Route route, std::uint32_t nodes) {
  auto const zone = static_cast<std::uint32_t>(first_site_zone + network.to_node.size());
  auto const add = [&](BytesPerSecond capacity, std::uint32_t host) {
    network.plan.links.push_back({capacity, site.stream_limit, {zone, host}});
    return Id<Link>(network.plan.links.size() - 1);
  };
  constexpr BytesPerSecond wide(1e15);
  // A site's stream limit also holds on the way from the origin.
  bool const only_limits = !route.free() && known(site.stream_limit);
  BytesPerSecond const stated =
      spec.uplink > BytesPerSecond() ? spec.uplink : scenario::unlimited_rate;
  BytesPerSecond const capacity = site.link_capacity.value_or(stated);
  if (known(capacity) || only_limits) {
    route.add(add(std::min(capacity, wide), PlatformPlace::uplink));
  }
  auto& routes = network.to_node.emplace_back();
  BytesPerSecond const own = node_link(spec, site);
  bool const share_nodes = known(own);
  for (std::uint32_t node = 0; node < (share_nodes ? std::max(nodes, 1U) : 1U); ++node) {
    Route& to_node = routes.emplace_back(route);
    to_node.to = {zone, node};
    if (share_nodes) to_node.add(add(own, node));
  }
}

std::vector<SiteSlots> slots_on_nodes(ReplicaInput const& in,
                                      std::vector<std::uint32_t> const& slots) {
  std::vector<SiteSlots> sites;
  SiteSlots next;
  for (std::size_t i = 0; i < in.pool.sites.size(); ++i) {
    scenario::SiteSpec const& spec = in.pool.sites[i];
    scenario::SiteParameters const& site = in.draw.sites.at(spec.name);
    int const per_node = site.slots_per_node > 0 ? site.slots_per_node : spec.slots_per_pilot;
    next.slots = slots[i];
    next.slots_per_node = static_cast<std::uint32_t>(std::max(per_node, 1));
    sites.push_back(next);
    next.first_slot += next.slots;
    next.first_node += next.nodes();
  }
  return sites;
}

/// A slot is as large as the smallest job with GPUs.
int fewest_gpus(scenario::Campaign const& campaign) {
  int fewest = 0;
  for (scenario::Request const* const each : scenario::requests_of(campaign)) {
    if (each->gpus > 0) fewest = fewest == 0 ? each->gpus : std::min(fewest, each->gpus);
  }
  return fewest;
}

PlatformPlan pool_platform(ReplicaInput const& in, std::vector<SiteSlots> const& sites,
                           std::vector<bool> const& node_links) {
  scenario::Pool const& pool = in.pool;
  int const gpus_of_slot = fewest_gpus(in.campaign);
  PlatformPlan plan = {{.name = "origin-zone", .names = {"origin"}},
                       {.name = "access-point-zone", .names = {"access-point"}},
                       {.name = "cache-zone", .uplink = false, .names = {"cache"}}};
  if (!pool.caches.empty()) {
    ZonePlan& caches = plan[cache_zone];
    caches.hosts = static_cast<std::uint32_t>(pool.caches.size());
    caches.names.clear();
    for (scenario::CacheSpec const& cache : pool.caches) {
      caches.names.push_back(cache.name);
      caches.disks.push_back(cache.disk);
    }
  }
  for (std::size_t i = 0; i < pool.sites.size(); ++i) {
    scenario::SiteSpec const& site = pool.sites[i];
    int const per_slot = site.gpus_per_slot > 0 ? site.gpus_per_slot : gpus_of_slot;
    std::uint32_t const slots = sites[i].slots_per_node;
    plan.push_back({.name = site.name,
                    .hosts = std::max(sites[i].nodes(), 1U),
                    .host_links = node_links[i],
                    .slots = slots,
                    .gpus = static_cast<std::uint32_t>(std::max(per_slot, 0)) * slots,
                    .gpu = site.gpu});
  }
  return plan;
}

}  // namespace

PoolNetwork make_pool_network(ReplicaInput const& in, std::vector<std::uint32_t> const& slots,
                              NetworkModel model) {
  scenario::Pool const& pool = in.pool;
  PoolNetwork network;
  auto& links = network.plan.links;
  links.push_back(
      {pool.origin.bandwidth, pool.origin.stream_limit, {origin_zone, PlatformPlace::uplink}});
  links.push_back({pool.access_point.bandwidth,
                   pool.access_point.bandwidth,
                   {access_point_zone, PlatformPlace::uplink}});
  network.origin_to_cache = over(origin_link, links[origin_link]);
  network.origin_to_cache.from = {origin_zone, 0};
  network.origin_to_cache.to = {cache_zone, 0};
  network.sites = slots_on_nodes(in, slots);
  bool coupled = false;
  std::vector<bool> node_links;
  for (std::size_t i = 0; i < pool.sites.size(); ++i) {
    scenario::SiteSpec const& spec = pool.sites[i];
    scenario::SiteParameters const& site = in.draw.sites.at(spec.name);
    Route const from_source = route_from_source(in.strategy.transfer.protocol, spec, links);
    add_site(network, spec, site, from_source, network.sites[i].nodes());
    node_links.push_back(known(node_link(spec, site)));
    coupled = coupled || network.to_node.back().front().coupled();
  }
  network.plan.maxmin =
      model == NetworkModel::maxmin || (model == NetworkModel::automatic && coupled);
  network.plan.platform = pool_platform(in, network.sites, node_links);
  return network;
}

}  // namespace gridcast::engine
