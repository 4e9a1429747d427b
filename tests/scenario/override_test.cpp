#include "sim/scenario/scenario.hpp"
#include "sim/scenario/yaml/document.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::pool_name;
using test::scenario_name;
using test::ScenarioFiles;
using Texts = std::vector<std::string>;

namespace {

Scenario with(ScenarioFiles const& files, Texts const& sets) {
  return read_scenario(files / scenario_name, sets);
}

struct BadSet {
  std::string set, printed;
};

}  // namespace

TEST_CASE("A value that is set is read as if it stood in the file") {
  ScenarioFiles files;
  Scenario const set = with(
      files, {"campaign.work.epochs=9", "campaign.submit[1].jobs=11", "campaign.submit.0.at=2 min",
              "strategies.cool.retry.delay=1 min..2 min", "pool.sites.B.gpus=3", "title=a, b",
              "campaign.request.gpu_memory=8 GB", "study={replicas: 3}"});
  files.edit(scenario_name, "epochs: 5", "epochs: 9");
  CHECK(set.campaign.work.epochs == read_scenario(files / scenario_name).campaign.work.epochs);
  CHECK(set.campaign.submit[1].jobs == 11);
  CHECK(set.campaign.submit[0].jobs == 3);
  CHECK(set.campaign.submit[0].at == minutes(2));
  CHECK(set.strategy("cool").retry.delay_max == minutes(2));
  CHECK(set.pool.sites[1].gpus == 3);
  CHECK(set.title == "a, b");
  CHECK(set.campaign.request.gpu_memory == Bytes(8e9));
  CHECK(set.study.replicas == 3);
}

TEST_CASE("A column of the draws is set in every row, and of two the later one holds") {
  ScenarioFiles const files;
  Scenario const set =
      with(files, {"calibration.gpus.A=3", "calibration.rate_noise=1", "calibration.rate_noise=0"});
  REQUIRE(set.calibration.draws.size() == 2);
  for (ParameterDraw const& draw : set.calibration.draws) {
    CHECK(draw.sites.at("A").gpus == 3);
    CHECK(draw.sites.at("B").gpus == 20);
    CHECK(draw.sites.at("A").rate_sigma == 0);
  }
}

TEST_CASE("A name with points in it is found, the longest first") {
  YamlDocument document("pool.yaml", "sites: [{name: B, gpus: 1}, {name: B.edu, gpus: 2}]\n");
  apply_overrides(by_file(parse_overrides({"pool.sites.B.edu.gpus=3"})).pool, document);
  CHECK_FALSE(document.has_problems());
  CHECK(document.root()["sites"][0]["gpus"].as<int>() == 1);
  CHECK(document.root()["sites"][1]["gpus"].as<int>() == 3);
}

TEST_CASE("Scenarios with other values are distinguished and named by these values") {
  ScenarioFiles const files;
  Scenario const plain = with(files, {});
  Scenario const set = with(files, {"title=it's"});
  CHECK(arguments_of(plain) == plain.file.string());
  CHECK(arguments_of(set) == plain.file.string() + " --set 'title=it'\\''s'");
  CHECK(set.sha256 != plain.sha256);
  CHECK(set.sha256 != with(files, {"title=its"}).sha256);
}

TEST_CASE("A value that cannot be set is reported at the option, with the right form") {
  ScenarioFiles const files;
  std::vector<BadSet> const bad = {
      {"campaign.work.epoch=2", "campaign.work: unknown key 'epoch'. Did you mean 'epochs'?"},
      {"campain.work.epochs=2", "unknown key 'campain'. Did you mean 'campaign'?"},
      {"campaign.work.epochs=many", "campaign.work.epochs: 'many' is not a whole number"},
      {"campaign.submit.2.jobs=3", "campaign.submit: there is no entry 2. It has 2"},
      {"campaign.submit.x.jobs=3", "campaign.submit: no entry is called 'x'"},
      {"strategies.col.retry.times=2", "strategies: there is no 'col'. Did you mean 'cool'?"},
      {"pool.sites.C.gpus=2", "sites: no entry is called 'C'"},
      {"pool.sites.A.gpsu=2", "sites[0]: unknown key 'gpsu'. Did you mean 'gpus'?"},
      {"calibration.rate_nose=2",
       "the draws have no column 'rate_nose'. Did you mean 'rate_noise'"},
      {"calibration.stall_when_bad=2", "it has to be a probability"},
      {"calibration.gpus.A=few", "it has to be a whole number from 0 to 10000000"},
      {"title.x=3", "title is 'A campaign', and nothing is below it"},
      {"title=[", "this is not YAML"},
      {"title", "there is no '='"},
      {"=3", "there is no path"},
      {"title=", "there is no value"},
      {".=3", "a name is missing"},
  };
  for (BadSet const& each : bad) {
    CAPTURE(each.set);
    auto const found = files.problems([&] { with(files, {each.set}); });
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0], has_text(each.printed));
    CHECK(found[0].starts_with("--set " + each.set + ": "));
  }
}

TEST_CASE("Numbers of GPUs and slots that would do nothing are reported at the option") {
  ScenarioFiles files;
  files.edit(pool_name, "gpus: 2, ", "gpus: 12, slots: 12, gpus_per_node: 4, ");  // B's
  auto const refused = [&](Texts const& sets) {
    return files.problems([&] { with(files, sets); });
  };
  for (char const* const set :
       {"pool.sites.B.gpus=24", "pool.sites.B.gpus=6", "calibration.gpus.B=6",
        "calibration.gpus.B=0", "calibration.gpus.A=5"}) {
    CAPTURE(set);
    auto const found = refused({set});
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0],
               has_text("--set " + std::string(set) + ": has no effect (the pool gives it "));
  }
  CHECK_THAT(refused({"pool.sites.B.gpus=24"})[0], has_text("Set pool.sites.B.slots too."));
  CHECK(refused({"pool.sites.B.gpus=24", "pool.sites.B.slots=24"}).empty());
  // One GPU for each slot, as the jobs request.
  auto const both = refused({"pool.sites.B.gpus=25", "pool.sites.B.slots=24"});
  REQUIRE(both.size() == 1);
  CHECK_THAT(both[0], has_text("--set pool.sites.B.gpus=25: has no effect (the pool gives it 24 "
                               "slots, which 24 GPUs fill)") &&
                          has_text("Set pool.sites.B.slots higher."));
  CHECK(refused({"pool.sites.B.slots=24"}).empty());
  CHECK(refused({"pool.sites.A.gpus=6", "calibration.gpus.A=4"}).empty());
}

TEST_CASE("GPUs beside slots count for jobs of several, as many as the slots can use") {
  ScenarioFiles files;
  files.edit(scenario_name, "baseline: published",
             "parameters: {work_s: 500, sites: {A: {speed: 1}, B: {speed: 1}}}\n"
             "baseline: published");
  files.edit(pool_name, "gpus: 2, ", "gpus: 12, slots: 12, gpus_per_node: 4, ");
  files.edit(scenario_name, "request: {gpus: 1, disk: 350 GB, site: A}", "request: {gpus: 2}");
  auto const refused = [&](Texts const& sets) {
    return files.problems([&] { with(files, sets); });
  };
  CHECK(refused({"pool.sites.B.gpus=6"}).empty());
  CHECK(refused({"pool.sites.B.gpus=24"}).empty());
  CHECK(refused({"pool.sites.B.gpus=25"}).size() == 1);
  CHECK(refused({"pool.sites.B.slots=6", "pool.sites.B.gpus=12"}).empty());
  CHECK(refused({"pool.sites.B.slots=6", "pool.sites.B.gpus=13"}).size() == 1);
}

TEST_CASE("All problems are reported, of options and of files") {
  ScenarioFiles files;
  files.edit(scenario_name, "disk: 350 GB", "dissk: 350 GB");
  auto const found = files.problems([&] {
    with(files, {"campaign.work.epoch=2", "pool.sites.A.gpsu=1", "calibration.x=1"});
  });
  CHECK(found.size() == 4);
}

}  // namespace gridcast::scenario
