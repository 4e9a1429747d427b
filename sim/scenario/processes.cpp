#include "sim/scenario/processes.hpp"

#include <algorithm>

#include "sim/base/text.hpp"

namespace gridcast::scenario {

std::vector<ProcessSwitch> const& process_switches() {
  constexpr auto repeated = ProcessSwitch::Of::repeated_jobs;
  static std::vector<ProcessSwitch> const switches = {
      {recorded_jobs, "jobs repeat the histories of the record's jobs", {}},
      {campaign_variation,
       "the next campaign differs from the record that it repeats",
       {},
       repeated},
      {"computing-variation", "its executions are longer or shorter", {}, repeated},
      {"transfer-variation", "its transfers are longer or shorter", {}, repeated},
      {"attempt-variation", "its jobs repeat more or fewer attempts", {}, repeated},
      {"hold-variation", "its jobs are held more or less often", {}, repeated},
      {"waiting-variation", "its jobs wait longer or shorter", {}, repeated},
      {"outcome-variation", "more or fewer of its jobs succeed", {}, repeated},
      {"unseen-events", "it has kinds of events that the record does not have", {}, repeated},
      {"evictions",
       "the site or its owner reclaims a slot",
       {"evict_per_s", "evict_after_s", "evicted_for_good"}},
      {"pilot-deaths",
       "a pilot ends before its walltime",
       {"pilot_kill_per_s", "pilot_death_per_s", "pilot_life_s"}},
      {"site-absences", "a site stops to take jobs for a while", {"away_per_s"}},
      {"crashes", "a program exits with an error", {"crash", "crash_of_job"}},
      {"hangs", "a program never ends by itself", {"hang"}},
      {"limits",
       "a slot's limit of memory or disk stops a program",
       {"stop", "stop_per_s", "stop_of_job"}},
      {"output-failures", "files do not come back", {"output_failure"}},
      {"lost-contacts",
       "the access point loses a running job",
       {"disconnect_per_s", "files_lost", "lost_for_good"}},
      {"access-point-outages", "the access point is down", {"access_point_down_per_s"}},
      {"suspensions", "a job stands still in its slot", {"suspend_per_s"}},
      {"transfer-outages",
       "an origin, a cache or a path stops or slows input transfers",
       {"stall_bad_fraction", "stall_when_bad", "stall_when_quiet", "url_hang"}},
      {"pauses", "an input transfer stops and continues", {"pause"}},
      {"failed-urls", "a transfer plugin gives up on a URL", {"url_failure", "spurious_404"}},
      {"cold-caches", "a cache fetches a file from the origin", {"cold_share"}},
      {"missing-namespaces", "a namespace returns 404 for a while", {"not_found_per_start"}},
      {"site-outages", "a site's network fails", {"network_down_per_start"}},
      {"corrupt-inputs", "an archive does not unpack", {"corrupt_input"}},
      {"removals",
       "owners remove jobs",
       {"removal_per_s", "remove_transfer_hold", "remove_other_hold", "remove_limit_hold",
        "remove_resource_hold"}},
  };
  return switches;
}

std::vector<ProcessSwitch const*> processes_named(std::string_view list,
                                                  std::vector<std::string>& unknown) {
  std::vector<ProcessSwitch const*> named;
  for (auto const& part : split(list, ',')) {
    std::string const name(trim(part));
    auto const& all = process_switches();
    auto const found =
        std::find_if(all.begin(), all.end(), [&](auto const& each) { return each.name == name; });
    if (found != all.end()) {
      named.push_back(&*found);
    } else if (!name.empty()) {
      unknown.push_back(name);
    }
  }
  return named;
}

bool names_process(std::string_view list, std::string_view name) {
  std::vector<std::string> unknown;
  auto const named = processes_named(list, unknown);
  return std::any_of(named.begin(), named.end(),
                     [name](auto const* each) { return each->name == name; });
}

void switch_off(std::vector<ProcessSwitch const*> const& processes, Calibration& calibration) {
  std::vector<std::size_t> off;
  for (std::size_t column = 0; column < calibration.columns.size(); ++column) {
    std::string const& name = calibration.columns[column];
    std::string_view const parameter = std::string_view(name).substr(0, name.find('.'));
    bool const of_these = std::any_of(processes.begin(), processes.end(), [&](auto const* each) {
      return std::find(each->columns.begin(), each->columns.end(), parameter) !=
             each->columns.end();
    });
    if (of_these) off.push_back(column);
  }
  for (std::size_t row = 0; row < calibration.rows.size(); ++row) {
    for (std::size_t const column : off) calibration.rows[row][column] = 0;
    calibration.draws[row] = make_parameter_draw(calibration.columns, calibration.rows[row]);
  }
}

}  // namespace gridcast::scenario
