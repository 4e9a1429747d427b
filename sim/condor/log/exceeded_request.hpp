// The request that a held job exceeded, by the words of its hold: code 34, or a pool's own rule,
// whose code is that of any periodic expression.
// Wording: starter of HTCondor 9 to 24 (cgroup limits), default hold reasons of OSPool and CMS.
#pragma once

#include <optional>
#include <string_view>

#include "sim/history/job_history.hpp"

namespace gridcast::condor {

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
