#include "sim/scenario/match.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/scenario.hpp"

namespace gridcast {

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
  // A pilot asks its site for one GPU, and advertises it as one slot (OSPool frontend, group gpu).
  constexpr int gpus_of_a_slot = 1;
  int const offered = std::min(site.gpus, gpus_of_a_slot);
  if (request.gpus > offered) {
    add(fmt::format("{} GPU a slot of the {} wanted", offered, request.gpus));
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

std::vector<Id<PoolSite>> matching_sites(Pool const& pool, Request const& request) {
  std::vector<Id<PoolSite>> matching;
  for (std::size_t i = 0; i < pool.sites.size(); ++i) {
    if (against_match(pool.sites[i], request).empty()) matching.emplace_back(i);
  }
  return matching;
}

}  // namespace gridcast
