// What the resources of a replica did when, for whoever wants to look at them: transfers with their
// caches, cache fills, and times of overload. Kept on request only; the history and its figures do
// not depend on it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::engine {

/// Bytes that went over a site's link to a slot, or a cache's fill from the origin.
struct TracedTransfer {
  std::string resource;  // the cache, "origin" or "access point"
  std::string site;      // empty of a fill
  Seconds start, end;
  Bytes bytes;
  bool fill = false;
};

/// When an origin or cache was overloaded, or a slot's path to its cache was bad: as far as anyone
/// looked.
struct TracedBadPeriod {
  std::string resource;
  Seconds start, end;
};

struct TracedCache {
  std::string name;
  std::uint64_t hits = 0, misses = 0;
  Bytes fetched;  // from the origin
};

struct ResourceTrace {
  std::vector<TracedTransfer> transfers;
  std::vector<TracedBadPeriod> bad;
  std::vector<TracedCache> caches;
};

}  // namespace gridcast::engine
