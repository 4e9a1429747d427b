// Resources of an execution: the amount used, the amount that its job had requested, and the amount
// allocated in the slot. Sources: the table "Partitionable Resources : Usage Request Allocated" of
// events 004 and 005, event 006, and attributes of ads (RequestMemory, MemoryUsage,
// ResidentSetSize, DiskUsage, ...).
// Units: memory and disk in bytes, time in seconds, CPUs and GPUs as numbers of them, which for
// use are means over the execution.
//
//   005 ... Memory (MB) : 503 3000 3072   ->  memory: used 527433728, requested 3145728000,
//                                             allocated 3221225472
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::history {

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

}  // namespace gridcast::history
