// Each thing that can be bad has a number of its own, and so its own random numbers, in any pool.
#include <map>
#include <set>
#include <tuple>

#include "sim/engine/transfer/input_transfer.hpp"
#include "tests/test.hpp"

namespace gridcast::engine {

namespace {

constexpr std::uint32_t no_cache = 0xffffffff;

/// Site, slot, pilot and cache, as far as a scope distinguishes them.
using Thing = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

/// A large pool with sites of odd sizes, one of them empty.
struct LargePool {
  explicit LargePool(std::uint32_t number)
      : random(RandomStreams(4, 0).stream(Purpose::test, number)) {
    SiteSlots next;
    std::uint32_t const sites = 2 + random.below(60);
    for (std::uint32_t i = 0; i < sites; ++i) {
      next.slots = i == 1 ? 0 : 1 + random.below(9000);
      next.slots_per_node = 1 + random.below(130);
      platform.sites.push_back(next);
      next.first_slot += next.slots;
      next.first_node += next.nodes();
    }
    caches = 1 + random.below(40);
  }

  /// A slot and the cache that it asks.
  std::pair<SlotRef, AskedCache> any() {
    std::uint32_t site = 1;
    while (platform.sites[site].slots == 0) {
      site = random.below(static_cast<std::uint32_t>(platform.sites.size()));
    }
    SlotRef const slot{Id<history::Site>(site), random.below(platform.sites[site].slots),
                       random.below(300)};
    std::uint32_t const cache = random.below(caches + 1);
    if (cache < caches) return {slot, {Id<scenario::Cache>(cache)}};
    return {slot, {Id<scenario::Cache>(), random.below(3)}};
  }

  Thing thing(scenario::OutageScope scope, SlotRef const& slot, AskedCache const& asked) const {
    auto const cache = asked.cache;
    auto const site = slot.site.number();
    std::uint32_t const at = cache.valid() ? cache.number() : no_cache - asked.number;
    switch (scope) {
      case scenario::OutageScope::cache:
        return {cache.valid() ? 0 : site, 0, 0, at};
      case scenario::OutageScope::path:
        return {site, slot.number, slot.pilot, at};
      case scenario::OutageScope::node:
        return {site, slot.number / platform.sites[site].slots_per_node, 0, 0};
      case scenario::OutageScope::uplink:
        return {site, 0, 0, 0};
      default:
        return {};
    }
  }

  RandomStream random;
  PoolNetwork platform;
  std::uint32_t caches = 0;
};

}  // namespace

TEST_CASE("things that can be bad never share a name or their random numbers") {
  using enum scenario::OutageScope;
  RandomStreams const streams(1, 0);
  std::size_t things = 0;
  for (scenario::OutageScope const scope : {origin, cache, path, node, uplink}) {
    for (std::uint32_t number = 0; number < 8; ++number) {
      LargePool pool(number);
      std::map<std::uint64_t, Thing> by_key;
      std::map<Thing, std::uint64_t> by_thing;
      std::set<std::pair<double, double>> noise;
      for (int i = 0; i < 20000; ++i) {
        auto const [slot, asked] = pool.any();
        OutageEntity const entity = outage_entity(scope, pool.platform, pool.caches, slot, asked);
        Thing const thing = pool.thing(scope, slot, asked);
        auto const [known, is_new] = by_key.emplace(entity.key(), thing);
        REQUIRE(known->second == thing);
        REQUIRE(by_thing.emplace(thing, entity.key()).first->second == entity.key());
        if (!is_new) continue;
        RandomStream stream = streams.stream(Purpose::overload, entity.thing, entity.path);
        double const first = stream.uniform();
        noise.emplace(first, stream.uniform());
      }
      // 64 bits each: two of 20,000 agree by chance once in 10^11 pools.
      CHECK(noise.size() == by_thing.size());
      things += by_thing.size();
    }
  }
  CHECK(things > 100000);
}

}  // namespace gridcast::engine
