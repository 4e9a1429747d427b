// The delays that a log shows (delay_law.hpp). Gaps between the actions of jobs and slots (match,
// plugin's start, setup, teardown, checkpoint, reconnection) are gamma: its likelihood, unlike that
// of the other families, keeps the mean of the data, on which a makespan depends. A checkpoint,
// where none was seen, is stored by the means that bring the output back: its guess is the mean
// teardown. Suspensions, and how long a site is without a dead pilot, are exponential, with n that
// ended and the sum w of all:
//   1 / mean ~ Gamma(n + 1/2, w), shape and rate
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "calibration/fits/delay_law.hpp"
#include "calibration/fits/estimate.hpp"
#include "calibration/records/attempt_record.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

/// From the later of "the slot is free" and "the job is idle" to the job's start there.
std::vector<Delay> match_delays(AttemptRecords const& records);
/// From the program's own exit until the slot is free.
std::vector<Delay> teardowns(AttemptRecords const& records);
/// To store a checkpoint.
std::vector<Delay> checkpoints(AttemptRecords const& records);
/// From a lost contact until the job was found again.
std::vector<Delay> reconnections(AttemptRecords const& records);
/// Each try of an execution that was found again to bring its files home, in vain.
std::vector<Delay> output_tries(AttemptRecords const& records);
/// From a hold to its release or removal by people; longer, where no person acted before the log's
/// end or before a policy's expression.
std::vector<Delay> release_delays(AttemptRecords const& records);

/// `outputs_unlisted`: whether the jobs waited for a second (sim/scenario/strategy.hpp), where a
/// submit file or their ads show it. Their setup is then the time beyond it, and the second is
/// unlisted_wait_s. Columns of match_delay, plugin_start (where ads have the URLs' times), setup,
/// teardown, checkpoint, requeue_delay, reconnect_delay, output_try, and suspension_s,
/// pilot_replacement_s.
Fit gaps_fit(history::JobHistory const& history, AttemptRecords const& records, std::size_t draws,
             RandomStreams const& streams, std::optional<bool> outputs_unlisted = std::nullopt);

}  // namespace gridcast::calibration
