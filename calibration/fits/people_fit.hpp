// What people do with jobs that are held: whoever looks after them releases or removes them, or
// leaves them as they are.
//
// A held job people release, or remove, after a delay (gamma or Weibull above a threshold: what
// they do beyond the longest delay that was seen, a log cannot tell; a heavy tail would put hours
// into the forecast of a campaign of minutes on the strength of a few dozen releases); which of the
// two, depends on what it is held for (history::HeldFor). With r_k released of n_k decisions on
// holds of kind k
//   r_k ~ Binomial(n_k, p_k),   p_k ~ Beta(a, b),   mean of p uniform, ln(a + b) uniform
// so that a kind with few decisions is drawn towards the others, as far as these are alike. A
// record of one kind alone has P(release) ~ Beta(releases + 1/2, decisions against it + 1/2), for
// all. Where none of a kind was released, each of its holds on which nobody decided for a time t
// counts as 1 - exp(-t / mean) decisions against it, with the mean of the releases of other kinds,
// or an hour, and not as a delay: a job that was held for weeks is not one that is released after
// weeks. Where some of it were, a hold that is open at the end is decided on later or left for
// good, a share of each kind (delay_law.hpp): each draw of the delay has a number of its own
// that are known to be left, decisions against a release too. Of the decisions against a release
// m_k removed the job and the others left it held: the share that is removed has the same law.
// Where nobody removed a held job, nobody does. Delays are one for all decisions, unless the record
// tells those of releases from those of removals, or those of failed transfers from others
// (Wilcoxon's rank sum, p < 0.05; decisions within ten minutes are one). Where of one kind both
// were seen, at several times (ten minutes apart at least) and at one of them of several jobs, the
// decisions of one time depend on each other: with n jobs decided on at a time, of which k
// released,
//   k ~ Binomial(n, p),  p ~ Beta(a, b) anew each time
// by the same posterior as of interventions (removal_fit.hpp), and a draw has the p of one more
// time. What a policy's expression released or removed, people had not decided on until then: its
// delay is longer than that, and it is no decision.
// A limit to the number of holds shows where every removal was at a later hold than any release, of
// the kinds of which some were released. With none removed, people may have one that no job met:
// half of the draws have it, log-uniform from one more than was released to four times as many.
#pragma once

#include <cstddef>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// Columns of release_delay, release and most_holds, and remove_hold where people removed what was
/// held; with holds of several kinds release_transfer_hold, release_other_hold and so on;
/// release_other_delay and remove_delay where they differ.
Fit people_fit(AttemptRecords const& records, std::size_t draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
