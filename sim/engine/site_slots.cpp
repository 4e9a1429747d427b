#include "sim/engine/site_slots.hpp"

#include <algorithm>
#include <numeric>

#include "sim/scenario/scenario.hpp"

namespace gridcast::engine {

namespace {

/// How many jobs run at a site at a time. Slots that the pool states are there, or as many as the
/// draw has where that counts, with GPUs in proportion; GPUs that the pool states without slots are
/// the most that pilots hold; where it states neither, as many as the calibration saw.
std::uint32_t slots_of(scenario::SiteSpec const& spec, scenario::Request const& request,
                       scenario::SiteParameters const& site) {
  int slots = 0;
  if (spec.slots > 0) {
    slots = site.slots.value_or(spec.slots);
    bool const counted = spec.gpus > 0 && spec.gpus_per_slot == 0 && request.gpus > 1;
    if (counted) {
      double const gpus =
          std::min(static_cast<double>(spec.gpus) * slots / spec.slots, scenario::most_slots);
      slots = std::min(slots, scenario::slots_of_gpus(spec, request, static_cast<int>(gpus)));
    }
  } else if (spec.gpus > 0) {
    int const gpus = std::min(spec.gpus, site.gpus.value_or(spec.gpus));
    slots = scenario::slots_of_gpus(spec, request, gpus);
  } else if (site.gpus) {
    slots = scenario::slots_of_gpus(spec, request, *site.gpus);
  } else {
    slots = site.slots.value_or(0);
  }
  return static_cast<std::uint32_t>(std::max(slots, 0));
}

}  // namespace

std::vector<std::uint32_t> slots_by_site(scenario::Pool const& pool,
                                         scenario::Campaign const& campaign,
                                         scenario::ParameterDraw const& draw) {
  std::vector<std::uint32_t> slots(pool.sites.size());
  for (Id<scenario::PoolSite> const site : scenario::matching_sites(pool, campaign.request)) {
    scenario::SiteSpec const& spec = pool.sites[site.index()];
    slots[site.index()] = slots_of(spec, campaign.request, draw.sites.at(spec.name));
  }
  return slots;
}

std::size_t slots_offered(scenario::Pool const& pool, scenario::Campaign const& campaign,
                          scenario::ParameterDraw const& draw) {
  auto const slots = slots_by_site(pool, campaign, draw);
  return std::accumulate(slots.begin(), slots.end(), std::size_t{0});
}

}  // namespace gridcast::engine
