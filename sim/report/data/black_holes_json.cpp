#include "sim/report/data/black_holes_json.hpp"

namespace gridcast::report {

Json black_holes_json(ledger::BlackHoles const& found) {
  Json hosts = Json::array();
  for (ledger::HostAttempts const& host : found.hosts) {
    hosts.push_back({{"host", host.host},
                     {"site", host.site},
                     {"attempts", host.ended},
                     {"failed", host.failed},
                     {"lost_s", host.lost.value()}});
  }
  return {{"schema", "gridcast.black-holes/1"},
          {"hosts", std::move(hosts)},
          {"hosts_seen", found.hosts_seen},
          {"attempts", found.all.ended},
          {"failed", found.all.failed},
          {"lost_s", found.all.lost.value()},
          {"requirements", ledger::requirements_without(found.hosts)}};
}

}  // namespace gridcast::report
