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
#pragma once

#include <cstddef>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/records/waits.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::calibration {

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
BetaDraws draw_shares(std::vector<ShareOfGroup> const& groups, std::size_t draws,
                      RandomStream stream);

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

}  // namespace gridcast::calibration
