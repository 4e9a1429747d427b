// A grid of one site where nothing goes wrong and little takes time, to be spoilt by the test that
// uses it.
#pragma once

#include "sim/engine/replica.hpp"

namespace gridcast::test {

inline constexpr Bytes input_size(1e9);
inline constexpr Seconds execution(1000);

struct Grid {
  scenario::Pool pool;
  scenario::Campaign campaign;
  scenario::Strategy strategy;
  scenario::ParameterDraw draw;

  scenario::SiteParameters& site() { return draw.sites.at("site"); }
  engine::Replica run(std::uint32_t replica = 0, engine::ReplicaOptions const& options = {}) const {
    return engine::simulate(pool, campaign, strategy, draw, RandomStreams(1, replica), options);
  }
};

/// A distribution that is as good as constant.
inline Distribution always(Seconds time) {
  return {.family = Family::lognormal, .shape = 1e-13, .scale = time.value()};
}

/// Jobs fetch 1 GB at 100 MB/s and compute for 1,000 s; cycles each second, shadows start at once.
inline Grid quiet_grid(int gpus, int jobs) {
  Grid grid;
  grid.pool.caches.push_back({.name = "cache", .disk = Bytes(1e15)});
  scenario::SiteSpec& spec = grid.pool.sites.emplace_back();
  spec.name = "site";
  spec.gpus = gpus;
  spec.caches = {Id<scenario::Cache>(0)};
  grid.pool.origin = {"origin", BytesPerSecond(1e15), BytesPerSecond(1e15)};
  grid.pool.access_point.shadow_start_interval = Seconds(0);
  grid.pool.negotiator.interval = Seconds(1);
  grid.pool.pilots = {
      .walltime = Seconds(1e12), .min_remaining = Seconds(0), .replacement = Seconds(0)};
  grid.campaign.submit = {{Seconds(0), jobs}};
  grid.campaign.input = {{"osdf:///input", input_size}};
  grid.draw.sites["site"] = {.gpus = gpus,
                             .stream_limit = BytesPerSecond(1e8),
                             .link_capacity = BytesPerSecond(1e12),
                             .epoch = always(execution)};
  return grid;
}

inline scenario::JobPolicy& policy_of(Grid& grid) { return grid.strategy.retry.policy; }

/// Held jobs stay held.
inline void nobody_releases(Grid& grid) {
  grid.draw.release_transfer_hold = grid.draw.release_other_hold = 0;
}

/// Two more caches, which the director offers after the first.
inline void add_caches(Grid& grid) {
  for (std::size_t cache : {1u, 2u}) {
    grid.pool.caches.push_back({.name = "cache" + std::to_string(cache), .disk = Bytes(1e15)});
    grid.pool.sites[0].caches.emplace_back(cache);
  }
}

}  // namespace gridcast::test
