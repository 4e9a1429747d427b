// Delays between two stamps of a log, in seconds, each as a distribution with its doubt:
//   X ~ threshold + gamma, lognormal or Weibull (shape, scale)
//   log L = sum over seen ln P(d) + sum over censored ln S(c)
// with the P of rounded stamps (likelihood.hpp). Weak priors: ln shape ~ N(0, 0.25), ln scale ~ N(ln of
// a guess, 2^2), each of half that width where no delay was seen; the threshold flat between zero
// and the shortest that was seen. Parameters are drawn by slice sampling; families share the draws by
//   exp(best log posterior) over the sum of all
// as all have as many parameters, so that AIC differs by the likelihood alone (Burnham & Anderson
// 2002, 2.9). Of more than `enough_delays` so many, evenly chosen, are in the likelihood: their mean is
// known to 1 / sqrt(2,000) = 2.2 % of their spread.
//
// Gaps between what jobs and slots do (match, plugin's start, setup, teardown, checkpoint,
// reconnection) are gamma: of the families, the one whose likelihood keeps the mean of the data, which
// is what gaps do to a makespan. A checkpoint, where none was seen, is stored by the means that bring
// the output back: its guess is the mean teardown. Suspensions, and how long a site is without a dead
// pilot, are exponential, with n that ended and the sum w of all:
//   1 / mean ~ Gamma(n + 1/2, w), shape and rate
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "calibration/fits/estimate.hpp"
#include "calibration/fits/site_fit.hpp"
#include "calibration/records/attempt_record.hpp"
#include "sim/base/random.hpp"

namespace gridcast::calibration {

struct Delay {
  double seconds = 0;     // between the stamps
  double known = 0;       // of which so many are something else
  bool censored = false;  // it lasted longer
};

struct DelayModel {
  std::string name;        // of the columns: NAME_family, NAME_shape, NAME_scale_s, NAME_shift_s
  std::string what;        // for the file
  bool threshold = false;  // with a fitted threshold
  double guess = 1;        // seconds; the prior's centre, and all there is without a delay
  std::vector<Family> families = {Family::gamma, Family::lognormal, Family::weibull};
};

inline constexpr std::size_t enough_delays = 2'000;

/// NAME_mean_s as a parameter, the four columns as draws.
Fit fit_delay(DelayModel const& model, std::vector<Delay> const& delays, double tick,
              std::size_t draws, RandomStream stream);

/// From the later of "the slot is free" and "the job is idle" to the job's start there; but for those in which
/// the site was away, whose slot was not free.
std::vector<Delay> match_delays(AttemptRecords const& records, DaysAway const& away = {});
/// From the program's own exit until the slot is free.
std::vector<Delay> teardowns(AttemptRecords const& records);
/// To store a checkpoint.
std::vector<Delay> checkpoints(AttemptRecords const& records);
/// From a lost contact until the job was found again.
std::vector<Delay> reconnections(AttemptRecords const& records);
/// Each try of an execution that was found again to bring its files home, in vain.
std::vector<Delay> output_tries(AttemptRecords const& records);
/// From a hold to its release or removal, whichever people decided; longer, where nobody did before the
/// log's end or before a policy's expression.
std::vector<Delay> release_delays(AttemptRecords const& records);

/// `outputs_unlisted`: whether the jobs waited for a second (sim/scenario/strategy.hpp), where a submit
/// file or their ads tell; their setup is then what they took beyond it, and the second is unlisted_wait_s.
/// Columns of match_delay, plugin_start (where ads tell the URLs' times), setup, teardown, checkpoint,
/// requeue_delay, reconnect_delay, output_try, and suspension_s, pilot_replacement_s.
Fit gaps_fit(history::JobHistory const& history, AttemptRecords const& records, std::size_t draws,
             RandomStreams const& streams, DaysAway const& away = {},
             std::optional<bool> outputs_unlisted = std::nullopt);

}  // namespace gridcast::calibration
