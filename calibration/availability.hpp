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

namespace gridcast::calibration {

/// GPUs that pilots hold at a time, all sites together: log-uniform.
struct AvailabilityRange {
  double low = 4;    // 685 GPU hours in one week are four on average
  double high = 60;  // more than the 50 jobs of a cluster at once
};

/// Jobs whose first match was at a site.
struct SiteShare {
  std::string site;
  std::size_t first_matches = 0;
};

std::vector<SiteShare> site_shares(Records const& records);

/// How many GPUs a site needs for the same share of jobs, relative to the others: a slot that turns
/// jobs round faster takes more of them where jobs queue for slots. Fitted through the simulator
/// (link_fit).
using Turnover = std::map<std::string, double>;

/// GPUs by site for `gpus` in all: ~ share x turnover, the shares a Dirichlet draw around the
/// counts (Jeffreys), rounded up or down at random so that means are right where GPUs are few. At
/// least one GPU in all.
std::map<std::string, int> gpus_by_site(std::vector<SiteShare> const& shares,
                                        Turnover const& turnover, double gpus, RandomStream stream);

}  // namespace gridcast::calibration
