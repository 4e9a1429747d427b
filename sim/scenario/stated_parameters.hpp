// What the owner of a scenario states of a grid, instead of what the calibration says or leaves out:
//   parameters:
//     stall_when_bad: 0.5
//     sites: {SITE-A: {link_capacity_Bps: 1.25e9}}
// Each holds in every draw. The keys are the columns of calibrations (sim/scenario/draw_columns.cpp),
// each with its unit and bounds. A site of the pool that no record knows takes the parameters of one
// that is known (`like: SITE`), or of any of them (`like: any`: a site drawn from the spread between
// the known ones, another in each draw), or has what it needs stated.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/calibration.hpp"
#include "sim/scenario/draw_columns.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::scenario {

struct StatedSite {
  std::string name;
  std::vector<std::pair<SiteColumn const*, double>> values;
};

struct StatedParameters {
  std::vector<std::pair<DrawColumn const*, double>> values;
  std::vector<StatedSite> sites;
};

/// `like` that means any known site.
inline constexpr char like_any[] = "any";

/// Puts what is stated over the calibration's draws, and makes the parameters of sites that are `like`
/// another. Sites that are neither known nor described enough stay out.
void apply_stated(StatedParameters const& stated, Pool const& pool, Calibration& calibration);

}  // namespace gridcast::scenario
