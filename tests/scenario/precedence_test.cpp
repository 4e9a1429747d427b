// Which value counts if several files give one: the pool's, the draws', or the owner's.
#include "sim/scenario/precedence.hpp"

#include <fmt/format.h>

#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {

using test::has_text;
using test::pool_name;
using test::scenario_name;
using test::ScenarioFiles;
using Texts = std::vector<std::string>;

namespace {

/// A record that saw six slots at A and four at B, and draws of more; the pool as it was read off
/// it.
void record(ScenarioFiles& files) {
  files.write(pool_name,
              "schema: gridcast.pool/1\nsites:\n"
              "  - {name: A, slots: 6}\n  - {name: B, slots: 4}\n");
  files.write(test::calibration_name,
              "schema: gridcast.calibration/1\nprofile: resnet50-imagenet\n"
              "parameters:\n  slots.A: {estimate: 6}\n  slots.B: {estimate: 4}\n"
              "draws:\n  columns: [slots.A, slots.B, work_s, speed.A, speed.B]\n  rows:\n"
              "    - [6, 4, 100, 1, 1]\n    - [30, 20, 100, 1, 1]\n");
  files.edit(scenario_name, "gpus: 1, disk: 350 GB, site: A", "gpus: 0");
}

/// Slots of both sites in each of the two draws.
std::vector<int> offered(ScenarioFiles const& files, Texts const& sets = {}) {
  Scenario const scenario = read_scenario(files / scenario_name, sets);
  std::vector<int> sums;
  for (ParameterDraw const& draw : scenario.calibration.draws) {
    int sum = 0;
    for (SiteSpec const& site : scenario.pool.sites) {
      sum += draw.sites.at(site.name).slots.value_or(site.slots);
    }
    sums.push_back(sum);
  }
  return sums;
}

using Slots = std::vector<int>;

constexpr char shadows[] = "access_point.shadow_start_interval";
constexpr char cycles[] = "negotiator.interval";
constexpr char pilots[] = "pilots.replacement";

/// By the calibration: those that these keys are about. The pool has none of them.
void record_waits(ScenarioFiles& files) {
  files.edit(scenario_name, "baseline: published",
             "parameters: {pilot_replacement_s: 600, match_delay_family: 2, match_delay_shape: 1, "
             "match_delay_scale_s: 30, match_delay_shift_s: 0}\nbaseline: published");
  files.edit(pool_name, ", replacement: 1 h", "");
}

std::vector<std::string> refused(ScenarioFiles const& files, std::string const& key) {
  std::string const set = std::string("pool.") + key + "=5 min";
  return files.problems([&] { read_scenario(files / scenario_name, {set}); });
}

}  // namespace

TEST_CASE("A pool with the slots that the record saw has as many as the draws") {
  ScenarioFiles files;
  record(files);
  CHECK(offered(files) == Slots{10, 50});
  files.edit(pool_name, "slots: 6", "slots: 8");  // the owner knows better
  CHECK(offered(files) == Slots{12, 28});
}

TEST_CASE(
    "Slots of a calibration without estimates are the pool's, and so are those without draws") {
  ScenarioFiles files;
  record(files);
  files.edit(test::calibration_name, "  slots.A: {estimate: 6}\n", "");
  CHECK(offered(files) == Slots{10, 26});
  files.edit(test::calibration_name, "[slots.A, slots.B,", "[slots.A, gpus.B,");
  CHECK(offered(files) == Slots{10, 10});
}

TEST_CASE("Slots that an option or the scenario states are there in every draw") {
  ScenarioFiles files;
  record(files);
  CHECK(offered(files, {"calibration.slots.A=9"}) == Slots{13, 29});
  for (char const* const path : {"A", "0"}) {
    CHECK(offered(files, {fmt::format("pool.sites.{}.slots=6", path)}) == Slots{10, 26});
  }
  CHECK(offered(files, {"pool.sites[1].slots=7"}) == Slots{13, 37});
  files.edit(scenario_name, "baseline: published",
             "parameters: {sites: {B: {slots: 3}}}\nbaseline: published");
  CHECK(offered(files) == Slots{9, 33});
}

TEST_CASE("Slots of the draws that would do nothing are refused") {
  ScenarioFiles files;
  record(files);
  auto const refused = [&](Texts const& sets) {
    return files.problems([&] { read_scenario(files / scenario_name, sets); });
  };
  Texts found = refused({"calibration.slots.A=9", "pool.sites.A.slots=6"});
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("--set calibration.slots.A=9: has no effect (the pool gives it 6"));
  files.edit(pool_name, "slots: 6", "slots: 8");
  found = refused({"calibration.slots.A=9"});
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], has_text("has no effect (the pool gives it 8 slots)"));
  files.edit(scenario_name, "baseline: published",
             "parameters: {sites: {A: {slots: 9}}}\nbaseline: published");
  CHECK_THAT(files.problems().front(), has_text("parameters.sites.A.slots: has no effect"));
}

TEST_CASE("GPUs that an option states of a site state its slots as well") {
  ScenarioFiles files;
  record(files);
  files.edit(pool_name, "slots: 6", "slots: 6, gpus: 6, gpus_per_node: 2");
  files.edit(scenario_name, "gpus: 0", "gpus: 2, site: A");
  CHECK(offered(files) == Slots{10, 50});
  CHECK(offered(files, {"pool.sites.A.gpus=8"}) == Slots{10, 26});
}

TEST_CASE("Keys of a pool that a record stands for are refused as options, and noted in its file") {
  ScenarioFiles files;
  for (char const* const key : {shadows, cycles, pilots}) CHECK(refused(files, key).empty());
  CHECK(read_scenario(files / scenario_name).notes.empty());
  record_waits(files);
  for (char const* const key : {shadows, pilots}) {
    CAPTURE(key);
    auto const found = refused(files, key);
    REQUIRE(found.size() == 1);
    CHECK_THAT(found[0], has_text("--set pool." + std::string(key) + "=5 min: has no effect") &&
                             has_text("Set calibration."));
  }
  CHECK(read_scenario(files / scenario_name).notes.empty());
  files.edit(pool_name, "{transfer_slots: 50}", "{transfer_slots: 50, shadow_start_interval: 2 s}");
  auto const notes = read_scenario(files / scenario_name).notes;
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0].to_text(), has_text("pool.yaml:11:59: ") &&
                                     has_text(std::string(shadows) + ": has no effect (") &&
                                     has_text("match_delay"));
}

TEST_CASE("Jobs that are choosy look again at each interval of the negotiator") {
  ScenarioFiles files;
  record_waits(files);
  CHECK(refused(files, cycles).empty());  // one strategy avoids sites
  files.edit(scenario_name, "match: {avoid_site: {after_stalls: 2, for: 2 h}}, ", "");
  REQUIRE(refused(files, cycles).size() == 1);
  CHECK_THAT(refused(files, cycles)[0], has_text("has no effect"));
}

}  // namespace gridcast::scenario
