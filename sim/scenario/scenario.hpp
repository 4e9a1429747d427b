// A scenario: pool, calibration, campaign, strategies to compare, and how to study them. Read from
// YAML and written to it by the tables of keys (tables.hpp); unknown keys, wrong units and
// impossible values are all reported at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/preferences.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::scenario {

struct Study {
  int replicas = 1000;
  std::uint64_t seed = 1;
  std::string without = {};  // processes that are switched off, with commas between
  Preferences preferences = {};
};

struct Scenario {
  std::filesystem::path file;
  std::filesystem::path pool_path = {};
  std::string sha256;  // of its text and the pool's
  std::string title;
  std::string question;
  Pool pool;
  Calibration calibration;
  Campaign campaign;
  std::vector<Strategy> strategies;  // in the file's order
  std::string baseline;
  std::string record_strategy = {};  // of the calibration's recorded jobs; empty: the baseline
  /// ... with its rules, if they are not those of the baseline as it is now.
  std::optional<Strategy> recorded = {};
  Study study;
  Prices prices = {};
  Location work_at = {};                    // the place of the jobs' work in the file
  std::vector<std::string> overrides = {};  // "PATH=VALUE", put over what the files say
  std::vector<Problem> notes = {};          // settings that simulations ignore

  /// InputError with the nearest name if there is none of that name.
  Strategy const& strategy(std::string const& name) const;
  /// That under which the calibration's recorded jobs ran.
  Strategy const& recorded_strategy() const;
};

/// Reads the scenario, its pool and its calibration (paths relative to the scenario's folder), and
/// checks that they fit together: each site of the pool is calibrated, the profile is the one
/// calibrated or of the catalogue, the baseline exists, and at least one site can ever match the
/// request. `overrides` ("PATH=VALUE", sim/scenario/yaml/document.hpp) replace values of the
/// files.
Scenario read_scenario(std::filesystem::path const& file,
                       std::vector<std::string> const& overrides = {});

/// The files that it was made from: its own, the pool's, the calibration's and profiles of its own.
std::vector<std::filesystem::path> files_of(Scenario const& scenario);

/// The scenario as one names it to the program: its file, and a --set for each override.
std::string arguments_of(Scenario const& scenario);

/// The content of a scenario file: imported or chosen values, with one strategy.
struct ScenarioText {
  std::vector<std::string> comments;  // a line each, above all
  std::string title;
  std::string pool, calibration;  // from the scenario's folder
  Campaign campaign;
  Strategy strategy;
  std::string strategy_note = "The strategy of the submit file";
  std::optional<Strategy> recorded = {};  // that of the recorded jobs, if it is another one
  int replicas = 1000;
};

/// The text of its file. Only values that differ from the defaults are written: a short file that
/// one can read and change.
std::string scenario_yaml(ScenarioText const& text);

// The tables of keys, in words; from the same tables that the reader uses.

/// The JSON Schema (draft-07) of scenario and pool files, for editors: docs/scenario.schema.json.
std::string scenario_schema();

/// The reference of the same keys for people, as Markdown (docs/scenario.md).
std::string scenario_reference();

}  // namespace gridcast::scenario
