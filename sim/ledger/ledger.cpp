#include "sim/ledger/ledger.hpp"

#include <map>
#include <utility>
#include <vector>

#include "sim/ledger/accountant.hpp"

namespace gridcast::ledger {
namespace {

struct ClassRow {
  std::string_view name, words;
};

// In the order of TimeClass.
constexpr ClassRow class_rows[time_class_count] = {
    {"idle", "idle in the queue"},
    {"matched", "matched, not yet running"},
    {"transfer_input", "transferring input"},
    {"execute", "executing"},
    {"checkpoint", "saving checkpoints"},
    {"transfer_output", "transferring output"},
    {"suspended", "suspended"},
    {"disconnected", "disconnected"},
    {"held", "held"},
    {"cool_down", "cooling down, then idle"},
};

constexpr ClassRow const& row_of(TimeClass c) { return class_rows[static_cast<std::size_t>(c)]; }

std::optional<std::size_t> stalls_of_client(history::JobHistory const& history) {
  std::size_t tries = 0, stalled = 0;
  for (history::UrlTransfer const& transfer : history.transfers) {
    for (history::CacheTry const& one : transfer.tries) {
      ++tries;
      stalled += history::is_one_of(one.end, {history::TryEnd::stalled, history::TryEnd::slow});
    }
  }
  if (tries == 0) return std::nullopt;
  return stalled;
}

/// The site of each attempt of each job, attempts counted from 1.
using AttemptSites = std::map<std::pair<std::uint32_t, std::uint32_t>, Id<history::Site>>;

AttemptSites sites_of_attempts(history::JobHistory const& history) {
  AttemptSites sites;
  std::vector<std::uint32_t> attempts(history.jobs.size());
  for (history::JobEvent const& event : history.events) {
    std::uint32_t& attempt = attempts[event.job.index()];
    if (event.kind == history::EventKind::matched) ++attempt;
    if (event.site.valid()) {
      sites[{static_cast<std::uint32_t>(event.job.index()), attempt}] = event.site;
    }
  }
  return sites;
}

history::BytesBySite bytes_of_transfers(history::JobHistory const& history) {
  history::BytesBySite bytes;
  if (history.transfers.empty()) return bytes;
  AttemptSites const sites = sites_of_attempts(history);
  for (history::UrlTransfer const& transfer : history.transfers) {
    if (!transfer.succeeded) continue;
    auto const found =
        sites.find({static_cast<std::uint32_t>(transfer.job.index()), transfer.attempt});
    history::MovedBytes& at =
        bytes[found == sites.end() ? "" : history.sites[found->second.index()]];
    (transfer.upload ? at.sent : at.received) += transfer.size;
  }
  return bytes;
}

}  // namespace

std::string_view name(TimeClass time_class) { return row_of(time_class).name; }

std::string_view words(TimeClass time_class) { return row_of(time_class).words; }

Seconds TimeClasses::total() const {
  Seconds sum;
  for (Seconds time : time_) sum += time;
  return sum;
}

Seconds TimeClasses::slot_time() const {
  Seconds sum;
  for (auto c : all_time_classes()) {
    if (has_slot(c)) sum += (*this)[c];
  }
  return sum;
}

TimeClasses& TimeClasses::operator+=(TimeClasses const& other) {
  for (std::size_t i = 0; i < time_.size(); ++i) time_[i] += other.time_[i];
  return *this;
}

std::array<TimeClass, time_class_count> all_time_classes() {
  std::array<TimeClass, time_class_count> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<TimeClass>(i);
  return all;
}

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
  Accountant accountant({.dated = history.dated, .each_job = true, .occupied = history.occupied});
  history::each_step(history.events,
                     [&](history::AttemptStep const& step) { accountant.add(step); });
  Ledger ledger = accountant.finish(history);
  ledger.client_stalls = stalls_of_client(history);
  return ledger;
}

std::map<std::string, std::vector<double>> successful_executions(Ledger const& ledger) {
  std::vector<std::vector<double>> by_site(ledger.site_names.size() + 1);  // the last: of no site
  for (JobOutcome const& job : ledger.outcomes) {
    if (!job.succeeded() || !job.final_execution) continue;
    std::size_t const site =
        job.last_site.valid() ? job.last_site.index() : ledger.site_names.size();
    by_site[site].push_back((*job.final_execution).value());
  }
  std::map<std::string, std::vector<double>> named;
  for (std::size_t i = 0; i < by_site.size(); ++i) {
    std::string const name = i < ledger.site_names.size() ? ledger.site_names[i] : std::string();
    if (by_site[i].empty()) continue;
    std::vector<double>& times = named[name];
    times.insert(times.end(), by_site[i].begin(), by_site[i].end());
  }
  return named;
}

Traffic count_traffic(history::JobHistory const& history, history::BytesBySite logged) {
  Traffic traffic;
  traffic.sites = logged.empty() ? bytes_of_transfers(history) : std::move(logged);
  for (history::UrlTransfer const& transfer : history.transfers) {
    for (history::CacheTry const& one : transfer.tries) {
      CacheTraffic& cache = traffic.caches[history.caches[one.cache]];
      ++cache.tries;
      if (!transfer.upload) cache.received += one.bytes;
      cache.arrived += one.end == history::TryEnd::arrived ? 1 : 0;
      cache.given_up +=
          history::is_one_of(one.end, {history::TryEnd::stalled, history::TryEnd::slow}) ? 1 : 0;
      cache.failed += one.end == history::TryEnd::failed ? 1 : 0;
    }
  }
  return traffic;
}

}  // namespace gridcast::ledger
