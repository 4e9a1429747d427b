// The scenarios that come with gridcast are read, and say what they are meant to say.
#include <filesystem>

#include "sim/base/files.hpp"
#include "sim/scenario/scenario.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

namespace {

std::filesystem::path shipped(std::string const& name) { return test::source_dir() / name; }

bool is_calibrated() {
  bool const exists = std::filesystem::exists(shipped("calibration/fitted/osg-imagenet.yaml"));
  if (!exists) WARN("skipped: calibration/fitted/osg-imagenet.yaml does not exist");
  return exists;
}

}  // namespace

TEST_CASE("The shipped pool is read") {
  Pool const pool = read_pool(shipped("scenarios/pools/ospool-2024.yaml"));
  REQUIRE(pool.sites.size() == 3);
  CHECK(pool.sites[2].name == "GP-ARGO-ksu-backfill");
  CHECK(pool.sites[2].pilot_walltime == hours(360));
  CHECK(pool.pilots.walltime == hours(24));
  for (SiteSpec const& site : pool.sites) CHECK(site.caches.size() == 3);
  CHECK(pool.sites[1].caches.front() == Id<Cache>(1));
}

TEST_CASE("The wider shipped pool offers the GPU memory that HTCondor reports") {
  Pool const pool = read_pool(shipped("scenarios/pools/ospool-2026.yaml"));
  auto const sites_with = [&](double mebibytes) {
    Request request;
    request.gpus = 1;
    request.gpu_memory = Bytes(mebibytes * 1024 * 1024);
    return matching_sites(pool, request).size();
  };
  CHECK(sites_with(16000) == 9);
  CHECK(sites_with(11000) == 10);
  CHECK(sites_with(24000) == 7);
  CHECK(sites_with(40000) == 5);
  CHECK(sites_with(80000) == 4);
  CHECK(sites_with(141000) == 1);
}

TEST_CASE("The shipped campaign is read") {
  if (!is_calibrated()) return;
  Scenario const scenario = read_scenario(shipped("scenarios/osg-imagenet.yaml"));
  CHECK(scenario.campaign.jobs() == 100);
  CHECK(scenario.campaign.input_size() == Bytes(137e9));
  CHECK(scenario.strategies.size() == 14);
  for (auto const& strategy : scenario.strategies) CHECK(!strategy.description.about.empty());
  Strategy const& both = scenario.strategy("upgrade-auto-release");
  CHECK(both.release == scenario.strategy("auto-release").release);
  CHECK(both.transfer == scenario.strategy("upgrade").transfer);
  CHECK(both.description.work == hours(8.25));
  CHECK(scenario.baseline == "published");
  CHECK(scenario.study.replicas == 1000);
  CHECK(scenario.strategy("http-origin").transfer.protocol == Protocol::http);
  CHECK(scenario.strategy("htcondor-native").transfer.protocol == Protocol::htcondor);
  CHECK(matching_sites(scenario.pool, scenario.campaign.request).size() == 3);
}

TEST_CASE("The shipped 20-epoch pilot is read") {
  if (!is_calibrated()) return;
  Scenario const scenario = read_scenario(shipped("scenarios/osg-imagenet-20epoch-pilot.yaml"));
  CHECK(scenario.campaign.jobs() == 5);
  CHECK(scenario.campaign.work.epochs == 20);
  CHECK(scenario.strategies.size() == 1);
}

TEST_CASE("The shipped files say in their first line which schema an editor finds their keys in") {
  std::string const modeline = "# yaml-language-server: $schema=";
  for (char const* name : {"osg-imagenet.yaml", "osg-imagenet-20epoch-pilot.yaml"}) {
    CHECK(read_text_file(shipped("scenarios") / name)
              .starts_with(modeline + "../docs/scenario.schema.json\n"));
  }
  CHECK(read_text_file(shipped("scenarios/pools/ospool-2024.yaml"))
            .starts_with(modeline + "../../docs/scenario.schema.json\n"));
}

}  // namespace gridcast::scenario
