#include "sim/history/unknown_site.hpp"

#include <algorithm>

#include "sim/history/attempt_stream.hpp"

namespace gridcast::history {

bool names_no_site(JobHistory const& history) {
  return std::all_of(history.sites.begin(), history.sites.end(),
                     [](std::string const& site) { return site == unknown_site; });
}

void name_unknown_site(JobHistory& history) {
  if (!names_no_site(history)) return;
  AttemptStream stream;
  for (JobEvent& event : history.events) {
    bool const in_slot = stream.next(event).in_attempt();
    if (in_slot) event.site = history.site_named(std::string(unknown_site));
  }
}

void name_unknown_site(JobTable& table) {
  auto const named = [](JobRow const& row) { return !row.sites.empty(); };
  if (std::any_of(table.rows.begin(), table.rows.end(), named)) return;
  for (JobRow& row : table.rows) {
    bool const in_slot = row.transfer_total || !row.execute.empty() || !row.slot_busy.empty() ||
                         row.stalls + row.holds_released + row.evictions > 0;
    if (in_slot) row.sites = {std::string(unknown_site)};
  }
}

}  // namespace gridcast::history
