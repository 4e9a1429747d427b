// What people do with held jobs.
//
// People release a held job, or remove it, after a delay (gamma or Weibull above a threshold: what they do
// beyond the longest delay that was seen, a log cannot tell; a heavy tail would put hours into the forecast
// of a campaign of minutes on the strength of a few dozen releases); which of the two:
//   P(release) ~ Beta(releases + 1/2, removals + 1/2)
// Where both were seen, at several times (ten minutes apart at least) and at one of them of several jobs,
// the decisions of one time depend on each other: with n jobs decided on at a time, of which k released,
//   k ~ Binomial(n, p),  p ~ Beta(a, b) anew each time
// by the posterior of removal_fit.hpp, and a draw has the p of one more time.
// A limit to the number of holds shows where every removal was at a later hold than any release.
// With none removed, people may have one that no job met: half of the draws have it, log-uniform
// from one more than was released to four times as many.
#pragma once

#include <cstddef>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// Columns of release_delay, and release, most_holds.
Fit people_fit(AttemptRecords const& records, std::size_t draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
