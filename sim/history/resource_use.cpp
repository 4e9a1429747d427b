#include "sim/history/resource_use.hpp"

#include <algorithm>

namespace gridcast::history {

std::string_view name(Resource resource) {
  constexpr std::array<std::string_view, resource_count> names = {"memory", "disk", "cpus", "gpus",
                                                                  "time"};
  return names[static_cast<std::size_t>(resource)];
}

void ResourceAmounts::merge(ResourceAmounts const& later) {
  auto const keep_higher = [](std::optional<double>& known, std::optional<double> const& value) {
    if (value) known = std::max(known.value_or(*value), *value);
  };
  for (Resource const resource : all_resources) {
    ResourceAmount& known = (*this)[resource];
    ResourceAmount const& more = later[resource];
    keep_higher(known.used, more.used);
    keep_higher(known.allocated, more.allocated);
    if (more.requested) known.requested = more.requested;
    known.exceeded = known.exceeded || more.exceeded;
  }
}

}  // namespace gridcast::history
