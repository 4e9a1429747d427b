// The uniform random numbers of a future that all its jobs share.
//
// Futures are compared by shares: 5 % of them, say, have an owner who removes the jobs that are
// left. With independent random numbers a hundred futures have 1 to 10 such. So the numbers of the
// futures are spread evenly (sim/base/even_points.hpp), with a shift by the seed.
#pragma once

#include <cstdint>

namespace gridcast::running {

struct SharedDraws {
  double factor = 0.5, rescue = 0.5, removal = 0.5, release = 0.5;
};

SharedDraws shared_draws(std::uint64_t seed, std::uint32_t future);

}  // namespace gridcast::running
