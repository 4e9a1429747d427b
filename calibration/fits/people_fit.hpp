// What people do with jobs: owners remove those that wait or run, and whoever looks after them releases or
// removes those that are held.
//
// Owners step in: a campaign's submit file was wrong, or a run has shown enough, and they remove jobs that
// wait or run, often all of them at once. Removals by hand within ten minutes of each other are one
// intervention. With n jobs in the queue and not held, of which k were removed,
//   interventions ~ Poisson(rate x time with such jobs),    rate ~ Gamma(number + 1/2, time)
//   k ~ Binomial(n, p),  p ~ Beta(a, b) anew each time,     mean of p uniform, ln(a + b) uniform
// of which the posterior is on a grid. Without an intervention on record there is none in the draws: it
// is a decision, and not the grid's. What p says of a queue longer than n depends on what was yet to come:
// where no job was submitted afterwards, the campaign was in the queue and p was its share; where jobs were,
// the intervention was of n jobs out of a campaign, and tells of queues up to that length: longer ones
// lose as many as one of n would (removal_queue). Each draw has that of one intervention, all alike.
//
// A held job people release, or remove, after a delay (gamma or Weibull above a threshold: what they do
// beyond the longest delay that was seen, a log cannot tell; a heavy tail would put hours into the forecast
// of a campaign of minutes on the strength of a few dozen releases); which of the two:
//   P(release) ~ Beta(releases + 1/2, removals + 1/2)
// Where nothing was released, each hold on which nobody decided for a time t counts as 1 - exp(-t / 1 h)
// removals, and the delay is its prior: a job that was held for weeks is not one that is released after weeks.
// Where both were seen, at several times (ten minutes apart at least) and at one of them of several jobs,
// the decisions of one time depend on each other: with n jobs decided on at a time, of which k released,
//   k ~ Binomial(n, p),  p ~ Beta(a, b) anew each time
// by the same posterior as of interventions, and a draw has the p of one more time.
// What a policy's expression released or removed, people had not decided on until then: its delay is longer
// than that, and it is no decision.
// A limit to the number of holds shows where every removal was at a later hold than any release.
// With none removed, people may have one that no job met: half of the draws have it, log-uniform
// from one more than was released to four times as many.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::calibration {

/// Within it, decisions are one.
inline constexpr Seconds same_intervention(600);

/// So many of a group were chosen.
struct ShareOfGroup {
  double part = 0, of = 0;
};

/// Of the Beta(a, b) that each group's probability is drawn from; a and b of one draw belong together.
struct BetaDraws {
  std::vector<double> a, b;
};
BetaDraws draw_shares(std::vector<ShareOfGroup> const& groups, std::size_t draws,
                      RandomStream stream);

struct Intervention {
  Seconds at;
  double removed = 0, in_queue = 0;
  std::size_t submitted_later = 0;
};

struct Interventions {
  std::vector<Intervention> all;  // in order of time
  /// With jobs in the queue that are not held, each span on its own.
  std::vector<std::pair<Seconds, Seconds>> exposed;

  /// Of [from, to).
  double exposure(Seconds from, Seconds to) const;
};

Interventions find_interventions(history::JobHistory const& history);

/// Columns removal_per_s, removal_share_a, removal_share_b and removal_queue; nothing where nobody stepped in.
Fit removal_fit(Interventions const& interventions, std::size_t draws,
                RandomStreams const& streams);

/// Columns of release_delay, and release, most_holds.
Fit people_fit(AttemptRecords const& records, std::size_t draws, RandomStreams const& streams);

}  // namespace gridcast::calibration
