// Keys of a pool that the calibration's record stands for.
#include <string>
#include <vector>

#include "sim/scenario/scenario.hpp"
#include "tests/scenario/files.hpp"
#include "tests/test.hpp"

namespace gridcast::scenario {
namespace {

using test::has_text;
using test::pool_name;
using test::scenario_name;
using test::ScenarioFiles;

constexpr char shadows[] = "access_point.shadow_start_interval";
constexpr char cycles[] = "negotiator.interval";
constexpr char pilots[] = "pilots.replacement";

/// By the calibration: those that these keys are about. The pool has none of them.
void tell_waits(ScenarioFiles& files) {
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

TEST_CASE("Keys of a pool that a record stands for are refused as options, and noted in its file") {
  ScenarioFiles files;
  for (char const* const key : {shadows, cycles, pilots}) CHECK(refused(files, key).empty());
  CHECK(read_scenario(files / scenario_name).notes.empty());
  tell_waits(files);
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
  tell_waits(files);
  CHECK(refused(files, cycles).empty());  // one strategy avoids sites
  files.edit(scenario_name, "match: {avoid_site: {after_stalls: 2, for: 2 h}}, ", "");
  REQUIRE(refused(files, cycles).size() == 1);
  CHECK_THAT(refused(files, cycles)[0], has_text("has no effect"));
}

}  // namespace gridcast::scenario
