#include <array>
#include <vector>

#include "calibration/processes/processes.hpp"

namespace gridcast::calibration {

std::vector<Process> const& all_processes() {
  static auto const processes = each_of(
      std::to_array(
          {slots,          pilot_deaths,   transfer_holds,   failed_urls,      missing_namespaces,
           site_outages,   corrupt_inputs, releases,         direct_downloads, delays,
           transfer_rates, cold_caches,    transfer_outages, pauses,           executions,
           limits,         crashes,        evictions,        lost_contacts,    suspensions,
           removals}),
      [](auto* process) { return process(); });
  return processes;
}

}  // namespace gridcast::calibration

std::vector<gridcast::scenario::Process> const& gridcast::scenario::processes() {
  static auto const described =
      each_of(calibration::all_processes(), &calibration::Process::described);
  return described;
}
