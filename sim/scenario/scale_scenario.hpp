// Scenarios of any size, made from a few parameters: for benchmarks, and to see what a machine can
// carry before a large study is set up.
//
// The job model is the one with which other simulators were measured (docs/performance.md): 1 GB
// over the link of its site, 10,000 s of work on average, one slot. The links' capacity follows
// from the offered load, rho = arrival of bytes at full occupation / capacity:
//   capacity of a site = slots of the site / 10,000 s * 1 GB / rho
// All processes are on: caches that are overloaded at times, stalls, 404 shocks, sites that lose
// their network, holds and releases, pilots that come, retire and are killed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gridcast::scenario {

struct ScaleParameters {
  std::uint32_t jobs = 1'000'000;
  std::uint32_t slots = 5'000;
  std::uint32_t sites = 50;
  std::uint32_t caches = 20;
  double load = 0.5;     // offered to the sites' links
  bool failures = true;  // false: nothing stalls, fails, or is evicted
  std::string name;      // of the scenario's file, so that several share a folder; may be empty
};

/// Files of a folder by name, the scenario first: scenario.yaml, pool.yaml, calibration.yaml; with
/// a name NAME.yaml, parts/NAME-pool.yaml, parts/NAME-calibration.yaml. InputError unless every
/// site has a slot and every number is positive.
std::vector<std::pair<std::string, std::string>> scale_scenario(ScaleParameters const& parameters);

}  // namespace gridcast::scenario
