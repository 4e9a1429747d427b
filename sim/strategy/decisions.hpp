// Decisions of a strategy, as pure functions of a view and a random stream: no clock, no engine.
// HTCondor's own chain of decisions: jobs whose input transfer fails are requeued, cool down, or
// are held (schedd.cpp, FEATURE:PelicanRetryPolicy; docs/model.md, "Failed transfers").
//
// Also the effect of a job's policy expressions, at its exit and from time to time.
//
// When its program has ended: HTCondor's chain of on_exit_hold, on_exit_remove and max_retries
// (user_job_policy.cpp, and condor_submit's translation of max_retries: OnExitRemove =
// NumJobCompletions > JobMaxRetries || ExitCode == success_exit_code || retry_until ||
// on_exit_remove).
//
// From time to time: when the periodic policy will next do something, if nothing else happens to
// the job first. HTCondor evaluates the periodic expressions of a job every PERIODIC_EXPR_INTERVAL,
// in this order: allowed durations, hold (unless held), release (if held), remove, vacate (if
// running) (user_job_policy.cpp, AnalyzePolicy). Between two events of a job only the clock changes
// in its ad, so instead of looking each time, the first look at which an expression holds is
// searched: at the next look, then 1, 4, 16, 64, ... looks on, then by bisection. An expression
// that becomes true and false again between two of these probes is taken for false. One without the
// time in it is looked at once.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::strategy {

/// The starter's first look at its stall timer that comes `elapsed` or later after the transfer's
/// start: looks are at first_check and then every check_interval, so 3,600 s act at 3,620 s
/// (file_transfer.cpp; seen on 23.9.6).
Seconds next_look(scenario::TransferStrategy const& strategy, Seconds elapsed);

/// When, after its start, the timer ends a transfer by a plugin, even one that progresses; infinite
/// if no timer does that.
Seconds longest_transfer(scenario::TransferStrategy const& strategy);

/// When, after the transfer's start, the timer ends one whose last byte came at `silent_since`;
/// infinite if it does not look for silence. The timer always sees the bytes of HTCondor's own
/// transfers, whether it sees those of plugins or not (semantics of
/// STARTER_FILE_XFER_STALL_TIMEOUT: jic_shadow.cpp, verifyXferProgressing).
Seconds silence_ends(scenario::TransferStrategy const& strategy, Seconds silent_since);

/// Limits at which the program that fetches gives a connection up by itself.
struct Patience {
  BytesPerSecond slow = {};  // below this rate ...
  Seconds with_slow;         // ... it waits so long
  Seconds with_silence;      // after the last byte
};

/// Limits of the Pelican client that tries the next cache: Client.MinimumDownloadSpeed for
/// SlowTransferRampupTime and SlowTransferWindow, and Client.StoppedTransferTimeout. Limits of
/// curl: LowSpeedLimit for LowSpeedTime, and "lack of progress" (multifile_curl_plugin.cpp,
/// xferInfo). HTCondor's own has no such rule.
Patience patience(scenario::TransferStrategy const& strategy);

/// The client's rule for slow transfers: from a given time on, a stretch of time brings fewer
/// bytes than its limit. Pelican checks twice a second whether a moving average (of 10 s) has
/// been below the limit for SlowTransferWindow; here the stretches are checked one after the
/// other.
class RateWatch {
 public:
  /// For a try whose bytes begin to come at `start`.
  RateWatch(Patience const& client, Seconds start)
      : stretch_(std::min(longest_stretch, client.with_slow)),
        least_(client.slow * stretch_),
        next_(start + (client.with_slow - stretch_)) {}

  Seconds next_look() const { return next_; }
  /// `sent`: all bytes of the try up to now. Always false before the next look.
  bool gives_up(Seconds now, Bytes sent) {
    if (now < next_) return false;
    bool const too_slow = looked_ && sent - before_ < least_;
    looked_ = true;
    before_ = sent;
    next_ = now + stretch_;
    return too_slow;
  }

 private:
  static constexpr Seconds longest_stretch{30};  // SlowTransferWindow, and curl's LowSpeedTime

  Seconds stretch_;
  Bytes least_;  // of a stretch
  Seconds next_;
  Bytes before_;  // the bytes at the last look
  bool looked_ = false;
};

/// How long curl waits for a byte before it aborts for "lack of progress": LowSpeedTime of
/// HTCondor's multifile_curl_plugin.cpp.
inline constexpr Seconds curl_patience(30);

/// True if an outage lies on the way that input takes: from the origin by HTTP no cache does, and
/// from the access point neither a cache nor the origin.
bool meets(scenario::Protocol protocol, scenario::OutageScope scope);

/// How many of the caches offered by the director one attempt tries. No offered cache means that
/// their names are unknown: the director then has enough of them.
std::size_t caches_to_ask(scenario::TransferStrategy const& strategy, std::size_t offered);

/// Held by the submit-time check (MAX_TRANSFER_INPUT_MB counts only what the access point sends).
bool too_large_to_submit(scenario::TransferStrategy const& strategy, Bytes input, Bytes limit);

/// True if another attempt can help: a stall or a plugin error may pass, a 404 or curl's "lack of
/// progress" ends in exit code 1, which HTCondor takes as final.
bool retryable(history::Reason reason);

struct FailedTransferView {
  history::Reason reason = history::Reason::transfer_stalled;
  int cool_downs = 0;      // NumJobCoolDowns, over the job's life
  bool holds_job = false;  // this failure would have held the job in the calibrated campaign
  int subcode = 0;         // of the plugin's exit; 0: not reported
};

struct AfterFailure {
  enum class Action { requeue, cool_down, hold } action = Action::requeue;
  Seconds cool_down;
};

/// Drawn for a plugin that gave up; 0 if the draw has none, and for other failures.
int failure_subcode(scenario::ParameterDraw const& draw, history::Reason reason,
                    RandomStream& stream);

/// `job_stream` is drawn from once: the cool-down's length is drawn once a job (at submit).
AfterFailure after_transfer_failure(scenario::RetryStrategy const& strategy,
                                    FailedTransferView const& view, RandomStream job_stream);

/// Held to released by policy: none if the policy leaves it to people. Periodic expressions look
/// every `policy_interval`, so the time is rounded up to the next look.
std::optional<Seconds> policy_release_after(scenario::ReleaseStrategy const& strategy,
                                            history::Reason reason, int policy_releases,
                                            Seconds policy_interval);

/// How an input transfer failed: without bytes for as long as somebody waited, or otherwise.
enum class InputFailure { stalled, other };

/// Input transfers of a job that failed at a site since the job last avoided it.
struct FailedThere {
  int stalls = 0, all = 0;
};

/// True if the job's requirements exclude that site from now on.
bool avoids_site(scenario::MatchStrategy const& strategy, FailedThere const& failed);

enum class OwnerAction { none, release, remove };

/// The owner's action on a held job (condor_release, condor_rm), and how long after the hold: the
/// calibrated process of release and removal by hand.
/// released with a probability that depends on the reason, at each hold, after a delay; of the
/// others a share is removed, which depends on it too, and the rest stays held. Once the job has
/// been held often enough it is removed.
/// If too many jobs are on hold after a 404 (most_left_held), the job is released.
/// Left out: office hours, people who release many jobs at once.
struct OwnerDecision {
  OwnerAction action = OwnerAction::none;
  Seconds after;
};

/// The owner's view of a job that has just been held.
struct HeldJobView {
  history::Reason reason = history::Reason::none;
  int holds = 1;               // of the job so far, this one included
  double not_found_share = 0;  // of the campaign's jobs, on hold after a 404, this one included
};

OwnerDecision owner_decision(scenario::ParameterDraw const& draw, HeldJobView const& held,
                             RandomStream stream);

struct ExitView {
  int exit_code = 0;
  int completions = 1;          // NumJobCompletions, this exit included
  classad::Context const& job;  // its ad, with ExitCode set
};

enum class AfterExit {
  leave,    // the job leaves the queue
  requeue,  // "terminated and was requeued": idle again
  hold,     // on_exit_hold, code 3
};

AfterExit after_exit(scenario::JobPolicy const& policy, ExitView const& view);

enum class PolicyAction { hold, release, remove, vacate };

/// How a job stands with its policy.
struct PolicyView {
  history::JobStatus status = history::JobStatus::idle;
  bool by_user = false;              // held by condor_hold: never released by policy
  std::optional<Seconds> started;    // of this attempt's shadow
  std::optional<Seconds> executing;  // of this attempt's program, or since its last checkpoint
};

struct PolicyDecision {
  Seconds at;
  PolicyAction action = PolicyAction::hold;
  history::Reason reason = history::Reason::policy;
};

struct Looks {
  Seconds now;
  Seconds interval;
  Seconds horizon;  // nothing after it is of interest
};

/// True if there is any periodic policy at all.
bool has_periodic(scenario::JobPolicy const& policy);

/// True if `rule` holds for the job's ad at a time.
using RuleHolds = std::function<bool(classad::Expression const& rule, Seconds at)>;

std::optional<PolicyDecision> next_decision(scenario::JobPolicy const& policy,
                                            PolicyView const& view, Looks const& looks,
                                            RuleHolds const& holds);

}  // namespace gridcast::strategy
