// Slots that no site has, and needs of memory and disk that have no effect.
#include <algorithm>

#include <fmt/format.h>

#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {
namespace {

void check_slots(YamlDocument& document, Campaign const& campaign, Pool const& pool) {
  int most = 0;
  for (SiteSpec const& site : pool.sites) most = std::max({most, site.slots, site.gpus});
  for (std::size_t i = 0; i < campaign.submit.size(); ++i) {
    if (campaign.submit[i].slots <= most || most == 0) continue;
    document.complain(fmt::format("campaign.submit[{}].slots", i),
                      fmt::format("no site has {} slots", campaign.submit[i].slots),
                      fmt::format("the largest has {}", most));
  }
}

void check_needs(YamlDocument& document, Campaign const& campaign) {
  constexpr char why[] = "jobs end as recorded; with 'from: processes' it has one";
  if (campaign.work.from != JobSource::record) return;
  complain_of_no_effect(document, "campaign.work.memory", why);
  complain_of_no_effect(document, "campaign.work.disk", why);
}

}  // namespace

void check_sizes_of_jobs(YamlDocument& document, Campaign const& campaign, Pool const& pool) {
  check_needs(document, campaign);
  check_slots(document, campaign, pool);
}

}  // namespace gridcast::scenario
