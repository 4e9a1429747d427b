// A pool as a SimGrid platform: zones around one middle, hosts in zones, links between them.
//
//   zone (a site) -- uplink, stream limit -- the middle -- uplink, stream limit -- zone (the
//   origin)
//     |-- node link -- host (a node; its GPUs are its cores)
//
// A transfer crosses the links of its source up to the middle and those of its destination down
// from it. A zone's stream limit is a fat pipe: a link that limits each flow and is not shared. All
// links exist, also those that limit nothing; a draw of the calibration changes their bandwidths,
// and the platform stays. Latencies are zero.
//
// SimGrid calls an end of a route a netpoint; zones and hosts share its names.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <simgrid/s4u.hpp>

#include "sim/base/units.hpp"

namespace gridcast::engine {

/// One host of a platform, or the zone's uplink where `host` is `uplink`.
struct PlatformPlace {
  static constexpr std::uint32_t uplink = ~std::uint32_t{0};

  std::uint32_t zone = 0;
  std::uint32_t host = uplink;

  bool operator==(PlatformPlace const&) const = default;
};

/// The plan of a zone.
struct ZonePlan {
  std::string name;
  std::uint32_t hosts = 1;
  bool uplink = true;                   // false: nothing is shared on the way out of the zone
  bool host_links = false;              // each host has a link of its own
  std::uint32_t slots = 0;              // slots of each host
  std::uint32_t gpus = 0;               // GPUs of each host: its cores
  std::string gpu = {};                 // their device name
  std::vector<std::string> names = {};  // of the hosts; empty: NAME.node-0 and so on
  std::vector<Bytes> disks = {};        // of the hosts; empty: none

  std::string host_name(std::uint32_t i) const;
  /// True if a zone built from this plan serves `other` too.
  bool serves(ZonePlan const& other) const;
};

using PlatformPlan = std::vector<ZonePlan>;

class Platform {
 public:
  static constexpr double unlimited = 1e18;  // bytes/s

  /// Builds the zones below SimGrid's root zone. SimGrid allows one platform an engine.
  explicit Platform(PlatformPlan plan);

  bool serves(PlatformPlan const& plan) const;
  /// Gives a plan of the same zones as many hosts as these have: the next engine serves both.
  void enlarge(PlatformPlan& plan) const;

  simgrid::s4u::Host* host(PlatformPlace place) const {
    return zones_[place.zone].hosts[place.host];
  }
  /// The bandwidth of an uplink or a host's link, and the most that one stream into the zone gets.
  /// Both are positive.
  void set_link(PlatformPlace place, BytesPerSecond capacity, BytesPerSecond stream_limit);
  /// No uplink and no host's link limits anything.
  void lift_limits();

 private:
  struct BuiltLink {
    simgrid::s4u::Link* link = nullptr;
    double bandwidth = unlimited;

    void set(double wanted);
  };
  struct Zone {
    BuiltLink uplink, stream_limit;
    std::vector<simgrid::s4u::Host*> hosts;
    std::vector<BuiltLink> host_links;
  };

  PlatformPlan plan_;
  std::vector<Zone> zones_;
};

}  // namespace gridcast::engine
