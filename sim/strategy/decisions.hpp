// What a strategy decides, as pure functions of a view and a random stream: no clock, no engine.
// HTCondor's own chain of decisions: jobs whose input transfer fails are requeued, cool down, or
// are held (schedd.cpp, FEATURE:PelicanRetryPolicy; docs/model.md, "Failed transfers").
#pragma once

#include <optional>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/history/job_event.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::strategy {

/// Time from the last byte to the moment that the stall is noticed: the timeout, then the next look
/// at the clock, which is anywhere in the check interval (u in (0, 1)).
Seconds stall_noticed_after(scenario::TransferStrategy const& strategy, double u);

/// How long a slow transfer, which brings next to nothing, is let go on: the starter counts any
/// byte as progress, the Pelican client gives up below 100 kB/s (SlowTransferRampupTime 100 s, then
/// SlowTransferWindow 30 s).
Seconds longest_slow_transfer(scenario::TransferStrategy const& strategy);

/// How long curl waits for a byte before it aborts for "lack of progress": LowSpeedTime of
/// HTCondor's multifile_curl_plugin.cpp.
inline constexpr Seconds curl_patience(30);

/// How many of the caches that the director offers one attempt asks.
std::size_t caches_to_ask(scenario::TransferStrategy const& strategy, std::size_t offered);

/// Held by the submit-time check (MAX_TRANSFER_INPUT_MB counts only what the access point sends).
bool too_large_to_submit(scenario::TransferStrategy const& strategy, Bytes input, Bytes limit);

/// Whether another attempt can help: a stall or a plugin error may pass, a 404 or curl's "lack of
/// progress" ends in exit code 1, which HTCondor takes as final.
bool retryable(history::Reason reason);

struct FailedTransferView {
  history::Reason reason = history::Reason::transfer_stalled;
  int cool_downs = 0;    // NumJobCoolDowns, over the job's life
  bool unlucky = false;  // this failure would have held the job in the calibrated campaign
};

struct AfterFailure {
  enum class Action { requeue, cool_down, hold } action = Action::requeue;
  Seconds cool_down;
};

/// `job_stream` is drawn from once: the cool-down's length is drawn once a job (at submit).
AfterFailure after_transfer_failure(scenario::RetryStrategy const& strategy,
                                    FailedTransferView const& view, RandomStream job_stream);

/// Held to released by policy: none if the policy leaves it to people. Periodic expressions look
/// every `policy_interval`, so the time is rounded up to the next look.
std::optional<Seconds> policy_release_after(scenario::ReleaseStrategy const& strategy,
                                            history::Reason reason, int policy_releases,
                                            Seconds policy_interval);

/// Whether the job's requirements exclude a site where it has stalled `stalls` times since it last
/// avoided it.
bool avoids_site(scenario::MatchStrategy const& strategy, int stalls);

enum class OwnerAction { none, release, remove };

/// What the owner of a held job does with it (condor_release, condor_rm), and how long after the
/// hold: the calibrated process of release and removal by hand.
///   job table   released with a probability that depends on the reason, after a delay
///   event logs  released with one probability at each hold, after a delay; removed instead once
/// the
///               job has been held often enough
/// Left out: office hours, people who release many jobs at once.
struct OwnerDecision {
  OwnerAction action = OwnerAction::none;
  Seconds after;
};

/// `holds`: of the job so far, this one included.
OwnerDecision owner_decision(scenario::ParameterDraw const& draw, history::Reason reason, int holds,
                             RandomStream stream);

}  // namespace gridcast::strategy
