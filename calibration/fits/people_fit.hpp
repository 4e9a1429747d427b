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
// by the same posterior as of interventions (below), and a draw has the p of one more
// time. If a policy's expression released or removed a job, people had not decided on it until
// then: its delay is longer than that, and it is no decision. A limit to the number of holds shows
// where every removal was at a later hold than any release, for kinds with releases. If none was
// removed, people may have one that no job met: half of the draws have it, log-uniform from one
// more than was released, and at least two, to four times as many.
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"
#include "calibration/records/waits.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::calibration {

// Actions of owners on jobs that wait or run.
//
// They step in: a campaign's submit file was wrong, or a run has shown enough, and they remove jobs
// that wait or run, often all of them at once. Removals by hand within ten minutes of each other
// are one intervention. If n jobs are in the queue and not held, and k of them are removed,
//   interventions ~ Poisson(rate x time with such jobs),    rate ~ Gamma(number + 1/2, time)
//   k ~ Binomial(n, p),  p ~ Beta(a, b) anew each time,     mean of p uniform, ln(a + b) uniform
// with the posterior on a grid. Without an intervention on record there is none in the draws: it is
// a decision, and not the grid's. The meaning of p for a queue longer than n depends on the later
// jobs. If no job was submitted afterwards, the campaign was in the queue and p was its share. If
// jobs were, the intervention was on n jobs out of a campaign, and is evidence on queues up to that
// length: longer ones lose as many as one of n would (removal_queue). Each draw has that of one
// intervention, all alike.

/// Within it, decisions are one.
inline constexpr Seconds same_intervention(600);

/// So many of a group were chosen.
struct ShareOfGroup {
  double part = 0, of = 0;
};

/// Parameters of the Beta(a, b) that each group's probability is drawn from; a and b of one draw
/// belong together.
struct BetaDraws {
  std::vector<double> a, b;
};

struct Intervention {
  Seconds at;
  double removed = 0, in_queue = 0;
  std::size_t submitted_later = 0;
};

struct Interventions {
  std::vector<Intervention> all;  // in order of time
  /// Spans with jobs in the queue that are not held, each on its own.
  std::vector<TimeSpan> exposed;
};

Interventions find_interventions(history::JobHistory const& history);

/// Columns removal_per_s, removal_share_a, removal_share_b and removal_queue; empty without an
/// intervention.
Fit removal_fit(Interventions const& interventions, std::size_t draws,
                RandomStreams const& streams);

/// Columns of release_delay, release and most_holds, and remove_hold where people removed held
/// jobs; with holds of several kinds release_transfer_hold, release_other_hold and so on.
Fit people_fit(AttemptRecords const& records, std::size_t draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
