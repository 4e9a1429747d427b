#include <vector>

#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

std::vector<Process> const& all_processes() {
  static std::vector<Process> const processes = [] {
    std::vector<Process> all;
    for (auto* const process :
         {slots,          pilot_deaths,   transfer_holds,   failed_urls,      missing_namespaces,
          site_outages,   corrupt_inputs, releases,         direct_downloads, delays,
          transfer_rates, cold_caches,    transfer_outages, pauses,           executions,
          limits,         crashes,        evictions,        lost_contacts,    suspensions,
          removals}) {
      all.push_back(process());
    }
    return all;
  }();
  return processes;
}

}  // namespace gridcast::calibration

std::vector<gridcast::scenario::Process> const& gridcast::scenario::processes() {
  static std::vector<Process> const described = [] {
    std::vector<Process> all;
    for (calibration::Process const& each : calibration::all_processes()) {
      all.push_back(each.described);
    }
    return all;
  }();
  return described;
}
