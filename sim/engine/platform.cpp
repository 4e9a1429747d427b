#include "sim/engine/platform.hpp"

namespace gridcast::engine {

namespace {
constexpr std::size_t origin_link = 0;
constexpr std::size_t access_point_link = 1;
constexpr std::size_t first_site_link = 2;

Route route_to_slot(std::size_t site, scenario::Protocol protocol) {
  Id<Link> const site_link(first_site_link + site);
  switch (protocol) {
    case scenario::Protocol::http:
      return {Id<Link>(origin_link), site_link};
    case scenario::Protocol::htcondor:
      return {Id<Link>(access_point_link), site_link};
    case scenario::Protocol::osdf:
      break;
  }
  return {site_link, {}};
}
}  // namespace

Platform make_platform(scenario::Pool const& pool, scenario::ParameterDraw const& draw,
                       scenario::Protocol protocol, NetworkModel model) {
  Platform platform;
  platform.links.push_back({pool.origin.bandwidth, pool.origin.stream_limit});
  platform.links.push_back({pool.access_point.bandwidth, pool.access_point.bandwidth});
  platform.origin_to_cache = {Id<Link>(origin_link), {}};
  platform.routes.push_back(platform.origin_to_cache);
  bool coupled = false;
  for (std::size_t i = 0; i < pool.sites.size(); ++i) {
    scenario::SiteParameters const& site = draw.sites.at(pool.sites[i].name);
    platform.links.push_back({site.link_capacity, site.stream_limit});
    Route const route = route_to_slot(i, protocol);
    platform.to_slot.push_back(route);
    platform.routes.push_back(route);
    coupled = coupled || route.second.valid();
  }
  platform.maxmin = model == NetworkModel::maxmin || (model == NetworkModel::automatic && coupled);
  return platform;
}

}  // namespace gridcast::engine
