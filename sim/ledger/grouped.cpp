#include "sim/ledger/grouped.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/history/job_history.hpp"

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

}  // namespace

std::optional<Grouping> grouping_named(std::string_view name) {
  for (auto const& [known, grouping] : groupings) {
    if (known == name) return grouping;
  }
  return std::nullopt;
}

std::vector<std::string> grouping_names() {
  std::vector<std::string> names;
  for (auto const& [name, grouping] : groupings) names.emplace_back(name);
  return names;
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

}  // namespace gridcast::ledger
