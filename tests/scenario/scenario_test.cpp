#include "sim/scenario/scenario.hpp"

#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/tables.hpp"
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

TEST_CASE("A missing key has its default") {
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
  CHECK_FALSE(pool.access_point.max_transfer_input);
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

TEST_CASE("Stated parameters of sites hold in every draw, or a note reports no effect") {
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
  // Executions have epochs where no work is known, and their work over their speed where it is.
  auto const of_work = [&](std::string const& sites) {
    ScenarioFiles files;
    files.edit(scenario_name,
               "campaign:", "parameters: {work_s: 3600, sites: {" + sites + "}}\ncampaign:");
    auto const found = files.problems();
    return found.size() == 1 ? found.front() : std::to_string(found.size()) + " problems";
  };
  CHECK(problem("A: {epoch_scale_s: 9}") == "0 problems");
  CHECK_THAT(problem("A: {speed: 2}"), has_text("parameters.sites.A.speed: has no effect (jobs "
                                                "have epochs, epoch_scale_s, and no work_s)"));
  CHECK(of_work("A: {speed: 2}") == "0 problems");
  for (std::string const key : {"epoch_scale_s", "epoch_shape", "epoch_shift_s", "epoch_family"}) {
    CHECK_THAT(of_work("A: {" + key + ": 1}"),
               has_text("parameters.sites.A." + key + ": has no effect (jobs have work, work_s"));
  }
}

TEST_CASE("Slots with more GPUs than the site has are refused") {
  ScenarioFiles files;
  files.edit(pool_name, "{name: A, ", "{name: A, gpus_per_slot: 5, ");
  REQUIRE(files.problems().size() == 1);
  CHECK_THAT(files.problems().front(),
             has_text("sites[0].gpus_per_slot: 5 is more than the site has (its GPUs are 4)"));
}

namespace {

/// The pool has these sites too, and the scenario states these parameters.
std::vector<std::string> reported(ScenarioFiles& files, std::string const& sites,
                                  std::string const& parameters) {
  files.edit(pool_name, "caches:\n", sites + "caches:\n");
  files.edit(scenario_name, "baseline: published",
             "parameters: {" + parameters + "}\nbaseline: published");
  return files.problems();
}

std::string problem_of(std::string const& sites, std::string const& parameters) {
  ScenarioFiles files;
  auto const found = reported(files, sites, parameters);
  return found.size() == 1 ? found.front() : std::to_string(found.size()) + " problems";
}

constexpr char new_site[] = "  - {name: new, slots: 4}\n";

}  // namespace

TEST_CASE("A site that no record knows has its slots from the pool and its pace as stated") {
  ScenarioFiles files;
  REQUIRE(reported(files, new_site, "sites: {new: {epoch_scale_s: 300}}").empty());
  for (ParameterDraw const& draw : read_scenario(files / scenario_name).calibration.draws) {
    CHECK(draw.sites.at("new").epoch.scale == 300);
  }
  CHECK(problem_of(new_site, "work_s: 500, sites: {new: {speed: 4}}") == "0 problems");
  CHECK_THAT(problem_of(new_site, "sites: {new: {unpack_s: 3}}"),
             has_text("parameters.sites.new: key 'epoch_scale_s' is missing"));
  CHECK_THAT(problem_of(new_site, "work_s: 500, sites: {new: {unpack_s: 3}}"),
             has_text("parameters.sites.new: key 'speed' is missing"));
  CHECK_THAT(problem_of(new_site, ""),
             has_text("site 'new' is not calibrated") && has_text("'epoch_scale_s' at least"));
}

TEST_CASE("A site is like one that a record knows, and only where none knows it itself") {
  auto const like = [](std::string const& site, std::string const& other) {
    return "  - {name: " + site + ", slots: 4, like: " + other + "}\n";
  };
  CHECK(problem_of(like("new", "A"), "") == "0 problems");
  CHECK_THAT(problem_of(like("new", "AA"), ""),
             has_text("sites[2].like: site 'AA' is not") && has_text("Did you mean 'A'?"));
  for (bool const later : {true, false}) {
    std::string const chain =
        later ? like("two", "one") + like("one", "A") : like("one", "A") + like("two", "one");
    CHECK_THAT(problem_of(chain, ""), has_text("like: site 'one' is not calibrated") &&
                                          has_text("knows A, B)") &&
                                          has_text("'one' is a new site itself"));
  }
  for (char const* other : {"B", "nowhere", "any"}) {
    ScenarioFiles files;
    files.edit(pool_name, "{name: A, ", std::string("{name: A, like: ") + other + ", ");
    REQUIRE(files.problems().size() == 1);
    CHECK_THAT(files.problems().front(),
               has_text("sites[0].like: has no effect") && has_text("knows site 'A'"));
  }
}

// Each of three sites has a third; two sites are like the same one in a third of the draws.
TEST_CASE("Sites that are like any are each like one of their own, drawn for each draw") {
  auto const speeds = [](std::size_t rows, std::vector<std::string> const& names) {
    Calibration calibration;
    calibration.sites = {"A", "B", "C"};
    ParameterDraw draw;
    draw.work = Seconds(1000);
    draw.sites["A"].speed = 1;
    draw.sites["B"].speed = 2;
    draw.sites["C"].speed = 4;
    calibration.draws.assign(rows, draw);
    calibration.rows.assign(rows, {1000, 1, 2, 4});
    Pool pool;
    for (std::string const& name : names) {
      SiteSpec& site = pool.sites.emplace_back();
      site.name = name;
      site.slots = 1;
      site.like = "any";
    }
    apply_stated({}, pool, {}, calibration);
    CHECK(calibration.rows.size() == calibration.draws.size());
    std::vector<std::pair<double, double>> both;
    for (ParameterDraw const& each : calibration.draws) {
      both.emplace_back(each.sites.at("one").speed, each.sites.at("two").speed);
    }
    return both;
  };
  CHECK(speeds(1, {"one", "two"}).size() == 100);
  CHECK(speeds(30, {"one", "two"}).size() == 120);
  auto const both = speeds(3000, {"one", "two"});
  REQUIRE(both.size() == 3000);
  CHECK(both == speeds(3000, {"two", "other", "one"}));
  std::map<double, int> of_one;
  int same = 0;
  for (auto const& [one, two] : both) {
    ++of_one[one];
    same += one == two ? 1 : 0;
  }
  int const five_errors = static_cast<int>(5 * std::sqrt(3000 * 2 / 9.));
  CHECK(std::abs(same - 1000) < five_errors);
  for (double const speed : {1, 2, 4}) CHECK(std::abs(of_one[speed] - 1000) < five_errors);
}

}  // namespace gridcast::scenario
