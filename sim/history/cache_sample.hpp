// How full a cache was: what only a simulation knows.
#pragma once

#include <cstdint>

#include "sim/base/units.hpp"

namespace gridcast::history {

/// From this time on, until the same cache's next sample.
struct CacheSample {
  Seconds at;
  std::uint32_t cache = 0;  // index into the pool's caches
  Bytes used;
};

}  // namespace gridcast::history
