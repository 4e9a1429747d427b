// The parts of a SimGrid platform file that a pool uses (`platform: grid.xml`).
//
// Each zone that directly contains hosts is a site; a host's slots are its property `slots`, else
// its cores. Hosts with the property `role` (origin, access-point, cache) are not nodes of a site.
// On the way from the origin to a site's hosts, or from another site if there is no origin, the
// links that all hosts of the site share are its uplink; the others are node links; links that all
// sites share belong to the origin. If there are several links in a row, the slowest counts. Fat
// pipes limit streams.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::scenario {

struct PlatformSite {
  std::string name;
  int slots = 0;
  int slots_per_node = 1;
  int gpus_per_slot = 1;  // 1 if no host has more
  std::string gpu = {};   // device name
  BytesPerSecond uplink = {};
  BytesPerSecond node_link = {};  // zero: nothing is known
};

struct PlatformCache {
  std::string name;
  Bytes disk;
};

struct PlatformFile {
  std::vector<PlatformSite> sites;
  std::vector<PlatformCache> caches = {};
  std::string origin = {};  // empty: none
  BytesPerSecond egress = {};
  BytesPerSecond egress_stream_limit = {};
  BytesPerSecond access_point = {};  // zero: none
};

/// Lets SimGrid load the file. InputError if it cannot, or finds no site. The engine, the only
/// layer that knows SimGrid, defines it.
PlatformFile load_platform(std::filesystem::path const& file);

}  // namespace gridcast::scenario
