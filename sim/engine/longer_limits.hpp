// Recorded executions under a longer time limit than the record's.
//
// The record shows that an execution which a limit ended needs longer than that, and not how much
// longer. Of n executions that ended by themselves or at the limit L, a share s ended at L. The
// length of all is taken to be lognormal, and to agree with the record at two points:
//
//   P(length <= L) = 1 - s     P(length <= m) = (1 - s) / 2
//
// with m the median of those that ended by themselves. The rest of a limited execution is drawn
// from this law, given that it is longer than L (assumption A-LONGER-LIMIT). It then ends with a
// success. Without three executions that ended by themselves, the law is log-uniform from L to 3 L.
//
// An example: of 100 executions 24 ended at 90 min, and the median of the others is 40 min. With
// z(0.76) = 0.71 and z(0.38) = -0.31 the standard deviation of the logarithm is ln(90 / 40) / 1.01
// = 0.80, and 6 % of all executions are longer than 3 h.
#pragma once

#include <functional>
#include <optional>

#include "sim/base/random.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::engine {

/// The time limits of two strategies' jobs: nothing where there is none.
struct LimitChange {
  std::optional<Seconds> recorded, now;
};

/// The jobs of the record, whose executions that the recorded allowed_execute_duration ended
/// continue if the limit is now longer. Unchanged if it is not.
history::RecordedJobs under_longer_limit(history::RecordedJobs recorded, LimitChange const& limit,
                                         RandomStreams const& streams);

/// The same for executions that something else cut short, `met`: each continues until it ends by
/// itself, if `now` (a limit) is not as short. Later attempts of its job do not happen.
history::RecordedJobs continued_beyond(
    history::RecordedJobs recorded, std::function<bool(history::RecordedAttempt const&)> const& met,
    std::optional<Seconds> now, RandomStreams const& streams);

}  // namespace gridcast::engine
