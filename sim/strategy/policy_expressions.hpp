// What the policy expressions of a job do to it, at its exit and from time to time.
//
// When its program has ended: HTCondor's chain of on_exit_hold, on_exit_remove and max_retries
// (user_job_policy.cpp, and what condor_submit makes of max_retries: OnExitRemove =
// NumJobCompletions > JobMaxRetries || ExitCode == success_exit_code || retry_until ||
// on_exit_remove).
//
// From time to time: when the periodic policy will next do something, if nothing else happens to
// the job first. HTCondor evaluates the periodic expressions of a job every PERIODIC_EXPR_INTERVAL, in
// this order: allowed durations, hold (unless held), release (if held), remove, vacate (if running)
// (user_job_policy.cpp, AnalyzePolicy). Between two events of a job only the clock changes in its
// ad, so instead of looking each time, the first look at which an expression holds is searched: at
// the next look, then 1, 4, 16, 64, ... looks on, then by bisection. An expression that becomes
// true and false again between two of these probes is taken for false. One without the time in it
// is looked at once.
#pragma once

#include <functional>
#include <optional>

#include "sim/base/units.hpp"
#include "sim/classad/expression.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/job_policy.hpp"

namespace gridcast::strategy {

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

/// Whether there is any periodic policy at all.
bool has_periodic(scenario::JobPolicy const& policy);

/// Whether `rule` holds for the job's ad at a time.
using RuleHolds = std::function<bool(classad::Expression const& rule, Seconds at)>;

std::optional<PolicyDecision> next_decision(scenario::JobPolicy const& policy,
                                            PolicyView const& view, Looks const& looks,
                                            RuleHolds const& holds);

}  // namespace gridcast::strategy
