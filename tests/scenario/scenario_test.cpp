#include "sim/scenario/scenario.hpp"

#include "sim/base/error.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::pool_name;
using test::scenario_name;
using test::ScenarioFiles;

TEST_CASE("A scenario is read with its pool and its calibration") {
  ScenarioFiles const files;
  REQUIRE(files.problems().empty());
  Scenario const scenario = read_scenario(files / scenario_name);
  CHECK(scenario.file == files / scenario_name);
  CHECK(scenario.title == "A campaign");
  CHECK(scenario.question == "What of it?");
  CHECK(scenario.baseline == "published");
  CHECK(scenario.study.replicas == 10);
  CHECK(scenario.study.seed == 7);
  CHECK(scenario.calibration.draws.size() == 2);
  CHECK(scenario.pool.sites.size() == 2);
}

TEST_CASE("The campaign is read") {
  ScenarioFiles const files;
  Campaign const campaign = read_scenario(files / scenario_name).campaign;
  REQUIRE(campaign.submit.size() == 2);
  CHECK(campaign.submit[1].at == hours(1));
  CHECK(campaign.jobs() == 5);
  CHECK(campaign.input_size() == Bytes(138e9));
  CHECK(campaign.input[0].url == "osdf:///a");
  CHECK(campaign.request.gpus == 1);
  CHECK(campaign.request.disk == Bytes(350e9));
  CHECK(campaign.request.site == "A");
  CHECK(campaign.work.profile == "resnet50-imagenet");
  CHECK(campaign.work.epochs == 5);
}

TEST_CASE("Strategies are read in the order of the file") {
  ScenarioFiles const files;
  Scenario const scenario = read_scenario(files / scenario_name);
  std::string order;
  for (Strategy const& strategy : scenario.strategies) order += strategy.name + " ";
  CHECK(order == "published cool next avoid ");

  Strategy const& published = scenario.strategy("published");
  CHECK(published.transfer.stall_timeout == hours(1));
  CHECK(published.retry.on_transfer_failure == OnTransferFailure::recorded);
  CHECK_FALSE(published.release.transfer_holds_after);

  RetryStrategy const& retry = scenario.strategy("cool").retry;
  CHECK(retry.on_transfer_failure == OnTransferFailure::cool_down);
  CHECK(retry.delay_min == minutes(5));
  CHECK(retry.delay_max == minutes(10));
  CHECK(retry.times == 4);

  TransferStrategy const& transfer = scenario.strategy("next").transfer;
  CHECK(transfer.stall_timeout == Seconds(100));
  CHECK(transfer.on_stall == OnStall::next_cache);
  CHECK(transfer.resume);

  Strategy const& avoid = scenario.strategy("avoid");
  CHECK(avoid.match.avoid_site_after_stalls == 2);
  CHECK(avoid.match.avoid_site_for == hours(2));
  CHECK(avoid.release.transfer_holds_after == minutes(20));
}

TEST_CASE("What is left out has its default") {
  ScenarioFiles files;
  files.edit(scenario_name, "question: What of it?\n", "");
  files.edit(scenario_name, "baseline: published\n", "");
  files.edit(scenario_name, "study: {replicas: 10, seed: 7}\n", "study:\n");
  files.edit(scenario_name, "  request: {gpus: 1, disk: 350 GB, site: A}\n", "");
  files.edit(scenario_name, "published: {}", "published:");
  files.edit(scenario_name, "5 min..10 min", "5 min");
  REQUIRE(files.problems().empty());
  Scenario const scenario = read_scenario(files / scenario_name);
  CHECK(scenario.question.empty());
  CHECK(scenario.baseline == "published");
  CHECK(scenario.study.replicas == 1000);
  CHECK(scenario.campaign.request.gpus == 1);
  CHECK(scenario.campaign.request.disk == Bytes(0));
  CHECK(scenario.strategies[1].retry.delay_min == minutes(5));
  CHECK(scenario.strategies[1].retry.delay_max == minutes(5));
}

TEST_CASE("A strategy that does not exist is refused with the nearest name") {
  ScenarioFiles const files;
  Scenario const scenario = read_scenario(files / scenario_name);
  CHECK_THROWS_WITH(scenario.strategy("publishd"),
                    has_text("there is no strategy 'publishd'. Did you mean 'published'?"));
  CHECK_THROWS_WITH(scenario.strategy("zebra"), has_text("Known: published, cool, next, avoid."));
}

TEST_CASE("A pool is read") {
  ScenarioFiles const files;
  Pool const pool = read_pool(files / pool_name);
  REQUIRE(pool.sites.size() == 2);
  SiteSpec const& site = pool.sites[0];
  CHECK(site.name == "A");
  CHECK(site.gpus == 4);
  CHECK(site.gpu == "V100");
  CHECK(site.gpu_capability == 7);
  CHECK(site.gpu_memory == Bytes(16e9));
  CHECK(site.disk == Bytes(500e9));
  CHECK(site.uplink == BytesPerSecond(1.25e9));
  CHECK(site.pilot_walltime == hours(360));
  CHECK(site.caches == std::vector{Id<Cache>(0), Id<Cache>(1)});
  CHECK(pool.sites[1].caches == std::vector{Id<Cache>(1)});
  CHECK(pool.sites[1].pilot_walltime == Seconds(0));
  CHECK(pool.caches[0].high_watermark == 0.95);
  CHECK(pool.caches[1].low_watermark == 0.8);
  CHECK(pool.origin.name == "sdsc");
  CHECK(pool.origin.stream_limit == BytesPerSecond(400e6));
  CHECK(pool.access_point.transfer_slots == 50);
  CHECK(pool.access_point.max_transfer_input == Bytes(5e9));
  CHECK(pool.negotiator.interval == Seconds(60));
  CHECK(pool.pilots.walltime == hours(24));
}

TEST_CASE("Sites match by device, memory, capability, disk, number and name") {
  ScenarioFiles const files;
  Pool const pool = read_pool(files / pool_name);
  auto const matching = [&pool](Request const& request) {
    std::string names;
    for (Id<PoolSite> const id : matching_sites(pool, request)) {
      names += pool.sites[id.index()].name;
    }
    return names;
  };
  CHECK(matching({}) == "AB");
  Request request;
  request.gpus = 2;  // a slot has one
  CHECK(matching(request).empty());
  request = {};
  request.gpu = "A100";
  CHECK(matching(request) == "B");
  request.disk = Bytes(300e9);
  CHECK(matching(request).empty());
  request = {};
  request.gpu_memory = Bytes(20e9);
  CHECK(matching(request) == "B");
  request = {};
  request.gpu_capability = 7.5;
  CHECK(matching(request) == "B");
  request = {};
  request.site = "A";
  CHECK(matching(request) == "A");
  request.site = "A, C";
  CHECK(matching(request) == "A");
  request.site = "B,A";
  CHECK(matching(request) == "AB");
}

TEST_CASE("What is stated of sites holds in every draw, or is told to be without effect") {
  auto const state = [](ScenarioFiles& files, std::string const& sites) {
    files.edit(scenario_name, "baseline: published",
               "parameters: {sites: {" + sites + "}}\nbaseline: published");
  };
  for (char const* word : {".inf", "inf"}) {
    ScenarioFiles files;
    state(files, std::string("A: {link_capacity_Bps: ") + word + "}");
    REQUIRE(files.problems().empty());
    for (ParameterDraw const& draw : read_scenario(files / scenario_name).calibration.draws) {
      CHECK(draw.sites.at("A").link_capacity == unlimited_rate);
    }
  }
  auto const problem = [&](std::string const& sites) {
    ScenarioFiles files;
    state(files, sites);
    auto const found = files.problems();
    return found.size() == 1 ? found.front() : std::to_string(found.size()) + " problems";
  };
  CHECK_THAT(problem("A: {latency_s: inf}"),
             has_text("parameters.sites.A.latency_s: out of range"));
  CHECK_THAT(problem("AA: {latency_s: 1}"),
             has_text("the pool has no site 'AA'") && has_text("Did you mean 'A'?"));
  CHECK_THAT(problem("A: {slots: 9}"), has_text("parameters.sites.A.slots: has no effect") &&
                                           has_text("the pool gives it 4 GPUs"));
  CHECK_THAT(problem("A: {gpus: 5}"), has_text("parameters.sites.A.gpus: has no effect"));
  CHECK(problem("A: {gpus: 3}") == "0 problems");
}

}  // namespace gridcast::scenario
