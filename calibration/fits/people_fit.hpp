// Actions of people on held jobs: the person in charge releases or removes them, or leaves them
// held.
//
// People release or remove a held job after a delay, which is gamma (a heavy tail would put hours
// into the forecast of a campaign of minutes on the strength of a few dozen releases). The choice
// between the two depends on the reason of the hold (history::HeldFor). If r_k of n_k decisions on
// holds of kind k are releases,
//   r_k ~ Binomial(n_k, p_k),   p_k ~ Beta(a, b),   mean of p uniform, ln(a + b) uniform
// Thus a kind with few decisions is drawn towards the others, as far as these are alike. A record
// of one kind alone has P(release) ~ Beta(releases + 1/2, decisions against it + 1/2), for all. If
// none of a kind was released, each of its holds without a decision for a time t counts as 1 -
// exp(-t / mean) decisions against it, with the mean of the releases of other kinds, or an hour,
// and not as a delay: a job that was held for weeks is not one that is released after weeks. If
// some of it were, a hold that is open at the end is decided on later or left for good, a share of
// each kind (delay_law.hpp): each draw of the delay has a number of its own that are known to be
// left, decisions against a release too. Among the decisions against a release, m_k removed the job
// and the others left it held: the share that is removed has the same law. If no removal of a held
// job is on record, there is none in the draws. Delays are one for all decisions; decisions within
// ten minutes are one. If both decisions were seen for one kind, at several times (at least ten
// minutes apart) and at one of them for several jobs, the decisions of one time depend on each
// other: with k of the n jobs decided on at a time released,
//   k ~ Binomial(n, p),  p ~ Beta(a, b) anew each time
// by the same posterior as of interventions (removal_fit.hpp), and a draw has the p of one more
// time. If a policy's expression released or removed a job, people had not decided on it until
// then: its delay is longer than that, and it is no decision. A limit to the number of holds shows
// where every removal was at a later hold than any release, for kinds with releases. If none was
// removed, people may have one that no job met: half of the draws have it, log-uniform from one
// more than was released, and at least two, to four times as many.
#pragma once

#include <cstddef>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"

namespace gridcast::calibration {

/// Columns of release_delay, release and most_holds, and remove_hold where people removed held
/// jobs; with holds of several kinds release_transfer_hold, release_other_hold and so on.
Fit people_fit(AttemptRecords const& records, std::size_t draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
