#include "sim/engine/network/platform.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/engine/network/platform_names.hpp"

namespace gridcast::engine {

namespace sg4 = simgrid::s4u;

namespace {

constexpr double core_speed = 1e9;  // flop/s: SimGrid wants one; gridcast models executions itself

sg4::Link* add_link(sg4::NetZone* zone, std::string const& name,
                    sg4::Link::SharingPolicy policy = sg4::Link::SharingPolicy::SHARED) {
  return zone->create_link(name, Platform::unlimited)
      ->set_sharing_policy(policy)
      ->set_latency(0.0)
      ->seal();
}

sg4::Host* add_host(sg4::NetZone* zone, std::string const& name, ZonePlan const& plan,
                    std::uint32_t i) {
  auto* const host = zone->create_host(name, core_speed);
  host->set_core_count(static_cast<int>(std::max(plan.gpus, 1U)));
  if (plan.slots > 0) host->set_property("slots", std::to_string(plan.slots));
  if (plan.gpus > 0) host->set_property("gpus", std::to_string(plan.gpus));
  if (!plan.gpu.empty()) host->set_property("gpu", plan.gpu);
  if (i < plan.disks.size()) {
    auto* const disk = host->create_disk(name + ".disk", Platform::unlimited, Platform::unlimited);
    disk->set_property("size",
                       std::to_string(static_cast<std::uint64_t>(plan.disks[i].value())) + "B");
    disk->seal();
  }
  return host->seal();
}

}  // namespace

std::string ZonePlan::host_name(std::uint32_t i) const {
  return i < names.size() ? names[i] : name + ".node-" + std::to_string(i);
}

bool ZonePlan::serves(ZonePlan const& other) const {
  return name == other.name && hosts >= other.hosts && uplink == other.uplink &&
         host_links >= other.host_links && slots == other.slots && gpus == other.gpus &&
         gpu == other.gpu && disks == other.disks && names == other.names;
}

Platform::Platform(PlatformPlan plan) : plan_(std::move(plan)) {
  PlatformNames names;
  auto* const root = sg4::create_star_zone(names.unique("grid"));
  for (ZonePlan const& zone_plan : plan_) {
    Zone& built = zones_.emplace_back();
    auto* const zone = sg4::create_star_zone(names.unique(zone_plan.name))->set_parent(root);
    auto* const gateway = zone->create_router(names.unique(zone_plan.name + ".router"));
    for (std::uint32_t i = 0; i < zone_plan.hosts; ++i) {
      std::string const name = names.unique(zone_plan.host_name(i));
      auto* const host = built.hosts.emplace_back(add_host(zone, name, zone_plan, i));
      if (!zone_plan.host_links) continue;
      auto* const link =
          built.host_links.emplace_back(add_link(zone, names.unique(name + ".link"))).link;
      zone->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {sg4::LinkInRoute(link)});
    }
    zone->seal();
    std::vector<sg4::LinkInRoute> way_out;
    if (zone_plan.uplink) {
      built.uplink.link = add_link(root, names.unique(zone_plan.name + ".uplink"));
      built.stream_limit.link = add_link(root, names.unique(zone_plan.name + ".stream-limit"),
                                         sg4::Link::SharingPolicy::FATPIPE);
      way_out = {sg4::LinkInRoute(built.uplink.link), sg4::LinkInRoute(built.stream_limit.link)};
    }
    root->add_route(zone->get_netpoint(), nullptr, gateway, nullptr, way_out);
  }
  root->seal();
}

bool Platform::serves(PlatformPlan const& plan) const {
  return std::equal(plan_.begin(), plan_.end(), plan.begin(), plan.end(),
                    [](ZonePlan const& has, ZonePlan const& wants) { return has.serves(wants); });
}

void Platform::enlarge(PlatformPlan& plan) const {
  if (plan.size() != plan_.size()) return;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (plan[i].name == plan_[i].name && plan[i].names.empty()) {
      plan[i].hosts = std::max(plan[i].hosts, plan_[i].hosts);
      plan[i].host_links = plan[i].host_links || plan_[i].host_links;
    }
  }
}

void Platform::BuiltLink::set(double wanted) {
  if (link && std::exchange(bandwidth, wanted) != wanted) link->set_bandwidth(wanted);
}

void Platform::set_link(PlatformPlace place, BytesPerSecond capacity, BytesPerSecond stream_limit) {
  Zone& zone = zones_[place.zone];
  bool const uplink = place.host == PlatformPlace::uplink;
  check(uplink || place.host < zone.host_links.size(), "the host has a link of its own");
  BuiltLink& link = uplink ? zone.uplink : zone.host_links[place.host];
  link.set(std::min(capacity.value(), unlimited));
  // A stream is limited once on its way into a zone.
  zone.stream_limit.set(std::min(stream_limit.value(), unlimited));
}

void Platform::lift_limits() {
  for (Zone& zone : zones_) {
    zone.uplink.set(unlimited);
    zone.stream_limit.set(unlimited);
    for (BuiltLink& link : zone.host_links) link.set(unlimited);
  }
}

}  // namespace gridcast::engine
