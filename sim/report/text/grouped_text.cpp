#include "sim/report/text/grouped_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {
namespace {

std::vector<std::string> row(std::string const& name, ledger::LedgerLines const& lines) {
  return {name,
          std::to_string(lines.jobs),
          std::to_string(lines.succeeded),
          fmt::format("{:.1f} h", lines.wallclock() / hours(1)),
          fmt::format("{:.0f} %", 100 * lines.goodput_fraction()),
          fmt::format("{:.1f} h", lines.badput() / hours(1))};
}

}  // namespace

std::string grouped_text(ledger::Ledger const& grouped, std::string const& by, std::size_t most,
                         Screen const& screen) {
  std::vector<std::pair<std::string, ledger::LedgerLines>> groups(grouped.sites.begin(),
                                                                  grouped.sites.end());
  std::stable_sort(groups.begin(), groups.end(), [](auto const& a, auto const& b) {
    return a.second.badput() > b.second.badput();
  });
  TextTable table({{by},
                   {"jobs", Align::right},
                   {"succeeded", Align::right},
                   {"slot time", Align::right},
                   {"goodput", Align::right},
                   {"lost", Align::right}});
  for (std::size_t i = 0; i < std::min(most, groups.size()); ++i) {
    auto const& [name, lines] = groups[i];
    table.add_row(row(name.empty() ? "(no " + by + ")" : name, lines));
  }
  table.add_rule();
  table.add_row(row("all", grouped.total));
  std::string const rest =
      groups.size() > most
          ? fmt::format("{} more: --details.\n", counted(groups.size() - most, "group"))
          : "";
  return table.str(screen) + rest;
}

}  // namespace gridcast::report
