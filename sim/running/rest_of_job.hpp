// The rest of one job of a running campaign, from now to its end.
//
// 1. A job in a slot continues its step, given how long the step has lasted. Its execution is the
//    last one with a probability that depends on the executions that the job repeated, and on its
//    age (campaign_laws.hpp). To the age of an execution that is the last one belongs the work of
//    earlier ones that a checkpoint saved.
// 2. The step ends as the recorded step of that length did: with a result, with a hold, evicted, or
//    removed by the owner. A job that is not done waits, and is held, as recorded jobs were.
//    Without a recorded release, held jobs are released in half of the futures. A released job
//    that a limit held meets it again with the probability m / (m + s): of the record's jobs that a
//    limit had held, m runs met it again and s succeeded (one where none succeeded). Then it stays
//    held if the record has three jobs that met it again, and in half of the futures if it has one.
// 3. No trouble lasts for ever. T is the time since the submission of the oldest job that is there;
//    in a DAG also the longest time that a job took. The trouble ends after a time G with
//    P(G > x) = T / (T + x), as a state does that is seen at a random point of its life (Gott 1993,
//    Nature 363). It concerns jobs that would take longer than T from now on, or from their first
//    start, unless their present or first execution ends them after a usual time. At G they all
//    succeed. But the owner may remove them first, after a time R with
//    P(R > x) = (1 + x / S)^-0.4, where S is T, but at least 2 h.
// 4. Rules that the owner chooses (chosen_changes.hpp) hold from now on. A program that is retried
//    fails as often as the recorded executions. A job whose last attempt a time limit ended does
//    not succeed when the trouble ends.
//
// Random numbers belong to the job and to the number of its attempt, so futures with and without an
// intervention differ by the intervention.
#pragma once

#include <optional>

#include "sim/base/random.hpp"
#include "sim/running/campaign_laws.hpp"
#include "sim/running/chosen_changes.hpp"
#include "sim/running/running_campaign.hpp"

namespace gridcast::running {

// The uniform random numbers of a future that all its jobs share.
//
// Futures are compared by shares: 5 % of them, say, have an owner who removes the jobs that are
// left. With independent random numbers a hundred futures have 1 to 10 such. So the numbers of the
// futures are spread evenly (sim/base/random.hpp), with a shift by the seed.
struct SharedDraws {
  double factor = 0.5, rescue = 0.5, removal = 0.5, release = 0.5;
};

struct FutureOptions {
  SharedDraws shared = {};
  Rules rules = {};             // of the owner's choice
  Seconds horizon = days(366);  // after now: what has not ended then never does
};

/// The fate of a job. `at` is on the clock of the campaign: its last event.
struct JobRest {
  RecordedEnd end = RecordedEnd::unfinished;
  Seconds at = {};
  Seconds slot_time = {};  // after now
  double gpu_seconds = 0;
};

/// The laws of one future.
struct FutureLaws {
  StepLaw before_execution, last, repeated, wait, hold;
  EndingOdds ending;
  double factor;                              // of all that is to come
  Seconds stay = {};                          // so far, of the job that was or is there for longest
  Seconds patience = {};                      // after now
  bool rescued = true;                        // the jobs that are there for longer succeed
  bool releases = true;                       // somebody releases held jobs
  bool limits_stay = false;                   // nobody raises a limit that holds jobs
  std::optional<StepLaw> interruptions = {};  // CampaignLaws
};

/// `stay`: since the submission of the oldest job that is there.
FutureLaws future_laws(CampaignLaws const& laws, Seconds stay, SharedDraws const& shared,
                       RandomStreams const& streams);

/// One future, as far as all its jobs share it.
struct FutureView {
  RunningCampaign const& campaign;
  CampaignLaws const& evidence;
  FutureOptions const& options;
  RandomStreams const& streams;
  FutureLaws laws;
};

/// `number`: of its random numbers. `start`: after now, of a job that has never had a slot.
JobRest rest_of_job(FutureView const& future, RunningJob const& job, std::size_t number,
                    Seconds start = {});

}  // namespace gridcast::running
