// A campaign as the ordered list of its jobs' events: the form of a real log after reading and of a
// simulated run. Later stages work on either without a difference.
//
// An event is one line of the campaign's life, in the words of HTCondor's job event log: the kinds
// are the log's event numbers (docs: job-event-log-codes). Two facts that the log expresses in
// words are kept as fields: why a transfer failed, and whether a result is of use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/lists.hpp"
#include "sim/base/units.hpp"

namespace gridcast::history {

struct Job;   // tag of Id<Job>: index into JobHistory::jobs
struct Site;  // tag of Id<Site>: index into JobHistory::sites

enum class EventKind : std::uint8_t {
  submitted,  // 000
  matched,    // a claim is activated for the job; the log shows it as 040 "Entered queue"
  transfer_input_started,    // 040
  transfer_input_finished,   // 040
  executing,                 // 001
  transfer_output_started,   // 040
  transfer_output_finished,  // 040
  terminated,                // 005
  evicted,                   // 004
  shadow_exception,          // 007: the attempt failed and the job is requeued (idle)
  held,                      // 012
  released,                  // 013
  aborted,                   // 009: removed by its owner
  requeued,                  // 004 "terminated and was requeued": the exit was not the wanted one
  checkpointed,              // a checkpoint is safe and the job goes on (040 output, or 003)
  suspended,                 // 010
  unsuspended,               // 011
  disconnected,              // 022
  reconnected,               // 023
  reconnect_failed,          // 024, with the 004 that follows: the attempt is lost
  transfer_input_queued,     // 040 when claimed already: waits for a transfer slot
  transfer_output_queued,    // 040
};

/// The job's state in the queue, as the attribute JobStatus of its ad has it (HTCondor manual, "Job
/// ClassAd Attributes").
enum class JobStatus {
  idle = 1,
  running,
  removed,
  completed,
  held,
  transferring_output,
  suspended
};

/// Why an attempt ended, or a job was held or released.
enum class Reason : std::uint8_t {
  none,
  transfer_stalled,    // ended by the stall timer: no progress seen for as long as it waits
  transfer_failed,     // the transfer plugin gave up (retryable)
  not_found,           // 404: no such object, not retryable
  no_progress,         // the curl plugin's "Aborted due to lack of progress"
  input_too_large,     // MAX_TRANSFER_INPUT_MB, hold code 32
  execution_too_long,  // allowed_execute_duration, hold code 47
  pilot_ended,         // the glidein was killed or reached its end
  site_network_down,   // the job finished at once without a result
  corrupt_input,       // the archive did not unpack
  manual,              // a person did it
  policy,              // a periodic expression did it
  transfer_timeout,    // the plugin outlived MAX_FILE_TRANSFER_PLUGIN_LIFETIME (13/62)
  output_missing,      // a file to bring back is not there (12/2): the program died before
  output_failed,       // output transfer failed otherwise (12)
  checkpoint_failed,   // 36
  exit_code,           // the program's exit was not the wanted one
  killed_by_signal,    // ... or it died of a signal
  vacated,             // condor_vacate_job, a site's command, preemption, draining
  lost_contact,        // disconnected for longer than the lease
  out_of_resources,    // 34: memory or disk beyond the request
  job_too_long,        // allowed_job_duration, hold code 46
  system,              // another code of HTCondor's own: see the code
  unknown,             // the source gives no reason
  not_begun,           // the source counts it as never executed, and does not record its end
  end_not_recorded,    // it executed, and the source does not record its end
  node_failed,         // DAGMan did it: another job of its node failed
};

/// Some values of an enumeration of at most 64, listed when the program is compiled: one bit each.
template <class Value>
class SomeOf {
 public:
  consteval SomeOf(std::initializer_list<Value> some) {
    for (Value const each : some) bits_ |= bit(each);
  }
  constexpr bool contain(Value value) const { return (bits_ & bit(value)) != 0; }

 private:
  static constexpr std::uint64_t bit(Value value) {
    return std::uint64_t{1} << static_cast<unsigned>(value);
  }
  std::uint64_t bits_ = 0;
};

template <class Value>
constexpr bool is_one_of(Value value, SomeOf<std::type_identity_t<Value>> some) {
  return some.contain(value);
}

inline constexpr std::size_t reason_count = 27;

/// "transfer_stalled": its name in CSV and JSON.
std::string_view name(Reason reason);

/// The subject of a hold, as far as release rules distinguish holds.
enum class HeldFor : std::uint8_t {
  failed_transfer,  // stalled, or the plugin gave up: another try may do
  time_limit,       // allowed_execute_duration, allowed_job_duration
  resources,        // memory or disk beyond the request
  other,            // a 404, files that are not there, a person, ...
};
HeldFor held_for(Reason reason);

/// True if the job leaves its slot with it. An attempt of a history is
///   matched [transfer_input_queued] transfer_input_started transfer_input_finished executing
///   {transfer_output_started checkpointed} [transfer_output_started transfer_output_finished]
/// with suspensions and disconnections in between, and ends with exactly one event of these kinds,
/// wherever it stands then: one loss is one event.
constexpr bool ends_attempt(EventKind kind) {
  using enum EventKind;
  return is_one_of(
      kind, {terminated, evicted, shadow_exception, held, aborted, requeued, reconnect_failed});
}

/// True if the job leaves the queue with it.
constexpr bool ends_job(EventKind kind) {
  return is_one_of(kind, {EventKind::terminated, EventKind::aborted});
}

constexpr bool is_output_step(EventKind kind) {
  using enum EventKind;
  return is_one_of(kind,
                   {transfer_output_queued, transfer_output_started, transfer_output_finished});
}

/// True if the source records how the attempt ended, with or without a reason. A job's own ad only
/// counts the attempts before its last one.
constexpr bool end_is_recorded(Reason reason) {
  return reason != Reason::not_begun && reason != Reason::end_not_recorded;
}

/// HTCondor's hold code and subcode for a reason (job-event-log-codes, HoldReasonCode); 0 if none.
struct HoldCode {
  int code = 0;
  int subcode = 0;

  bool operator==(HoldCode const&) const = default;
};
HoldCode hold_code(Reason reason);

/// Subcodes of a failed transfer plugin are its exit code, 256 times: 1 means that its error stays,
/// 11 that it may pass (HTCONDOR-2373; before HTCondor 23.6.2 both were 256).
inline constexpr int permanent_failure = 256, passing_failure = 2816;

struct JobEvent {
  Seconds at{};  // since the campaign's first submission
  Id<Job> job{};
  EventKind kind = EventKind::submitted;
  Reason reason = Reason::none;
  Id<Site> site{};         // where the job is or was; none while idle
  std::uint32_t slot = 0;  // JobHistory::slots, or if that is empty, slot number at the site
  bool useful = true;      // of `terminated`: the result is the wanted one
  Seconds executed{};  // of an event that ends an attempt: TimeExecute, where the source gives it
                       // apart from an `executing` event (job tables); else zero
  std::uint16_t gpus = 0;      // of matched and executing, or of the end of an attempt if
                               // neither has them: 1 + index into JobHistory::gpus; 0: unknown (of
                               // records read together, a job's first event in a slot may have
                               // GpuShare::usual)
  std::int16_t code = 0;       // hold or vacate code as logged; 0 if none
  std::int16_t exit_code = 0;  // of terminated and requeued; minus the signal's number if killed
  std::int32_t subcode = 0;
  std::uint16_t epochs = 0;  // of executing: pieces of work done until the attempt ended, where the
                             // source counts them (tables of attempts); 0: unknown
  std::uint16_t pilot = 0;   // of matched: how many pilots held the slot before, where the source
                             // counts them (simulations)
};

/// True if the attempt was ended by the timer on its input transfer: logged as 004 with the
/// starter's words in 021 (HTCondor 23.8 and later, vacate code 1007), or as 007. The job is idle
/// again.
bool ended_by_stall_timer(JobEvent const& event);

/// The properties that distinguish endings of attempts, and holds.
struct Ending {
  EventKind kind = EventKind::evicted;
  Reason reason = Reason::none;
  int code = 0, subcode = 0;  // hold or vacate code; 0 where the log gives none
  int exit_code = 0;          // of requeued and terminated; minus the signal's number
  bool others = false;        // of a table: all endings beyond its first kinds together
  bool operator==(Ending const&) const = default;
};

/// The ending that an event is, as far as endings differ in it.
Ending ending_of(JobEvent const& event);

struct JobName {
  std::uint32_t cluster = 0;
  std::uint32_t proc = 0;
  auto operator<=>(JobName const&) const = default;
};

/// The names that a job's authors gave it: they distinguish programs. Empty where the source is
/// silent.
struct JobLabel {
  std::string node = {};   // DAG node name
  std::string batch = {};  // JobBatchName
  std::string executable = {}, arguments = {};
  auto operator<=>(JobLabel const&) const = default;
};

/// GPUs that a job had in one execution, all of one model.
struct GpuShare {
  std::string model = {};         // DeviceName, as "NVIDIA L40S"; empty where unknown
  std::optional<int> count = {};  // 0: recorded as none; nothing: unknown
  Bytes memory = {};              // of each
  double capability = 0;          // CUDA compute capability
  int usual = 0;  // where unknown, of most jobs of its record; 0: JobHistory::gpus_per_job

  bool is_none() const { return count == 0; }
  auto operator<=>(GpuShare const&) const = default;
};

/// How one try at one cache ended.
enum class TryEnd : std::uint8_t {
  arrived,
  stalled,  // the client gave it up: no byte for too long
  slow,     // ... or too few
  failed,   // refused, reset, not found, ...
};

/// One try of a client to get a URL from one cache (Pelican's DeveloperData in the ads).
struct CacheTry {
  std::uint32_t cache = 0;  // JobHistory::caches
  TryEnd end = TryEnd::arrived;
  Seconds duration;
  Bytes bytes;                             // that came
  std::optional<Seconds> first_byte = {};  // after the try began
};

/// One URL of one attempt; only the epoch history has it.
struct UrlTransfer {
  Id<Job> job;
  std::uint32_t attempt = 0;  // NumShadowStarts of the attempt, from 1
  std::uint32_t url = 0;      // JobHistory::urls
  bool upload = false;
  bool succeeded = false;
  Seconds start, end;  // whole seconds of the campaign's clock
  Seconds duration;    // ConnectionTimeSeconds, finer; zero where unknown
  Bytes size;
  std::vector<CacheTry> tries = {};  // in order; empty where the ads have none
};

/// "794569.14".
std::string to_text(JobName name);

/// The slots that each job occupies at once: its processors, if a slot is one.
class OccupiedSlots {
 public:
  /// The next jobs in their order.
  void add(std::size_t jobs, int slots);
  int of(Id<Job> job) const {
    bool const alike = until_.size() == 1 && job.index() < until_.front().first;
    return alike ? until_.front().second : of_several(job);
  }

 private:
  int of_several(Id<Job> job) const;

  std::vector<std::pair<std::size_t, int>> until_;  // the job after the last one with so many
};

/// The system of the record, which determines words and advice.
enum class BatchSystem : std::uint8_t { htcondor, other };

struct JobHistory {
  std::vector<JobName> jobs;             // indexed by Id<Job>
  std::vector<std::string> sites;        // indexed by Id<Site>
  std::vector<std::string> slots;        // indexed by JobEvent::slot, where the source names slots:
                                         // "SLOT", "SLOT@HOST"; "@HOST" where it names hosts alone
  std::vector<std::string> urls;         // indexed by UrlTransfer::url
  std::vector<std::string> caches = {};  // indexed by CacheTry::cache
  std::vector<UrlTransfer> transfers;    // ordered by job, attempt, start; empty without ads
  std::optional<std::int64_t> start_unix;  // time zero of the clock, Unix seconds, where known
  std::int64_t local_ahead_s = 0;          // the record's own dates minus UTC, at its end
  std::vector<JobEvent>
      events;                   // ordered by time if dated; else each job's own events are in order
  bool dated = true;            // false: each job's clock starts at its own first match, and
                                // nothing is known of when that was (job tables)
  bool retries_opaque = false;  // true: between first match and the last transfer the source has
      // sums only (job tables), so waiting and evicted computing are in it

  BatchSystem batch_system = BatchSystem::htcondor;
  int gpus_per_job = 1;                 // RequestGPUs of all its jobs; 1 where unknown
  std::vector<std::string> users = {};  // by job; empty if all are one user's
  std::vector<JobLabel> labels = {};    // by job; empty if the source has none
  /// Nodes of a DAG whose POST script ended, by whether it ended well: that decides, and not the
  /// jobs, whether DAGMan takes the latest run of a node for done.
  std::map<std::string, bool> post_scripts = {};
  std::vector<std::uint32_t> unrecorded =
      {};  // by job: attempts that the source counts and does not contain; empty if it has all
  OccupiedSlots occupied = {};  // of a simulated job; one where the source has none
  std::vector<std::string> own_names =
      {};                           // by job, where a source of no HTCondor calls it otherwise
                                    // than cluster.proc, else empty; empty if it never does
  std::vector<GpuShare> gpus = {};  // indexed by JobEvent::gpus - 1
  std::optional<Seconds> seen_until = {};  // how far the record goes, where that is later than its
                                           // last event (a job that runs writes 006)
  std::vector<Seconds> ends = {};  // by job: how far the record goes that it is in, where campaigns
                                   // were recorded apart; empty: end() for all

  Id<Site> site_named(std::string const& name);  // interns
  /// At the end of a record: leaves out the sites without an event.
  void settle_sites();
  /// JobEvent::gpus of such GPUs; interns. 0 for none.
  std::uint16_t gpus_like(GpuShare const& share);
  /// Those of an event; null where unknown.
  GpuShare const* gpus_of(JobEvent const& event) const;
  /// Their number: by JobEvent::gpus; where unknown, as of most jobs.
  int gpus_in_slot(std::size_t gpus) const;
  /// At the end of a record: a slot without GPUs is evidence only where others have some. Pools
  /// that declare none can have them all the same.
  void settle_gpus();
  /// The time of the last event, or until when nothing more happened.
  Seconds end() const;
};

/// How far the record of each job goes.
class RecordEnds {
 public:
  explicit RecordEnds(JobHistory const& history) : all_(history.end()), ends_(history.ends) {}

  /// The end of all records.
  Seconds all() const { return all_; }
  Seconds of(Id<Job> job) const { return job.index() < ends_.size() ? ends_[job.index()] : all_; }

 private:
  Seconds all_;
  std::vector<Seconds> ends_;
};

/// The source's name of a job: its own name, else "794569.14". The names of a ledger's jobs too.
std::string name_of_job(std::vector<JobName> const& jobs, std::vector<std::string> const& own_names,
                        std::size_t job);
std::string name_of_job(JobHistory const& history, Id<Job> job);

/// The events of each job, in order: indices into history.events, one list a job.
std::vector<std::vector<std::uint32_t>> events_by_job(JobHistory const& history);
/// The same, the events themselves.
std::vector<std::vector<JobEvent>> events_of_jobs(JobHistory const& history);

/// "slot 3", or the name that the source gives; "unknown slot" where it gives none.
std::string slot_name(JobHistory const& history, std::uint32_t slot);

/// The machine: the text behind the last "@" of the slot's name, or all of it. Empty where the
/// source gives no name.
std::string host_name(JobHistory const& history, std::uint32_t slot);

/// How full a cache was, from this time until the same cache's next sample; only a simulation has
/// it.
struct CacheSample {
  Seconds at;
  std::uint32_t cache = 0;  // index into the pool's caches
  Bytes used;
};

/// A receiver of a campaign's events during the campaign, without storing them: the ledger, the
/// writers of files, or a history after all.
class HistorySink {
 public:
  virtual ~HistorySink() = default;

  /// Events come in the order of time.
  virtual void add(JobEvent const& event) = 0;
  virtual void add_transfer(UrlTransfer const& /*transfer*/) {}
  /// No event of this job will follow. A source without this knowledge does not call it.
  virtual void settled(Id<Job> /*job*/) {}
};

/// Keeps all of it.
class HistoryKeeper final : public HistorySink {
 public:
  explicit HistoryKeeper(JobHistory& history) : history_(history) {}

  void add(JobEvent const& event) override { history_.events.push_back(event); }
  void add_transfer(UrlTransfer const& transfer) override {
    history_.transfers.push_back(transfer);
  }

 private:
  JobHistory& history_;
};

// Bytes that records show as moved for jobs: into slots (received) and out of them (sent).
struct MovedBytes {
  Bytes received, sent;

  MovedBytes& operator+=(MovedBytes const& other) {
    received += other.received;
    sent += other.sent;
    return *this;
  }
};

/// By the name of the site; "" where it is unknown.
using BytesBySite = std::map<std::string, MovedBytes>;

// The machine of a slot: "node7" of "slot1_2@glidein_3001@node7.example".

/// The name or the address of a slot's machine, without its startd and its port; empty where the
/// record names none.
std::string machine_of(JobHistory const& history, std::uint32_t slot);

// Which programs the jobs of a record ran, by their labels: those of ads (Cmd, Args) and of
// tables.
struct RanProgram {
  std::string executable;
  std::optional<std::string> arguments = {};  // none: unknown
  auto operator<=>(RanProgram const&) const = default;
};

/// Those of most jobs first, of equally many that of the earlier job; a hundred at the most, as
/// each job of a sweep has arguments of its own. `arguments_known`: a job without arguments has
/// none, as by its ad; otherwise, as in a table, they are unknown.
std::vector<RanProgram> ran_programs(JobHistory const& history, bool arguments_known);

/// The job's executable, else its DAG node without the number at its end; empty where the record
/// names neither.
///   "/home/ann/train.sh"; "train" of the node "train_03"
std::string program_of(JobHistory const& history, std::size_t job);
/// "train" of the DAG node "train_03".
std::string program_of_node(std::string const& node);

// Resources of an execution: the amount used, the amount that its job had requested, and the amount
// allocated in the slot. Sources: the table "Partitionable Resources : Usage Request Allocated" of
// events 004 and 005, event 006, and attributes of ads (RequestMemory, MemoryUsage,
// ResidentSetSize, DiskUsage, ...).
// Units: memory and disk in bytes, time in seconds, CPUs and GPUs as numbers of them, which for
// use are means over the execution.
//
//   005 ... Memory (MB) : 503 3000 3072   ->  memory: used 527433728, requested 3145728000,
//                                             allocated 3221225472
enum class Resource : std::uint8_t { memory, disk, cpus, gpus, time };
inline constexpr std::size_t resource_count = 5;
inline constexpr std::array<Resource, resource_count> all_resources = {
    Resource::memory, Resource::disk, Resource::cpus, Resource::gpus, Resource::time};

/// "memory".
std::string_view name(Resource resource);

struct ResourceAmount {
  std::optional<double> used = {}, requested = {}, allocated = {};
  bool exceeded = false;  // a limit stopped the job: it needs more than `used`

  bool operator==(ResourceAmount const&) const = default;
};

/// The amounts of all resources, in the order of Resource.
class ResourceAmounts {
 public:
  ResourceAmount& operator[](Resource r) { return of_[static_cast<std::size_t>(r)]; }
  ResourceAmount const& operator[](Resource r) const { return of_[static_cast<std::size_t>(r)]; }

  /// Adds another source, or a later moment, of the same execution: use is the highest.
  void merge(ResourceAmounts const& later);
  bool operator==(ResourceAmounts const&) const = default;

 private:
  std::array<ResourceAmount, resource_count> of_{};
};

/// The use of one execution of a job.
struct ResourceUse {
  JobName job = {};
  Seconds at = {};  // its end, or the last event that shows it; of the campaign's clock
  ResourceAmounts amounts = {};
  std::optional<Seconds> cpu_time = {};  // of the execution: user and system
};

// The sites of a record that is being read, by name: of 100,000 sites each is found at once.
class SiteNames {
 public:
  /// Sites that the history has already count. No other code may add one meanwhile.
  explicit SiteNames(JobHistory& history) : names_(history.sites) {}

  Id<Site> operator()(std::string_view name) { return Id<Site>(names_(name)); }

 private:
  Names names_;
};

/// The jobs that are kept, renumbered; everything else by its job.
JobHistory only(JobHistory all, std::vector<bool> const& kept);

// Time limits that a record shows without naming them. Batch systems remove or hold jobs at their
// walltime, and tables contain the removal, the hold or a failure alone.
//
// A limit is seen where three executions at least, which did not begin together, ended so at
// nearly one length (within 0.5 %, or a minute), and none at their sites ran for longer. Evictions
// at one length are no limit of the job's: a pilot may have ended.
// For lengths without a limit this is improbable: the three longest of a hundred exponential ones
// lie within 0.5 % in about one record of a thousand.

/// Such executions get the reason execution_too_long, if none but a person's decision or no
/// reason at all is given. A line that reports it; empty where no limit is seen.
std::string mark_time_limits(JobHistory& history);

// Names of DAG nodes as workflow systems write them.

/// Without the UUID and its underscore at the beginning, as Rubin's bps writes them
/// ("057c8caf-66f6-4612-abf7-cdea5b666b1b_isr"): each submission has other ones.
std::string_view without_uuid(std::string_view node);

}  // namespace gridcast::history
