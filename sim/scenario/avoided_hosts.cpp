// Hosts that strategies avoid (match.avoid_hosts).
#include <string>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/history/recorded_jobs.hpp"
#include "sim/scenario/tables.hpp"

namespace gridcast::scenario {

void check_avoided_hosts(YamlDocument& document, Scenario const& scenario) {
  for (Strategy const& strategy : scenario.strategies) {
    auto const& hosts = strategy.match.avoid_hosts;
    if (hosts.empty()) continue;
    std::string const key = fmt::format("strategies.{}.match.avoid_hosts", strategy.name);
    if (!scenario.calibration.recorded) {
      document.add(
          document.at(key), key + ": no host has a name here",
          "only campaigns that repeat recorded jobs have hosts (campaign.work.from: record)",
          "Use avoid_site, or a calibration of the record of these jobs.");
      continue;
    }
    auto const& jobs = scenario.calibration.recorded->jobs;
    for (std::string const& host : hosts) {
      if (is_one_of(host, jobs.hosts)) continue;
      document.add(document.at(key), fmt::format("{}: no host '{}' in the record", key, host), "",
                   suggestion(host, jobs.hosts));
    }
    if (!has_other_hosts(jobs, hosts)) {
      document.add(document.at(key), key + ": no host is left",
                   "all recorded attempts are on these hosts", "Avoid fewer hosts.");
    }
  }
}

}  // namespace gridcast::scenario
