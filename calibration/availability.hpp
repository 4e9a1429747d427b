// How many GPUs the campaign had at a time, and where. The table holds neither dates nor idle time,
// only at which sites jobs ran; "one week" and "685 GPU hours" give an average of four and no more.
// So the number is kept as a stated range, and every fit through the simulator is made over that
// range.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "calibration/record.hpp"
#include "sim/base/random.hpp"

namespace gridcast {

/// GPUs that pilots hold at a time, all sites together: log-uniform.
struct AvailabilityRange {
  double low = 3;    // 685 GPU hours in one week are four on average
  double high = 60;  // more than the 50 jobs of a cluster at once
};

/// What the table shows of a site's part in the campaign.
struct SiteShare {
  std::string site;
  std::size_t first_matches = 0;  // jobs whose first match was here
  double mean_busy_seconds = 0;   // slot time of a job that ended here
};

std::vector<SiteShare> site_shares(Records const& records);

/// GPUs by site for `gpus` in all. The table shows shares of jobs (a Dirichlet draw around the
/// counts); a slot that turns jobs round faster takes more of them where jobs queue for slots, so
///   GPUs_s ~ share_s x busy_s^g,  g = max(0, 1 - gpus / jobs).
std::map<std::string, int> gpus_by_site(std::vector<SiteShare> const& shares, double gpus,
                                        std::size_t jobs, RandomStream stream);

}  // namespace gridcast
