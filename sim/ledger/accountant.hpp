// Walks events into a Ledger, one at a time, so that a history need not be kept to be accounted
// for.
//
// Each job is in one phase at a time and has one transfer and one execution that are not settled
// yet. An event moves the time since the job's last event into the line of its phase:
//   idle       no slot: nowhere
//   overhead   claimed but neither of the next two: `overhead`, at once
//   transfer   the job's transfer; earlier ones are retried time, late or never to be of use
//   execution  the job's execution; an earlier one was lost: `compute_evicted`
// How the job ended says which lines its last transfer and last execution belong to.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/history/job_history.hpp"
#include "sim/ledger/ledger.hpp"

namespace gridcast {

class Accountant {
 public:
  /// Events of a job in order; jobs in any order.
  void add(JobEvent const& event);

  /// The account of what was added. `source` gives names, dates and opacity; its events are not
  /// read.
  Ledger finish(JobHistory const& source);

 private:
  enum class Phase : std::uint8_t { idle, overhead, transfer, execution };
  enum class Standing : std::uint8_t { unfinished, succeeded, wrong_output, held, removed };

  struct Life {
    Seconds since;  // last event
    Seconds transfer, execution, retried, first_match;
    Id<Site> site, transfer_site, execution_site;
    std::uint32_t newest_retry = no_retry;
    std::uint32_t stalls = 0;
    Phase phase = Phase::idle;
    Standing standing = Standing::unfinished;
    bool seen = false, matched = false, has_transfer = false, has_execution = false;
    bool hold_ended_execution = false;
  };

  // A transfer that was followed by another one: a linked list a job, all in one vector.
  struct Retry {
    Id<Site> site;
    Seconds time;
    std::uint32_t older = no_retry;
  };
  static constexpr std::uint32_t no_retry = static_cast<std::uint32_t>(-1);

  Life& life_of(Id<Job> job);
  LedgerLines& lines_at(Id<Site> site);
  void spend(Life& life, Seconds until);
  void count(Life& life, JobEvent const& event);
  static Standing standing_after(JobEvent const& event, Standing before);
  void begin_claim(Life& life, JobEvent const& event);
  void begin_transfer(Life& life);
  void begin_execution(Life& life);
  void end_claim(Life& life, JobEvent const& event);
  void lose_execution(Life& life);
  void settle(Life& life);
  void settle_execution(Life& life);
  JobAccount account_of(Life const& life, bool dated) const;

  std::vector<Life> lives_;         // indexed by Id<Job>
  std::vector<LedgerLines> lines_;  // the first for no site, then indexed by Id<Site> + 1
  std::vector<Retry> retries_;
  Seconds first_ = Seconds(std::numeric_limits<double>::infinity());
  Seconds last_ = Seconds(-std::numeric_limits<double>::infinity());
};

}  // namespace gridcast
