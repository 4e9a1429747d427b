// Requested and used resources of jobs, and the request that would have sufficed. Per program and
// resource:
//
// Need of a job: the highest use in any of its executions; of CPUs and GPUs the mean over the
// execution, of time the execution that gave the result. A job that a limit stopped needs more than
// was seen, unless it succeeded with a higher use. Where no use was seen, it needs more than its
// request, or than its slot had. Jobs without an execution, and jobs that hung, have no need.
//
// Steps of requests are 4, 5, 6 and 7 quarters of a power of two (1, 1.25, 1.5, 1.75, 2, 2.5 GB
// and so on; 1 GB is 1024 MB, as in HTCondor; hours likewise), of CPUs and GPUs whole numbers. The
// recommended request is the least step that is 10 % above the highest need, so that it would have
// held no job. HTCondor holds no job for CPUs or GPUs: 95 % of the jobs use at most 10 %, and at
// most half a one, more than that number. If a rule of the pool held a job for its CPUs, the number
// is the highest need.
//
// With retry_request_memory R, a lower first request r can cost less: a job that needs more is held
// and runs again. The cost is the sum over jobs of r t, and of (r + R) t for those that are held, t
// being the job's execution (Tovar et al., IEEE TPDS 29, 2018). It is proposed if it saves a fifth.
//
// Hosts: those whose machines are known to have offered as much, as a job was allocated so much
// there. How much more they have, no record of jobs shows. A pool's description shows it.
//
// A job hung if it used less than 1 % of a CPU for ten minutes or longer, until a limit or a
// periodic expression ended it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::ledger {

/// A request that could have been made.
struct PossibleRequest {
  double amount = 0;
  std::size_t held = 0;   // jobs that need more
  std::size_t hosts = 0;  // known to have offered as much
  std::size_t slots = 0;  // of the pool that offer as much
};

/// Slots of a pool that are alike, and the bytes that each offers; zero: not stated.
struct OfferedSlots {
  std::size_t count = 0;
  double memory = 0, disk = 0;
};

struct ResourceRequests {
  history::Resource resource = history::Resource::memory;
  std::size_t jobs = 0;                  // whose need is known
  std::size_t exceeded = 0;              // of them, those that a limit stopped
  double median = 0, p95 = 0, most = 0;  // of their needs
  std::optional<double> least_requested = {}, most_requested = {};
  PossibleRequest recommended = {};
  std::vector<PossibleRequest> possible = {};  // ascending
  std::size_t slots = 0;                       // of the pool whose amount is stated
  /// The first request beside which retry_request_memory = recommended costs less, and the share of
  /// memory x time that it saves.
  std::optional<PossibleRequest> first_try = {};
  double saved = 0;
};

/// A job that used no CPU until a limit ended it.
struct HungJob {
  std::string job;
  Seconds execution, cpu_time;
  history::Ending ending = {};
};

struct ProgramRequests {
  std::string program;  // empty where the record does not name it
  std::size_t jobs = 0, executed = 0;
  std::vector<ResourceRequests> resources = {};  // those that are known
};

struct Requests {
  std::vector<ProgramRequests> programs = {};  // of most jobs first
  std::vector<HungJob> hung = {};              // longest first
  std::size_t jobs = 0;
  std::size_t hosts = 0;  // that the record names
};

/// `uses`: of jobs of the history; those of others are left out. `offered`: by a pool, if one is
/// known.
Requests find_requests(history::JobHistory const& history,
                       std::vector<history::ResourceUse> const& uses,
                       std::vector<OfferedSlots> const& offered = {});

/// Memory or disk that an executed job of a record needed, in bytes.
struct JobNeed {
  std::string program = {};  // empty where the record does not name it
  double amount = 0;
  bool exceeded = false;  // a limit stopped it: it needs more
  /// The larger one of its request and its slot's amount; zero if neither is known.
  double limit = 0;
  bool raised = false;  // a limit stopped it, and it succeeded later with more
};

/// Of the jobs whose need is known, in order of the record.
std::vector<JobNeed> needs_of_jobs(history::JobHistory const& history,
                                   std::vector<history::ResourceUse> const& uses,
                                   history::Resource resource);

/// The least step that is not below the amount; in the resource's unit.
double request_step(history::Resource resource, double amount);

}  // namespace gridcast::ledger
