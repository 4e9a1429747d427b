// Where every second went. One pass over a JobHistory, each second of a slot in exactly one line.
//
// A job's life is a walk through states; its events are the steps:
//   idle -> transfer (input) -> execute -> teardown (output) -> done, or back to idle, or held.
// Two views of it. The lines say what slot time was good for: which line a second falls in depends
// on how its attempt and its job ended, so each job is settled when its last event is known. The
// classes (time_classes.hpp) say what each job was doing, waiting included. Metric names and
// meanings: metrics.hpp. "Goodput" and "badput" as HTCondor uses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"
#include "sim/ledger/endings.hpp"
#include "sim/ledger/job_outcome.hpp"
#include "sim/ledger/time_classes.hpp"

namespace gridcast::ledger {

std::string_view name(Standing standing);

/// Sums over some jobs (all, or those of one site: a job's slot time counts at the site where it
/// was spent, its outcome at its last site).
struct LedgerLines {
  std::size_t jobs = 0, succeeded = 0, wrong_output = 0, held = 0, removed = 0, unfinished = 0;
  Seconds compute_success;                // final execution of successful jobs
  Seconds transfer_success;               // the input transfer that succeeded, of successful jobs
  Seconds transfer_retried;               // input transfers of successful jobs before that one
  Seconds transfer_retried_unsuccessful;  // the same, of all other jobs
  Seconds transfer_retried_evicted_compute;  // how much of the two lines above is known to be
                                             // evicted computing (only where retries are opaque);
                                             // within them, not added
  Seconds compute_evicted;                   // execution lost to evictions
  Seconds compute_held, transfer_held;       // last execution, last transfer, jobs that end held
  Seconds compute_wrong_output, transfer_wrong_output;  // the same, jobs with a wrong output
  Seconds compute_unfinished, transfer_unfinished;      // the same, removed and unfinished jobs
  Seconds compute_retried;  // executions that came to their end without a result that counts, of
                            // jobs that went on: requeued for their exit, held for their output
  Seconds checkpoint;       // saving checkpoints
  Seconds suspended;
  Seconds contact_lost;  // from the loss of contact until the attempt was given up
  Seconds overhead;      // claimed, but none of the above
  std::size_t stalls = 0, evictions = 0, holds = 0, releases = 0;
  std::size_t attempts = 0, executions = 0;  // claims (NumShadowStarts), starts (NumJobStarts)
  std::size_t requeues = 0, checkpoints = 0, disconnects = 0;

  Seconds badput() const;
  Seconds wallclock() const;        // goodput + transfer_success + badput
  double goodput_fraction() const;  // compute_success / wallclock; 0 if nothing was provided
  bool is_empty() const;            // no job, no time, no event
  LedgerLines& operator+=(LedgerLines const& other);
};

/// What the ledger says of one job, in full.
struct JobAccount {
  Standing standing = Standing::unfinished;
  bool succeeded = false;
  std::size_t stalls = 0, attempts = 0, executions = 0, holds = 0;
  TimeClasses classes;                     // first event to last, where the source has dates
  Seconds retried;                         // input-transfer seconds before the last transfer
  std::optional<Seconds> match_to_done;    // successful jobs: first match to completion
  std::optional<Seconds> ended_at;         // last event, campaign time (dated histories)
  std::optional<Seconds> final_execution;  // with what its checkpoints had saved before
  std::optional<Seconds> last_transfer;
  Id<history::Site> last_site;
};

struct Ledger {
  LedgerLines total;
  std::map<std::string, LedgerLines> sites;  // by name; jobs that never met a site count under ""
  std::map<std::string, TimeClasses> site_classes;  // the same; "" has idle, held and cool-down
  TimeClasses classes;                              // of all jobs; they and the sites' need dates
  std::vector<EndingAccount> endings;               // dearest first
  std::vector<JobOutcome> outcomes;                 // indexed by Id<Job>
  std::vector<JobAccount> jobs;             // indexed by Id<Job>; empty if nobody asked for them
  std::vector<history::JobName> job_names;  // of `jobs`
  int gpus_per_job = 1;
  std::vector<std::string> site_names;                              // indexed by Id<Site>
  std::optional<Seconds> match_to_done_mean, match_to_done_median;  // none without a success
  std::optional<Seconds> makespan;  // none where the source has no dates
  bool retries_opaque = false;
  bool dated = false;
};

/// With each job's account.
Ledger account(history::JobHistory const& history);

/// Final executions, in seconds, of the successful jobs, by the name of their last site.
std::map<std::string, std::vector<double>> successful_executions(Ledger const& ledger);

}  // namespace gridcast::ledger
