#include "sim/ledger/ledger.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/ledger/accountant.hpp"

namespace gridcast::ledger {
namespace {

constexpr std::array<std::pair<std::string_view, Grouping>, 5> groupings = {
    {{"user", Grouping::user},
     {"site", Grouping::site},
     {"host", Grouping::host},
     {"exit", Grouping::exit},
     {"program", Grouping::program}}};

std::string in_words(history::Reason reason) {
  std::string words(history::name(reason));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

/// How a job with these events ended.
std::string exit_of(std::vector<history::JobEvent> const& events) {
  using enum history::EventKind;
  std::string exit = "unfinished";
  for (history::JobEvent const& event : events) {
    if (event.kind == terminated) {
      bool const unrecorded = !event.useful && event.exit_code == 0;
      exit = unrecorded            ? "wrong output"
             : event.exit_code < 0 ? fmt::format("signal {}", -event.exit_code)
                                   : fmt::format("exit {}", event.exit_code);
    } else if (event.kind == held) {
      exit = "held: " + in_words(event.reason);
    } else if (event.kind == aborted) {
      exit = "removed: " + in_words(event.reason);
    } else if (event.kind == released || event.kind == submitted) {
      exit = "unfinished";
    }
  }
  return exit;
}

std::vector<std::string> groups_of_jobs(history::JobHistory const& history, Grouping by) {
  std::vector<std::string> groups(history.jobs.size());
  auto const events = by == Grouping::exit ? history::events_of_jobs(history)
                                           : std::vector<std::vector<history::JobEvent>>();
  for (std::size_t job = 0; job < groups.size(); ++job) {
    if (by == Grouping::exit) groups[job] = exit_of(events[job]);
    if (by == Grouping::program) groups[job] = history::program_of(history, job);
    if (by == Grouping::user && job < history.users.size()) groups[job] = history.users[job];
  }
  return groups;
}

/// The jobs of a group and their events, at the sites that these name.
struct Part {
  std::vector<history::JobName> jobs = {};
  std::vector<Seconds> ends = {};
  std::vector<std::uint32_t> unrecorded = {};
  std::vector<history::JobEvent> events = {};
  std::vector<std::string> sites = {};
  std::map<std::uint32_t, Id<history::Site>> own_site = {};  // by the record's

  void add(history::JobEvent event, history::JobHistory const& of) {
    if (event.site.valid()) {
      auto const [found, fresh] =
          own_site.emplace(event.site.number(), Id<history::Site>(sites.size()));
      if (fresh) sites.push_back(of.sites[event.site.index()]);
      event.site = found->second;
    }
    events.push_back(event);
  }
};

std::map<std::string, Part> parts_of(history::JobHistory const& history,
                                     std::vector<std::string> const& groups) {
  std::map<std::string, Part> parts;
  std::vector<std::pair<Part*, std::size_t>> place;
  for (std::size_t job = 0; job < groups.size(); ++job) {
    Part& part = parts[groups[job]];
    place.emplace_back(&part, part.jobs.size());
    part.jobs.push_back(history.jobs[job]);
    if (job < history.ends.size()) part.ends.push_back(history.ends[job]);
    if (job < history.unrecorded.size()) part.unrecorded.push_back(history.unrecorded[job]);
  }
  for (history::JobEvent event : history.events) {
    auto const& [part, number] = place[event.job.index()];
    event.job = Id<history::Job>(number);
    part->add(event, history);
  }
  return parts;
}

/// The history without its jobs. Each group takes its turn in it: a copy of all sites and slots for
/// each of many groups would not fit into memory.
history::JobHistory frame_of(history::JobHistory const& history) {
  history::JobHistory frame = history;
  for (auto* const each : {&frame.own_names, &frame.users}) each->clear();
  frame.labels.clear();
  frame.transfers.clear();
  return frame;
}

/// With each host as a site.
history::JobHistory at_hosts(history::JobHistory history) {
  std::vector<std::string> hosts;
  std::map<std::string, Id<history::Site>> index;
  for (history::JobEvent& event : history.events) {
    if (!event.site.valid() && event.slot == 0) continue;
    std::string const host = history::machine_of(history, event.slot);
    auto const [found, fresh] = index.emplace(host, Id<history::Site>(hosts.size()));
    if (fresh) hosts.push_back(host);
    event.site = found->second;
  }
  history.sites = std::move(hosts);
  return history;
}

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

std::optional<Grouping> grouping_named(std::string_view name) {
  for (auto const& [known, grouping] : groupings) {
    if (known == name) return grouping;
  }
  return std::nullopt;
}

std::vector<std::string> grouping_names() {
  return each_of<std::string>(groupings, [](auto const& each) { return each.first; });
}

Ledger account_by(history::JobHistory const& history, Grouping by) {
  if (by == Grouping::site) return account(history);
  if (by == Grouping::host) return account(at_hosts(history));
  Ledger all = account(history);
  all.sites.clear();
  all.site_classes.clear();
  all.site_gpu_time.clear();
  history::JobHistory frame = frame_of(history);
  // Slots in use when the record ends count until then, also in a group that ends earlier.
  frame.seen_until = history.end();
  for (auto& [name, part] : parts_of(history, groups_of_jobs(history, by))) {
    frame.jobs = std::move(part.jobs);
    frame.ends = std::move(part.ends);
    frame.unrecorded = std::move(part.unrecorded);
    frame.events = std::move(part.events);
    frame.sites = std::move(part.sites);
    Ledger const ledger = account(frame);
    all.sites[name] = ledger.total;
    all.site_classes[name] = ledger.classes;
    all.site_gpu_time[name] = ledger.gpu_time;
  }
  return all;
}

std::string_view name(TimeClass time_class) { return row_of(time_class).name; }

std::string_view words(TimeClass time_class) { return row_of(time_class).words; }

Seconds TimeClasses::total() const { return sum_of<Seconds>(time_, std::identity()); }

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
