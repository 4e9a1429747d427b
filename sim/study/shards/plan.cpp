#include "sim/study/shards/plan.hpp"

#include <algorithm>
#include <cmath>
#include <sys/resource.h>

namespace gridcast::study {
namespace {

/// Of the largest process so far, this one or one of its children.
Bytes largest_process() {
  constexpr double kilo = 1024;  // getrusage(2): ru_maxrss is in kilobytes
  long most = 0;
  for (int const who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used = {};
    ::getrusage(who, &used);
    most = std::max(most, used.ru_maxrss);
  }
  return Bytes(static_cast<double>(most) * kilo);
}

}  // namespace

std::uint32_t shard_size_for(std::uint32_t replicas, Seconds replica_takes) {
  if (!(replica_takes > Seconds())) return replicas;
  double const fitting = std::max(1.0, std::floor(shard_takes / replica_takes));
  double const shards = std::ceil(replicas / fitting);
  return static_cast<std::uint32_t>(std::ceil(replicas / shards));
}

std::optional<ShardPlan> plan_shards(ShardPlayer const& play, StudyOptions options,
                                     std::optional<std::uint32_t> size) {
  constexpr Seconds enough = Seconds(0.5);
  options.processes = 1;
  options.progress = {};
  auto const replicas = static_cast<std::uint32_t>(options.replicas);
  ShardPlan plan;
  for (std::uint32_t n = 1;; n = std::min(replicas, n * 4)) {
    auto const result = play({0, n}, options);
    if (!result) return std::nullopt;
    plan.replica_takes = result->record.computed / n;
    if (result->record.computed >= enough || n == replicas || size) break;
  }
  plan.memory = largest_process();
  plan.shard_size = size.value_or(shard_size_for(replicas, plan.replica_takes));
  return plan;
}

}  // namespace gridcast::study
