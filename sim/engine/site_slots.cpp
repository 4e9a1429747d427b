#include "sim/engine/site_slots.hpp"

#include <algorithm>
#include <limits>
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

struct SiteUnits {
  std::uint32_t slots;
  int gpus;  // of the smallest job
};

/// Slots of a job, of which so many fit on the site: no more of them run at a time, also where a
/// node has GPUs left that are too few for one.
int slots_of_job(SiteUnits const& site, int jobs, int gpus) {
  int const slots = static_cast<int>(site.slots);
  if (jobs == slots) return 1;
  return std::min(slots, std::max((gpus + site.gpus - 1) / site.gpus, slots / (jobs + 1) + 1));
}

}  // namespace

scenario::Request fixed_part(scenario::Request request, scenario::JobPolicy const& policy) {
  if (policy.request_memory) request.memory = {};
  if (policy.request_disk) request.disk = {};
  return request;
}

SlotsOfRequests::SlotsOfRequests(scenario::Pool const& pool, scenario::Campaign const& campaign,
                                 scenario::Strategy const& strategy,
                                 scenario::ParameterDraw const& draw)
    : by_site_(pool.sites.size()) {
  auto const requests = scenario::requests_of(campaign);
  std::vector<int> fewest_gpus(pool.sites.size(), std::numeric_limits<int>::max());
  for (scenario::Request const* const whole : requests) {
    auto const request = fixed_part(*whole, strategy.retry.policy);
    auto& jobs = needed_.emplace_back(pool.sites.size());  // at first the jobs that fit
    for (Id<scenario::PoolSite> const id : scenario::matching_sites(pool, request)) {
      scenario::SiteSpec const& spec = pool.sites[id.index()];
      std::uint32_t const slots = slots_of(spec, request, draw.sites.at(spec.name));
      jobs[id.index()] = static_cast<int>(slots);
      by_site_[id.index()] = std::max(by_site_[id.index()], slots);
      fewest_gpus[id.index()] = std::min(fewest_gpus[id.index()], std::max(request.gpus, 1));
    }
  }
  for (std::size_t r = 0; r < requests.size(); ++r) {
    for (std::size_t site = 0; site < by_site_.size(); ++site) {
      auto& jobs = needed_[r][site];
      if (jobs > 0)
        jobs = slots_of_job({by_site_[site], fewest_gpus[site]}, jobs, requests[r]->gpus);
    }
  }
}

bool SlotsOfRequests::all_offered() const {
  return std::all_of(needed_.begin(), needed_.end(), [](auto const& needed) {
    return std::any_of(needed.begin(), needed.end(), [](int slots) { return slots > 0; });
  });
}

std::vector<std::uint32_t> slots_by_site(scenario::Pool const& pool,
                                         scenario::Campaign const& campaign,
                                         scenario::Strategy const& strategy,
                                         scenario::ParameterDraw const& draw) {
  return SlotsOfRequests(pool, campaign, strategy, draw).by_site();
}

std::size_t slots_offered(scenario::Pool const& pool, scenario::Campaign const& campaign,
                          scenario::Strategy const& strategy, scenario::ParameterDraw const& draw) {
  auto const slots = slots_by_site(pool, campaign, strategy, draw);
  return std::accumulate(slots.begin(), slots.end(), std::size_t{0});
}

}  // namespace gridcast::engine
