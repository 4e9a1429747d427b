// The use of every second. One pass over a JobHistory, each second of a slot in exactly one line.
//
// A job's life is a walk through states; its events are the steps:
//   idle -> transfer (input) -> execute -> teardown (output) -> done, or back to idle, or held.
// Two views of it. The lines show the use of slot time: the line of a second depends on how its
// attempt and its job ended; each job is settled when its last event is known. The classes show the
// activity of each job, waiting included. Metric names and meanings: metrics.hpp. Units: seconds,
// counts. "Goodput" and "badput" as HTCondor uses them.
//
// Traffic is the bytes moved for the jobs, if the record contains them. By site: "Run Bytes
// Received/Sent By Job" of the log's 004 and 005, if there is a log; else the sizes of the URLs
// that the ads list as transferred. By cache: the bytes of each try at it, as the client reports
// them (DeveloperData in the ads); a try that was given up counts with the bytes it had by then.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/attempt_stream.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::ledger {

/// Activity of a job: each second from its first event to its last is in exactly one class. The
/// phases of attempt_stream.hpp; stalled and other transfers are in the same class here.
///   idle             in the queue, no slot
///   matched          claimed, neither transferring nor executing: the claim's activation, the wait
///                    for a transfer slot, the start of the program
///   transfer_input   from 040 "Started transferring input files"
///   execute          from 001
///   checkpoint       the program stopped for a checkpoint (exit 85, or 003) that became safe
///   transfer_output  from 040 "output files", until the slot is left
///   suspended        010 to 011
///   disconnected     022 to 023 or 024: the slot's activity is not known at the time
///   held             012 to 013
///   cool_down        in the queue after a vacate for a failed transfer that led to no hold
///                    (HTCondor 25.6, SYSTEM_ON_VACATE_COOL_DOWN). The log does not separate the
///                    cool-down from the wait for a match after it; both are here
enum class TimeClass : std::uint8_t {
  idle,
  matched,
  transfer_input,
  execute,
  checkpoint,
  transfer_output,
  suspended,
  disconnected,
  held,
  cool_down,
};

inline constexpr std::size_t time_class_count = 10;

/// "transfer_input"; in JSON with "_s" behind it.
std::string_view name(TimeClass time_class);
/// The same for a reader: "transferring input".
std::string_view words(TimeClass time_class);

/// True if a slot is claimed for the job meanwhile.
constexpr bool has_slot(TimeClass time_class) {
  using enum TimeClass;
  return !history::is_one_of(time_class, {idle, held, cool_down});
}

/// The class that the time of a phase is in.
constexpr TimeClass time_class_of(history::Phase phase) {
  using enum TimeClass;
  // In the order of Phase: a stalled transfer is a transfer.
  constexpr std::array<TimeClass, history::phase_count> classes = {
      idle,      matched,      transfer_input, transfer_input, execute, checkpoint, transfer_output,
      suspended, disconnected, held,           cool_down};
  return classes[static_cast<std::size_t>(phase)];
}

/// Seconds in each class.
class TimeClasses {
 public:
  Seconds& operator[](TimeClass c) { return time_[static_cast<std::size_t>(c)]; }
  Seconds operator[](TimeClass c) const { return time_[static_cast<std::size_t>(c)]; }

  Seconds total() const;
  /// Total of the classes in which a slot is claimed: RemoteWallClockTime.
  Seconds slot_time() const;
  TimeClasses& operator+=(TimeClasses const& other);

 private:
  std::array<Seconds, time_class_count> time_{};
};

/// All classes in their order.
std::array<TimeClass, time_class_count> all_time_classes();

/// How a job stands at the end of the record.
enum class Standing : std::uint8_t { unfinished, succeeded, wrong_output, held, removed };

/// A time that may not be known, without the eight bytes that std::optional adds.
class KnownTime {
 public:
  KnownTime() = default;
  KnownTime(Seconds time) : time_(time) {}

  explicit operator bool() const { return !std::isnan(time_.value()); }
  Seconds operator*() const { return time_; }
  Seconds const* operator->() const { return &time_; }
  Seconds value_or(Seconds other) const { return *this ? time_ : other; }
  operator std::optional<Seconds>() const { return *this ? std::optional(time_) : std::nullopt; }
  bool operator==(KnownTime const&) const = default;

 private:
  static constexpr Seconds unknown = Seconds(std::numeric_limits<double>::quiet_NaN());
  Seconds time_ = unknown;
};

/// How a job came out, in as few bytes as the figures of a campaign need of it: medians and shares
/// are exact, of a million jobs too.
struct JobOutcome {
  KnownTime match_to_done;    // successful jobs: first match to completion
  KnownTime ended_at;         // last event, since the record's first (dated histories)
  KnownTime final_execution;  // with the part saved by checkpoints before
  Id<history::Site> last_site;
  std::uint32_t stalls : 24 = 0;
  Standing standing : 8 = Standing::unfinished;

  bool succeeded() const { return standing == Standing::succeeded; }
};
static_assert(sizeof(JobOutcome) == 32);

std::string_view name(Standing standing);

/// One kind of ending of attempts, or of hold, and reason: how often, of how many jobs, and its
/// cost: the lost slot time of its attempts, which is all since the claim began or since the last
/// checkpoint; and of a hold, how long jobs stayed held. (Idle time until the next match is not
/// charged: it depends on the other users of the slots.)
struct EndingAccount {
  history::Ending ending;
  std::size_t times = 0, jobs = 0;
  Seconds slot_time_lost, held;
};

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
  Seconds compute_evicted;                   // execution lost to evictions or holds
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
  std::size_t ends_unrecorded = 0;      // evicted, stalled or other: not in the source
  std::size_t attempts_unrecorded = 0;  // counted by the source, and not in it; of no site

  Seconds badput() const;
  Seconds wallclock() const;        // goodput + transfer_success + badput
  double goodput_fraction() const;  // compute_success / wallclock; 0 if nothing was provided
  bool is_empty() const;            // no job, no time, no event
  LedgerLines& operator+=(LedgerLines const& other);
};

/// The full account of one job. `ended_at` is campaign time.
struct JobAccount : JobOutcome {
  std::size_t attempts = 0, executions = 0, holds = 0;
  TimeClasses classes;  // first event to last, where the source has dates
  Seconds retried;      // input-transfer seconds before the last transfer
  KnownTime last_transfer;
};

struct Ledger {
  LedgerLines total;
  std::map<std::string, LedgerLines> sites;  // by name; jobs that never met a site count under ""
  std::map<std::string, TimeClasses> site_classes;  // the same; "" has idle, held and cool-down
  TimeClasses classes;                              // of all jobs; they and the sites' need dates
  std::vector<EndingAccount> endings;               // dearest first
  std::vector<JobOutcome> outcomes;                 // indexed by Id<Job>
  std::vector<JobAccount> jobs;                     // indexed by Id<Job>; empty unless requested
  history::BatchSystem batch_system = history::BatchSystem::htcondor;
  std::vector<history::JobName> job_names;  // of `jobs`
  std::vector<std::string> own_names;       // as JobHistory::own_names
  int gpus_per_job = 1;
  bool gpus_assumed = false;                     // a dated record that names no GPU
  Seconds gpu_time;                              // slot time times GPUs of the slot
  std::map<std::string, Seconds> site_gpu_time;  // the same, by name of the site
  std::vector<std::string> site_names;           // indexed by Id<Site>
  std::optional<Seconds> match_to_done_mean, match_to_done_median;  // none without a success
  std::optional<Seconds> makespan;                // none where the source has no dates
  std::optional<std::size_t> client_stalls = {};  // tries at caches given up; none without ads
  bool retries_opaque = false;
  bool dated = false;
};

/// The same with each job's account.
Ledger account(history::JobHistory const& history);

/// Final executions, in seconds, of the successful jobs, by the name of their last site.
std::map<std::string, std::vector<double>> successful_executions(Ledger const& ledger);

struct CacheTraffic {
  Bytes received;
  std::size_t tries = 0, arrived = 0, given_up = 0, failed = 0;
};

struct Traffic {
  history::BytesBySite sites;
  std::map<std::string, CacheTraffic> caches;
  bool is_empty() const { return sites.empty() && caches.empty(); }
};

/// `logged`: from the log's runs; empty without a log, or if it has none.
Traffic count_traffic(history::JobHistory const& history, history::BytesBySite logged);

// A ledger by something else than sites: each second, and each job with its outcome, counts for one
// group, so that the groups add up to the whole.
//   site, host       where the second was spent; a job and its outcome at its last one
//   user, program    whose job it is; its executable, else its DAG node without its number
//   exit             how the job ended: "exit 1", "signal 9", "held: out of resources"

enum class Grouping { site, host, user, exit, program };

/// "user", "site", ...; none for another word.
std::optional<Grouping> grouping_named(std::string_view name);
/// In the order of the help.
std::vector<std::string> grouping_names();

/// With the groups in place of sites. A job that was at no site or host is in the group "". Hosts,
/// users and programs that the record does not name are in one group, "".
Ledger account_by(history::JobHistory const& history, Grouping by);

}  // namespace gridcast::ledger
