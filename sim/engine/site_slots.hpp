// How many jobs run at a site at a time.
//
// A pool that states slots has them, or as many as the draw where that counts them, with GPUs in
// proportion. GPUs that the pool states without slots are the most that pilots hold. A pool that
// states neither has as many as the calibration saw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/scenario/campaign.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/pool.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::engine {

/// The request without the amounts of memory and disk that the policy decides for each job.
scenario::Request fixed_part(scenario::Request request, scenario::JobPolicy const& policy);

/// Slots by site of the pool: none at sites that no job matches.
std::vector<std::uint32_t> slots_by_site(scenario::Pool const& pool,
                                         scenario::Campaign const& campaign,
                                         scenario::Strategy const& strategy,
                                         scenario::ParameterDraw const& draw);

/// The slots of each site, and how many of them a job of each request occupies. A slot of a site
/// is as small as the smallest job that the site takes: of three GPUs, a job with two occupies two
/// slots beside jobs with one. A job without GPUs occupies a slot too.
class SlotsOfRequests {
 public:
  SlotsOfRequests(scenario::Pool const& pool, scenario::Campaign const& campaign,
                  scenario::Strategy const& strategy, scenario::ParameterDraw const& draw);

  std::vector<std::uint32_t> const& by_site() const { return by_site_; }
  /// Slots that a job occupies; 0 where it never runs.
  int needed(Id<scenario::JobClass> of, std::size_t site) const {
    return needed_[of.index()][site];
  }
  /// True if each request has a slot somewhere.
  bool all_offered() const;

 private:
  std::vector<std::uint32_t> by_site_;
  std::vector<std::vector<int>> needed_;  // by request and site
};

/// Slots of all sites; with none the jobs wait for good.
std::size_t slots_offered(scenario::Pool const& pool, scenario::Campaign const& campaign,
                          scenario::Strategy const& strategy, scenario::ParameterDraw const& draw);

}  // namespace gridcast::engine
