// A campaign as the ordered list of its jobs' events: what real logs are read into and what a
// simulated run is. Everything after it works on either and cannot tell which.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/job_event.hpp"

namespace gridcast::history {

struct JobName {
  std::uint32_t cluster = 0;
  std::uint32_t proc = 0;
  auto operator<=>(JobName const&) const = default;
};

/// What a job is called by those who wrote it: tells programs apart. Empty where the source is silent.
struct JobLabel {
  std::string node = {};   // DAG node name
  std::string batch = {};  // JobBatchName
  std::string executable = {}, arguments = {};
  auto operator<=>(JobLabel const&) const = default;
};

/// GPUs that a job had in one execution, all of one model.
struct GpuShare {
  std::string model = {};  // DeviceName, as "NVIDIA L40S"; empty where not told
  int count = 0;
  Bytes memory = {};      // of each
  double capability = 0;  // CUDA compute capability
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

/// One URL of one attempt, as the epoch history tells it (and nothing else does).
struct UrlTransfer {
  Id<Job> job;
  std::uint32_t attempt = 0;  // NumShadowStarts of the attempt, from 1
  std::uint32_t url = 0;      // JobHistory::urls
  bool upload = false;
  bool succeeded = false;
  Seconds start, end;  // whole seconds of the campaign's clock
  Seconds duration;    // ConnectionTimeSeconds, finer; zero where unknown
  Bytes size;
  std::vector<CacheTry> tries = {};  // in order; empty where the ads do not tell them
};

/// "794569.14".
std::string to_text(JobName name);

struct JobHistory {
  std::vector<JobName> jobs;             // indexed by Id<Job>
  std::vector<std::string> sites;        // indexed by Id<Site>
  std::vector<std::string> slots;        // indexed by JobEvent::slot, where the source names slots
  std::vector<std::string> urls;         // indexed by UrlTransfer::url
  std::vector<std::string> caches = {};  // indexed by CacheTry::cache
  std::vector<UrlTransfer> transfers;    // ordered by job, attempt, start; empty without ads
  std::optional<std::int64_t> start_unix;  // time zero of the clock, Unix seconds, where known
  std::vector<JobEvent>
      events;                   // ordered by time if dated; else each job's own events are in order
  bool dated = true;            // false: each job's clock starts at its own first match, and
                                // nothing is known of when that was (job tables)
  bool retries_opaque = false;  // true: between first match and the last transfer the source tells
      // sums only (job tables), so waiting and evicted computing are in it

  int gpus_per_job = 1;  // RequestGPUs of all its jobs; 1 where the source does not tell
  std::vector<std::string> users = {};     // by job; empty if all are one user's
  std::vector<JobLabel> labels = {};       // by job; empty if the source tells none
  std::vector<GpuShare> gpus = {};         // indexed by JobEvent::gpus - 1
  std::optional<Seconds> seen_until = {};  // how far the record goes, where that is later than its
                                           // last event (a job that runs writes 006)

  Id<Site> site_named(std::string const& name);  // interns
  /// JobEvent::gpus of such GPUs; interns.
  std::uint16_t gpus_like(GpuShare const& share);
  /// Those of an event; null where they are not told.
  GpuShare const* gpus_of(JobEvent const& event) const;
  /// The time of the last event, or until when nothing more happened.
  Seconds end() const;
};

/// The events of each job, in order: indices into history.events, one list a job.
std::vector<std::vector<std::uint32_t>> events_by_job(JobHistory const& history);
/// The same, the events themselves.
std::vector<std::vector<JobEvent>> events_of_jobs(JobHistory const& history);

/// "slot 3", or the name that the source gives; "unknown slot" where it gives none.
std::string slot_name(JobHistory const& history, std::uint32_t slot);

/// How full a cache was, from this time on until the same cache's next sample: what only a
/// simulation knows.
struct CacheSample {
  Seconds at;
  std::uint32_t cache = 0;  // index into the pool's caches
  Bytes used;
};

/// Who takes the events of a campaign while they happen, so that nobody has to keep them: the
/// ledger, the writers of files, or a history after all.
class HistorySink {
 public:
  virtual ~HistorySink() = default;

  /// Events come in the order of time.
  virtual void add(JobEvent const& event) = 0;
  virtual void add_transfer(UrlTransfer const& /*transfer*/) {}
  /// No event of this job will follow. A source that cannot tell does not call it.
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

// Bytes that records say were moved for jobs: into slots (received) and out of them (sent).

struct MovedBytes {
  Bytes received, sent;

  MovedBytes& operator+=(MovedBytes const& other) {
    received += other.received;
    sent += other.sent;
    return *this;
  }
};

/// By the name of the site; "" where it is not told.
using BytesBySite = std::map<std::string, MovedBytes>;

}  // namespace gridcast::history
