#include "sim/scenario/pool.hpp"

#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::pool_name;
using test::ScenarioFiles;

namespace {

/// The pool with one change gives one problem, read alone and with the scenario.
void check_bad(std::string const& from, std::string const& to, std::string const& printed,
               std::string const& part = "") {
  ScenarioFiles files;
  files.edit(pool_name, from, to);
  auto const found = files.problems();
  CAPTURE(from, to, found);
  REQUIRE(found.size() == 1);
  CHECK(found[0].substr(0, printed.size()) == printed);
  CHECK_THAT(found[0], has_text(part));
  CHECK(files.problems([&] { read_pool(files / pool_name); }) == found);
}

constexpr char slots_pool[] =
    "schema: gridcast.pool/1\n"
    "sites:\n"
    "  - {name: A, slots: 6}\n"
    "  - {name: B, slots: 4, slots_per_pilot: 2, disk: 10 GB}\n";

}  // namespace

TEST_CASE("Keys and values of a pool") {
  check_bad("uplink: 10 Gbps, pilot", "uplnk: 10 Gbps, uplink: 1 Gbps, pilot",
            "pool.yaml:4:6: sites[0]: unknown key 'uplnk'", "Did you mean 'uplink'?");
  check_bad("gpus: 4, ", "", "pool.yaml:3:5: sites[0]: key 'gpus' is missing");
  check_bad("gpus: 2", "gpus: 0", "pool.yaml:5:21: sites[1].gpus: 0 is out of range");
  check_bad("gpus: 2", "gpus: 10000001", "pool.yaml:5:21: sites[1].gpus: 10000001 is out of range",
            "from 1 to 10000000");
  check_bad("gpus: 2", "gpus: 2, slots: 1000000000",
            "pool.yaml:5:31: sites[1].slots: 1000000000 is out of range", "from 0 to 10000000");
  check_bad("25 Gbps", "25 GB", "pool.yaml:10:33: origin.bandwidth: '25 GB' is a size",
            "Units: B/s");
  check_bad("0.8", "1.8", "pool.yaml:9:66: caches[1].low_watermark: 1.8 is out of range",
            "above 0 and at most 1");
  check_bad("0.8", "high", "pool.yaml:9:66: caches[1].low_watermark: 'high' is not a number");
  check_bad("walltime: 24 h", "walltime: 24", "pool.yaml:12:20: pilots.walltime: '24' has no unit");
  check_bad("min_remaining: 10 h", "min_remaining: 10 GB",
            "pool.yaml:12:41: pilots.min_remaining: '10 GB' is a size");
  check_bad("[two]", "[]", "pool.yaml:6:31: sites[1].caches: an empty list");
  check_bad("[two]", "two", "pool.yaml:6:31: sites[1].caches: 'two' where a list of names");
  check_bad("gridcast.pool/1", "gridcast.pool/7", "pool.yaml:1:9: schema: 'gridcast.pool/7'",
            "'gridcast.pool/1' is wanted");
  check_bad("sites:", "sites: {", "pool.yaml:", "this is not YAML");
}

TEST_CASE("Keys of a pool that only make sense together") {
  check_bad("[one, two]", "[onne, two]", "pool.yaml:4:55: sites[0].caches[0]: unknown cache 'onne'",
            "Did you mean 'one'?");
  check_bad("[one, two]", "[zebra, two]",
            "pool.yaml:4:55: sites[0].caches[0]: unknown cache 'zebra'", "Known: one, two.");
  check_bad("name: B", "name: A", "pool.yaml:5:12: sites[1].name: 'A' is given twice");
  check_bad("{name: one, disk: 50 TB}", "{name: one, disk: 50 TB}\n  - {name: one, disk: 1 TB}",
            "pool.yaml:9:12: caches[1].name: 'one' is given twice");
  check_bad("low_watermark: 0.8", "low_watermark: 0.9",
            "pool.yaml:9:66: caches[1].low_watermark: 0.9 is not below the high watermark, 0.9");
  check_bad("walltime: 24 h", "walltime: 10 h 10 min",
            "pool.yaml:12:20: pilots.walltime: '10.2 h' is too short", "pilots.min_remaining");
  check_bad("pilot_walltime: 360 h", "pilot_walltime: 9 h",
            "pool.yaml:4:39: sites[0].pilot_walltime: '9 h' is too short",
            "while they have 10 h left");
}

TEST_CASE("A site that the calibration does not know is reported at its name") {
  ScenarioFiles files;
  files.edit(pool_name, "name: B", "name: C");
  CHECK(files.problems() ==
        std::vector<std::string>{
            "pool.yaml:5:12: sites[1].name: site 'C' is not calibrated (calibration.yaml knows A, "
            "B). Did you mean 'A'?"});
  CHECK(files.problems([&] { read_pool(files / pool_name); }).empty());
}

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

TEST_CASE("GPUs without a stated capability and memory can match any request") {
  SiteSpec site;
  site.slots = site.gpus = 1;
  Request request;
  request.gpu_capability = 8;
  request.gpu_memory = Bytes(16e9);
  CHECK(why_no_match(site, request).empty());
  site.gpu_capability = 7;
  site.gpu_memory = Bytes(8e9);
  CHECK(why_no_match(site, request) ==
        "GPU capability 7 of the 8 wanted, GPU memory 8 GB of the 16 GB wanted");
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

TEST_CASE("A pool of slots serves jobs without GPUs under any calibration") {
  ScenarioFiles files;
  files.write(pool_name, slots_pool);
  files.edit(test::scenario_name, "gpus: 1, disk: 350 GB, site: A", "gpus: 0");
  CHECK(files.problems().empty());
}

}  // namespace gridcast::scenario
