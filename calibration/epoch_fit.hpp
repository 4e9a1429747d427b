// The time an epoch at each site: own fits where there are executions enough, borrowed ones where
// not.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/censored_fit.hpp"
#include "calibration/record.hpp"
#include "calibration/unpack_fit.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct SiteEpochs {
  std::size_t events = 0;
  std::size_t censored = 0;
  Sample sample;                   // seconds an epoch, at the estimate of unpack
  std::vector<FittedFamily> fits;  // best first; empty: borrowed
  std::vector<FittedFamily> draws;
};

/// The fewest completed executions for a fit of a site's own.
constexpr std::size_t enough_executions = 5;

/// A borrowed site takes, for each draw, the distribution of another site relative to its median
/// (of all executions together, if no site has enough), and a median from the spread between sites
/// times the likelihood of what it has itself, censored executions included.
std::vector<SiteEpochs> fit_epochs(Records const& records, UnpackFit const& unpack, int epochs,
                                   std::size_t n_draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
