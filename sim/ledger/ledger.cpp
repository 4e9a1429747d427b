#include "sim/ledger/ledger.hpp"

#include "sim/ledger/accountant.hpp"

namespace gridcast::ledger {
std::string_view name(Standing standing) {
  static constexpr std::string_view names[] = {"unfinished", "succeeded", "wrong_output", "held",
                                               "removed"};
  return names[static_cast<std::size_t>(standing)];
}

bool LedgerLines::is_empty() const {
  return jobs == 0 && wallclock() == Seconds() && stalls + evictions + holds + releases == 0 &&
         attempts + requeues + checkpoints + disconnects == 0;
}

Seconds LedgerLines::wallclock() const { return compute_success + transfer_success + badput(); }

double LedgerLines::goodput_fraction() const {
  Seconds const all = wallclock();
  return all > Seconds() ? compute_success / all : 0;
}

Ledger account(history::JobHistory const& history) {
  Accountant accountant({.dated = history.dated, .each_job = true});
  for (auto const& event : history.events) accountant.add(event);
  return accountant.finish(history);
}

std::map<std::string, std::vector<double>> successful_executions(Ledger const& ledger) {
  std::vector<std::vector<double>> by_site(ledger.site_names.size() + 1);  // the last: of no site
  for (JobOutcome const& job : ledger.outcomes) {
    if (!job.succeeded() || !job.final_execution.known()) continue;
    std::size_t const site =
        job.last_site.valid() ? job.last_site.index() : ledger.site_names.size();
    by_site[site].push_back((*job.final_execution).value());
  }
  std::map<std::string, std::vector<double>> named;
  for (std::size_t i = 0; i < by_site.size(); ++i) {
    std::string const name = i < ledger.site_names.size() ? ledger.site_names[i] : std::string();
    if (!by_site[i].empty()) named[name] = std::move(by_site[i]);
  }
  return named;
}

}  // namespace gridcast::ledger
