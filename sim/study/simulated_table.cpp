#include "sim/study/simulated_table.hpp"

#include "sim/engine/replica.hpp"

namespace gridcast {

JobTable simulated_table(Pool const& pool, Campaign const& campaign, World const& world,
                         RandomStreams const& streams) {
  Strategy published;
  published.name = "published";
  return to_table(simulate(pool, campaign, published, world, streams, {.shocks = false}).history);
}

}  // namespace gridcast
