// Pools that are known from dated logs: slots, and nothing of GPUs, caches and origin.
#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::pool_name;
using test::ScenarioFiles;

namespace {

constexpr char slots_pool[] =
    "schema: gridcast.pool/1\n"
    "sites:\n"
    "  - {name: A, slots: 6}\n"
    "  - {name: B, slots: 4, slots_per_pilot: 2, disk: 10 GB}\n";

}  // namespace

TEST_CASE("A pool of slots needs no GPUs, caches or origin") {
  ScenarioFiles files;
  files.write(pool_name, slots_pool);
  Pool const pool = read_pool(files / pool_name);
  REQUIRE(pool.sites.size() == 2);
  CHECK(pool.sites[0].slots == 6);
  CHECK(pool.sites[0].slots_per_pilot == 1);
  CHECK(pool.sites[1].slots_per_pilot == 2);
  Request request;
  CHECK(matching_sites(pool, request).empty());
  request.gpus = 0;
  CHECK(matching_sites(pool, request).size() == 2);
  request.disk = Bytes(2e10);  // what A offers is not known
  CHECK(matching_sites(pool, request) == std::vector{Id<PoolSite>(0)});
}

TEST_CASE("A pool where some site has no slots needs the rest") {
  ScenarioFiles files;
  files.write(pool_name, slots_pool);
  files.edit(pool_name, "slots: 6", "disk: 10 GB");
  auto const found = files.problems([&] { read_pool(files / pool_name); });
  std::string all;
  for (std::string const& problem : found) all += problem + "\n";
  CHECK_THAT(all, has_text("sites[0]: key 'gpus' is missing") &&
                      has_text("sites[0]: key 'caches' is missing") &&
                      has_text("key 'origin' is missing"));
}

TEST_CASE("A calibration of a job table needs GPUs and caches") {
  ScenarioFiles files;
  files.write(pool_name, slots_pool);
  std::string all;
  for (std::string const& problem : files.problems()) all += problem + "\n";
  CHECK_THAT(all, has_text("pool.yaml:3:22: sites[0].slots: site 'A' has no GPUs or no caches"));
}

}  // namespace gridcast::scenario
