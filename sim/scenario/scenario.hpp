// A scenario: pool, calibration, campaign, strategies to compare, and how to study them. Read from
// YAML (yaml_reader), where unknown keys, wrong units and impossible values are all reported at
// once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/campaign.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::scenario {

struct Study {
  int replicas = 1000;
  std::uint64_t seed = 1;
};

struct Scenario {
  std::filesystem::path file;
  std::string sha256;  // of its text and the pool's
  std::string title;
  std::string question;
  Pool pool;
  Calibration calibration;
  Campaign campaign;
  std::vector<Strategy> strategies;  // in the file's order
  std::string baseline;
  Study study;
  Location work_at = {};                    // where the file says what the jobs compute
  std::vector<std::string> overrides = {};  // "PATH=VALUE", put over what the files say

  /// InputError with the nearest name if there is none of that name.
  Strategy const& strategy(std::string const& name) const;
};

/// Reads the scenario, its pool and its calibration (paths relative to the scenario's folder), and
/// checks that they fit together: each site of the pool is calibrated, the profile is the one
/// calibrated or of the catalogue, the baseline exists, and at least one site can ever match the
/// request. `overrides` ("PATH=VALUE", sim/scenario/override.hpp) are put over what the files say.
Scenario read_scenario(std::filesystem::path const& file,
                       std::vector<std::string> const& overrides = {});

/// The scenario as one names it to the program: its file, and a --set for each override.
std::string arguments_of(Scenario const& scenario);

/// A pool file alone (for `calibrate --pool`).
Pool read_pool(std::filesystem::path const& file);

/// Sites that can match the request (device, memory, capability, disk, name), as indices into
/// pool.sites. Empty: the job can never run.
std::vector<Id<PoolSite>> matching_sites(Pool const& pool, Request const& request);

/// JSON Schema (draft-07) of scenario and pool files, from the same field tables that the reader
/// uses.
std::string scenario_schema();

/// The reference of the same keys, as Markdown (docs/scenario.md).
std::string scenario_reference();

}  // namespace gridcast::scenario
