// Resources in the events 004, 005 and 006: rows of a table and figures in the text form,
// attributes in the JSON and XML forms.
// Wording: condor_event.cpp of HTCondor 9 to 25; manual, "Job Event Log Codes".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/condor/log/event_reader.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::condor {

/// A row of the table: "Memory (MB)          :      503     3000      3072", in which the columns
/// end below "Usage", "Request" and "Allocated" (`header`, the table's first line). A blank column
/// is unknown. False if a cell has a number that no amount can be, such as one of 26 digits.
bool read_resource_row(RawEvent& event, std::string_view row, std::string_view header);

/// "Usr 0 01:02:03, Sys 0 00:00:10  -  Run Remote Usage" and "503  -  MemoryUsage of job (MB)".
void read_usage_figure(RawEvent& event, std::string_view figure);

/// MemoryUsage, RequestMemory, Memory and the like; RunRemoteUsage.
void read_resource_attribute(RawEvent& event, std::string_view name, std::string_view value);

// The use of resources of each execution of a log, put together from its events: sizes of 006
// while it ran, the table and CPU times of 004 and 005 at its end, the slot that 001 describes, and
// the words of a hold or an eviction, which show that the job needs more than it had. The CPU times
// of a simulated job are its execution's, and no use.
class ResourceUses {
 public:
  /// Events of a job in order; `at` of the campaign's clock.
  void add(RawEvent const& event, Seconds at);
  /// All, those of executions that are under way too.
  std::vector<history::ResourceUse> take();

 private:
  struct OfJob {
    history::ResourceUse open = {};
    bool is_open = false;                // an event has a use of it
    bool simulated = false;              // by this program
    history::ResourceAmounts slot = {};  // that its execution had
    std::size_t last = no_use;           // of uses_, of the job's execution before
  };
  static constexpr std::size_t no_use = static_cast<std::size_t>(-1);

  void close(OfJob& job);
  /// Of the end of an execution by a hold or an eviction: a limit can be the reason.
  void note_limit(OfJob& job, RawEvent const& event, Seconds at);

  std::unordered_map<std::uint64_t, OfJob> jobs_;
  std::vector<history::ResourceUse> uses_;
};

// The request that a held job exceeded, by the words of its hold: code 34, or a pool's own rule,
// whose code is that of any periodic expression.
// Wording: starter of HTCondor 9 to 24 (cgroup limits), default hold reasons of OSPool and CMS.

struct ExceededRequest {
  history::Resource resource = history::Resource::memory;
  std::optional<double> used = {};  // as the words state it, at least: bytes, or CPUs

  bool operator==(ExceededRequest const&) const = default;
};

/// An example: "Excessive CPU usage. Job used 4 CPUs, while request_cpus=2" is a use of 4 CPUs, and
/// "disk usage exceeded request_disk" a need of disk that no number describes.
std::optional<ExceededRequest> exceeded_request(std::optional<int> code, std::string_view reason);

/// Marks the amount: the job needs at least what the words state, and more than its request.
void mark_exceeded(history::ResourceAmounts& amounts, ExceededRequest const& exceeded);

}  // namespace gridcast::condor
