// What becomes of a job when its program has ended: HTCondor's chain of on_exit_hold,
// on_exit_remove and max_retries (user_job_policy.cpp, and what condor_submit makes of max_retries:
// OnExitRemove = NumJobCompletions > JobMaxRetries || ExitCode == success_exit_code ||
// retry_until || on_exit_remove).
#pragma once

#include "sim/classad/expression.hpp"
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

}  // namespace gridcast::strategy
