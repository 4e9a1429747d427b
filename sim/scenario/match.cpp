#include "sim/scenario/match.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/scenario.hpp"

namespace gridcast::scenario {

std::string against_match(SiteSpec const& site, Request const& request) {
  std::string text;
  auto const add = [&text](std::string const& reason) {
    text += (text.empty() ? "" : ", ") + reason;
  };
  if (!request.site.empty() && request.site != site.name) {
    add(fmt::format("not the site {}", request.site));
  }
  if (!request.gpu.empty() && request.gpu != site.gpu) {
    add(fmt::format("GPU {} instead of {}", site.gpu, request.gpu));
  }
  int const offered = std::min(site.gpus, site.gpus_per_node);
  if (request.gpus_per_node() > offered) {
    add(fmt::format("{} GPU a node of the {} wanted", offered, request.gpus_per_node()));
  } else if (request.nodes > 1 && !site.cluster) {
    add(fmt::format("no cluster, a job gets one node of the {} wanted", request.nodes));
  } else if (request.gpus > site.gpus) {
    add(fmt::format("{} GPUs of the {} wanted", site.gpus, request.gpus));
  }
  if (request.gpu_capability > site.gpu_capability) {
    add(fmt::format("GPU capability {} of the {} wanted", site.gpu_capability,
                    request.gpu_capability));
  }
  if (request.gpu_memory > site.gpu_memory) {
    add(fmt::format("GPU memory {} of the {} wanted", to_text(site.gpu_memory),
                    to_text(request.gpu_memory)));
  }
  bool const disk_unknown = site.slots > 0 && site.disk == Bytes();
  if (request.disk > site.disk && !disk_unknown) {
    add(fmt::format("disk {} of the {} wanted", to_text(site.disk), to_text(request.disk)));
  }
  return text;
}

int slots_of_gpus(SiteSpec const& site, Request const& request, int gpus) {
  if (request.gpus <= 1) return gpus;
  int const on_node = request.gpus_per_node();
  int const parts = gpus / site.gpus_per_node * (site.gpus_per_node / on_node) +
                    gpus % site.gpus_per_node / on_node;
  return parts / request.nodes;
}

std::vector<Id<PoolSite>> matching_sites(Pool const& pool, Request const& request) {
  std::vector<Id<PoolSite>> matching;
  for (std::size_t i = 0; i < pool.sites.size(); ++i) {
    if (against_match(pool.sites[i], request).empty()) matching.emplace_back(i);
  }
  return matching;
}

}  // namespace gridcast::scenario
