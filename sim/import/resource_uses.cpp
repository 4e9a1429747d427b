#include <algorithm>
#include <utility>

#include "sim/import/recorded_campaign.hpp"

namespace gridcast::import {

std::vector<history::ResourceUse> resource_uses(RecordedCampaign const& campaign) {
  auto uses = campaign.uses;
  Seconds const start(static_cast<double>(campaign.history.start_unix.value_or(0)));
  auto const add = [&](history::JobName job, history::ResourceUse use) {
    use.job = job;
    use.at -= start;
    uses.push_back(use);
  };
  for (auto const& [name, ads] : campaign.ads.jobs) {
    for (condor::AttemptAdFacts const& attempt : ads.attempts) add(name, attempt.use);
    if (!ads.facts.from_epoch) add(name, ads.facts.last.use);
  }
  std::stable_sort(uses.begin(), uses.end(), [](auto const& a, auto const& b) {
    return std::pair(a.job, a.at) < std::pair(b.job, b.at);
  });
  return uses;
}

}  // namespace gridcast::import
