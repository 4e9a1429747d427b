#include "sim/study/simulated_table.hpp"

#include "sim/engine/replica.hpp"

namespace gridcast::study {

history::JobTable simulated_table(scenario::Pool const& pool, scenario::Campaign const& campaign,
                                  scenario::ParameterDraw const& draw,
                                  RandomStreams const& streams) {
  scenario::Strategy published;
  published.name = "published";
  return history::to_table(
      engine::simulate(pool, campaign, published, draw, streams, {.shocks = false}).history);
}

}  // namespace gridcast::study
