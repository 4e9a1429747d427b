// The platform of a pool: as SimGrid loads the exported file, and as gridcast builds it.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "sim/engine/network/platform_xml.hpp"
#include "sim/engine/network/pool_network.hpp"
#include "sim/engine/simgrid_engine.hpp"
#include "sim/engine/site_slots.hpp"
#include "sim/scenario/pool.hpp"
#include "tests/engine/random_grid.hpp"
#include "tests/test.hpp"

namespace gridcast::test {

namespace {

engine::PoolNetwork network_of(Grid const& grid) {
  RandomStreams const streams(0, 0);
  engine::ReplicaInput const in{grid.pool, grid.campaign, grid.strategy, grid.draw, streams};
  return engine::make_pool_network(
      in, engine::slots_by_site(grid.pool, grid.campaign, grid.strategy, grid.draw),
      engine::NetworkModel::maxmin);
}

}  // namespace

TEST_CASE("a transfer uses the links of its route on the built platform") {
  Grid grid = random_grid(3);
  grid.strategy.transfer.protocol = scenario::Protocol::http;
  auto const network = network_of(grid);
  auto& platform = engine::SimgridEngine::of_process().platform(network.plan.platform);
  for (std::size_t site = 0; site < grid.pool.sites.size(); ++site) {
    engine::Route const& route = network.to_slot(site, 0);
    std::vector<simgrid::s4u::Link*> links;
    double latency = 0;
    platform.host(route.from)->route_to(platform.host(route.to), links, &latency);
    CHECK(latency == 0);
    std::string const name = grid.pool.sites[site].name;
    auto const has = [&](std::string const& link) {
      return std::any_of(links.begin(), links.end(),
                         [&](auto const* each) { return each->get_name() == link; });
    };
    CHECK(has("origin-zone.uplink"));
    CHECK(has(name + ".uplink"));
    CHECK_FALSE(has("access-point-zone.uplink"));
  }
}

TEST_CASE("a platform is reused for fewer hosts and replaced for more") {
  auto& engine = engine::SimgridEngine::of_process();
  engine::PlatformPlan plan{{.name = "A", .hosts = 3}, {.name = "B"}};
  auto* const built = &engine.platform(plan);
  auto* const host = built->host({0, 2});
  plan[0].hosts = 2;
  CHECK(engine.platform(plan).host({0, 2}) == host);
  plan[0].hosts = 5;
  CHECK(engine.platform(plan).host({0, 4})->get_name() == "A.node-4");
  plan[1].name = "A";  // a site may be called as another thing is
  CHECK_NOTHROW(engine.platform(plan));
}

}  // namespace gridcast::test
