#include "sim/report/text/black_hole_text.hpp"

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {

std::string black_holes_text(ledger::BlackHoles const& found, Screen const& screen) {
  ledger::HostAttempts const& all = found.all;
  if (found.hosts_seen == 0) return "The record names no host.\n";
  std::string const rest =
      fmt::format("{2} of all {0} on {1} failed.\n", counted(all.ended, "attempt"),
                  counted(found.hosts_seen, "host"), all.failed);
  if (found.hosts.empty()) {
    return fitted("No host let far more attempts fail than the others.\n" + rest, screen);
  }
  TextTable table({{"host"},
                   {"site"},
                   {"attempts", Align::right},
                   {"failed", Align::right},
                   {"slot time lost", Align::right}});
  for (ledger::HostAttempts const& host : found.hosts) {
    table.add_row(std::vector<std::string>{host.host, host.site, std::to_string(host.ended),
                                           std::to_string(host.failed),
                                           fmt::format("{:.1f} h", host.lost / hours(1))});
  }
  return table.str(screen) + "\n" + fitted(rest, screen) +
         "\nTo avoid these hosts, add to the submit file:\nrequirements = " +
         ledger::requirements_without(found.hosts) + "\n";
}

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
