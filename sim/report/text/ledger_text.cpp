#include "sim/report/text/ledger_text.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

/// Every second of slot time, in reading order: by how the jobs ended.
std::vector<ledger::SlotTimeLine> lines_by_ending() {
  auto lines = ledger::slot_time_lines();
  std::ranges::stable_sort(lines, [](auto const& a, auto const& b) { return a.ended < b.ended; });
  return lines;
}

// All times of a ledger in one unit, to compare them: hours, or minutes if hours would all be
// small.
class TimeText {
 public:
  explicit TimeText(ledger::Ledger const& ledger)
      : in_minutes_(ledger.total.wallclock() < hours(10)) {}

  std::string operator()(Seconds time, int digits = 1) const {
    return in_minutes_ ? fmt::format("{:.{}f} min", time / minutes(1), digits)
                       : fmt::format("{:.{}f} h", time / hours(1), digits);
  }

 private:
  bool in_minutes_;
};

std::string percent(Seconds part, Seconds whole) {
  return whole > Seconds() ? fmt::format("{:.1f} %", 100 * (part / whole)) : "-";
}

std::string outcome_line(ledger::LedgerLines const& lines) {
  return fmt::format(
      "{}: {} succeeded, {} with a wrong output, {} held, {} removed, {} unfinished\n",
      counted(lines.jobs, "job"), lines.succeeded, lines.wrong_output, lines.held, lines.removed,
      lines.unfinished);
}

std::string time_table(ledger::Ledger const& ledger, Screen const& screen) {
  TimeText const in_unit(ledger);
  ledger::LedgerLines const& total = ledger.total;
  Seconds const all = total.wallclock();
  TextTable table("jobs that ended as|slot time spent on|>time|>share");
  ledger::SlotTimeLine const* above = nullptr;
  for (auto const& line : lines_by_ending()) {
    Seconds const time = total.*line.time;
    bool const hidden = ledger.retries_opaque &&
                        ledger::find_metric(line.name)->scope == ledger::MetricScope::open_site;
    if (time == Seconds() && !hidden) continue;
    bool const repeated = above != nullptr && above->ended == line.ended;
    above = &line;
    table.add_row({repeated ? "" : std::string(words(line.ended)), std::string(line.spent_on),
                   hidden ? "no value" : in_unit(time), hidden ? "-" : percent(time, all)});
  }
  table.add_rule();
  table.add_row({"any", "lost (badput)", in_unit(total.badput()), percent(total.badput(), all)});
  table.add_row({"any", "all slot time", in_unit(total.wallclock()), percent(all, all)});
  return table.str(screen);
}

std::string opacity_line(ledger::Ledger const& ledger) {
  TimeText const in_unit(ledger);
  ledger::LedgerLines const& total = ledger.total;
  Seconds const retried = total.transfer_retried + total.transfer_retried_unsuccessful;
  if (!ledger.retries_opaque || retried == Seconds()) return "";
  Seconds const proven = total.transfer_retried_evicted_compute;
  return fmt::format(
      "{1} ({2}) of the {0} before the last transfers is proven to be evicted computing.\n"
      "The source does not separate evicted computing and waiting in the rest.\n",
      in_unit(retried), in_unit(proven), percent(proven, retried));
}

std::string event_lines(ledger::Ledger const& ledger) {
  TimeText const in_unit(ledger);
  ledger::LedgerLines const& total = ledger.total;
  std::string text = fmt::format(
      "{}{}, {}\n",
      total.ends_unrecorded > 0
          ? fmt::format("{} without an ending in the ads (stalled, evicted or else), ",
                        counted(total.ends_unrecorded, "attempt"))
          : fmt::format("{} ended by the stall timer, {}, ", counted(total.stalls, "transfer"),
                        counted(total.evictions, "eviction")),
      counted(total.holds, "hold"), counted(total.releases, "release"));
  if (ledger.client_stalls) {
    text += fmt::format(
        "the transfer client gave up {} at a cache for want of bytes\n",
        *ledger.client_stalls == 1 ? "1 try" : fmt::format("{} tries", *ledger.client_stalls));
  }
  if (!ledger.retries_opaque && total.attempts > 0) {
    text += fmt::format("{}, {}, {}, {}, {}\n", counted(total.attempts, "attempt"),
                        counted(total.executions, "execution"), counted(total.requeues, "requeue"),
                        counted(total.checkpoints, "checkpoint"),
                        counted(total.disconnects, "disconnection"));
  }
  if (ledger.match_to_done_mean && ledger.match_to_done_median) {
    text += fmt::format("first match to completion, successful jobs: mean {}, median {}\n",
                        in_unit(*ledger.match_to_done_mean, 2),
                        in_unit(*ledger.match_to_done_median, 2));
  }
  text += fmt::format("makespan: {}\n",
                      ledger.makespan ? to_text(*ledger.makespan) : "not known (no dates)");
  return text;
}

std::string site_table(ledger::Ledger const& ledger, Screen const& screen) {
  TimeText const in_unit(ledger);
  TextTable table("site|>succeeded|>median|>stalls|>evicted|>slot time|>lost");
  auto all_executions = ledger::successful_executions(ledger);
  auto const count = [](std::size_t n, ledger::LedgerLines const& lines) {
    return lines.ends_unrecorded > 0 ? "-" : fmt::to_string(n);
  };
  auto add = [&](std::string const& site, ledger::LedgerLines const& lines) {
    auto const& executions = all_executions[site];
    table.add_row({site_label(site), fmt::format("{} of {}", lines.succeeded, lines.jobs),
                   executions.empty() ? "-" : in_unit(Seconds(median(executions)), 2),
                   count(lines.stalls, lines), count(lines.evictions, lines),
                   in_unit(lines.wallclock()), in_unit(lines.badput())});
  };
  for (auto const& [site, lines] : ledger.sites) {
    if (!site.empty()) add(site, lines);
  }
  // Last, because it is no site.
  auto const nowhere = ledger.sites.find("");
  if (nowhere != ledger.sites.end()) add(nowhere->first, nowhere->second);
  return table.str(screen) + "Median: the median execution of the jobs that succeeded.\n";
}

/// The classes that the campaign knew, all or only those on a slot.
std::vector<ledger::TimeClass> known_classes(ledger::TimeClasses const& total, bool only_slots) {
  std::vector<ledger::TimeClass> known;
  for (auto c : ledger::all_time_classes()) {
    if (total[c] != Seconds() && (ledger::has_slot(c) || !only_slots)) known.push_back(c);
  }
  return known;
}

std::string column_title(ledger::TimeClass time_class) {
  switch (time_class) {
    case ledger::TimeClass::transfer_input:
      return "input";
    case ledger::TimeClass::transfer_output:
      return "output";
    case ledger::TimeClass::cool_down:
      return "cool-down";
    default:
      return std::string(name(time_class));
  }
}

std::string time_text(Seconds time) { return time == Seconds() ? "-" : to_text(time); }

std::string total_table(ledger::TimeClasses const& classes, Screen const& screen) {
  TextTable table("from first event to last, jobs were|>time|>share");
  Seconds const all = classes.total();
  for (auto c : known_classes(classes, false)) {
    table.add_row({std::string(ledger::words(c)), to_text(classes[c]), percent(classes[c], all)});
  }
  table.add_rule();
  table.add_row({"in all", to_text(all), percent(all, all)});
  return table.str(screen);
}

/// The classes that took most time, in their own order, for a table of one screen.
std::vector<ledger::TimeClass> largest_classes(ledger::TimeClasses const& total) {
  constexpr std::size_t most = 4;
  auto const all = known_classes(total, true);
  auto by_time = all;
  std::ranges::stable_sort(by_time, [&](auto a, auto b) { return total[a] > total[b]; });
  by_time.resize(std::min(by_time.size(), most));
  std::vector<ledger::TimeClass> largest;
  for (auto c : all) {
    if (contains(by_time, c)) largest.push_back(c);
  }
  return largest;
}

std::string site_classes_table(ledger::Ledger const& ledger, Screen const& screen) {
  auto const classes = largest_classes(ledger.classes);
  bool const others = classes.size() < known_classes(ledger.classes, true).size();
  std::string columns = "time on slots at";
  for (auto c : classes) columns += "|>" + column_title(c);
  TextTable table(columns + (others ? "|>other" : ""));
  for (auto const& [site, times] : ledger.site_classes) {
    if (times.slot_time() == Seconds()) continue;
    std::vector<std::string> cells = {site.empty() ? "(site not known)" : site};
    Seconds rest = times.slot_time();
    for (auto c : classes) {
      cells.push_back(time_text(times[c]));
      rest -= times[c];
    }
    if (others) cells.push_back(time_text(rest));
    table.add_row(std::move(cells));
  }
  return table.str(screen);
}

/// The advice, each once, with the reasons that it is for in the order of their cost.
std::string advice_text(std::vector<ReasonWords> const& all, Screen const& screen) {
  std::string text;
  std::set<std::string> shown_advice;
  std::size_t const width = std::min<std::size_t>(screen.width, 100);
  for (auto const& words : all) {
    if (words.advice.empty() || !shown_advice.insert(words.what + words.advice).second) continue;
    text += fitted("  " + words.what, screen) + "    " +
            paragraph(printable(words.advice, screen.charset), {width, 4, 4});
  }
  return text.empty() ? text : "Advice\n" + text;
}

/// If they differ from the hours of slots.
std::string gpu_line(ledger::Ledger const& ledger) {
  if (ledger.gpu_time == ledger.total.wallclock() || ledger.gpu_time == Seconds()) return "";
  return fmt::format("GPU hours: {:.1f}, the hours of slots times their GPUs\n",
                     ledger.gpu_time / hours(1));
}

/// Time that the table lacks.
std::string unrecorded_line(ledger::Ledger const& ledger) {
  if (ledger.total.attempts_unrecorded == 0) return "";
  return fmt::format("Not in the record: {}, whose slot time was lost\n",
                     counted(ledger.total.attempts_unrecorded, "earlier attempt"));
}

std::string sites_table(history::BytesBySite const& sites, Screen const& screen) {
  TextTable table("bytes moved at|>received|>sent");
  history::MovedBytes all;
  for (auto const& [site, moved] : sites) {
    table.add_row({site_label(site), to_text(moved.received), to_text(moved.sent)});
    all += moved;
  }
  table.add_rule();
  table.add_row({"in all", to_text(all.received), to_text(all.sent)});
  return table.str(screen);
}

std::string caches_table(std::map<std::string, ledger::CacheTraffic> const& caches,
                         Screen const& screen) {
  TextTable table("from cache|>received|>tries|>arrived|>given up|>failed");
  for (auto const& [name, cache] : caches) {
    table.add_row({name.empty() ? "(unknown)" : name, to_text(cache.received),
                   std::to_string(cache.tries), std::to_string(cache.arrived),
                   std::to_string(cache.given_up), std::to_string(cache.failed)});
  }
  return table.str(screen);
}

std::vector<std::string> group_row(std::string const& name, ledger::LedgerLines const& lines,
                                   bool complete) {
  double const lost = lines.badput() / hours(1);
  return {name,
          std::to_string(lines.jobs),
          std::to_string(lines.succeeded),
          fmt::format("{:.1f} h", lines.wallclock() / hours(1)),
          complete ? fmt::format("{:.0f} %", 100 * lines.goodput_fraction()) : "-",
          complete   ? fmt::format("{:.1f} h", lost)
          : lost > 0 ? fmt::format("at least {:.1f} h", lost)
                     : "-"};
}

}  // namespace

std::string site_label(std::string const& name) { return name.empty() ? "(no site)" : name; }

std::string ledger_text(ledger::Ledger const& ledger, Screen const& screen) {
  return fitted(outcome_line(ledger.total), screen) + "\n" + time_table(ledger, screen) + "\n" +
         fitted(opacity_line(ledger) + event_lines(ledger) + gpu_line(ledger) +
                    unrecorded_line(ledger),
                screen) +
         "\n" + site_table(ledger, screen);
}

std::string whole_ledger_text(ledger::Ledger const& ledger, Screen const& screen) {
  std::string text = ledger_text(ledger, screen);
  for (auto const& section : {classes_text(ledger, screen), reasons_text(ledger, screen)}) {
    if (!section.empty()) text += "\n" + section;
  }
  return text;
}

std::string classes_text(ledger::Ledger const& ledger, Screen const& screen) {
  if (!ledger.dated || ledger.classes.total() == Seconds()) return "";
  return total_table(ledger.classes, screen) + "\n" + site_classes_table(ledger, screen);
}

std::string jobs_text(ledger::Ledger const& ledger, Screen const& screen) {
  TextTable table("job|outcome|last site|>attempts|>in queue|>in slots");
  for (std::size_t j = 0; j < ledger.jobs.size(); ++j) {
    ledger::JobAccount const& job = ledger.jobs[j];
    std::string const site =
        job.last_site.valid() ? ledger.site_names[job.last_site.index()] : std::string();
    Seconds const in_slots = job.classes.slot_time();
    table.add_row({history::name_of_job(ledger.job_names, ledger.own_names, j),
                   std::string(name(job.standing)), site_label(site), fmt::to_string(job.attempts),
                   time_text(job.classes.total() - in_slots), time_text(in_slots)});
  }
  return table.str(screen);
}

std::string reasons_text(ledger::Ledger const& ledger, Screen const& screen) {
  if (!ledger.dated || ledger.endings.empty()) return "";
  TextTable table("jobs were|because|>times|>jobs|>slot time lost|>held for");
  std::vector<ReasonWords> all;
  for (auto const& row : ledger.endings) {
    all.push_back(words_of(row.ending, ledger.batch_system));
    table.add_row({std::string(ending_word(row.ending.kind)), all.back().what,
                   fmt::to_string(row.times), fmt::to_string(row.jobs),
                   time_text(row.slot_time_lost), time_text(row.held)});
  }
  std::string const advice = advice_text(all, screen);
  return table.str(screen) + (advice.empty() ? "" : "\n" + advice);
}

std::string traffic_text(ledger::Traffic const& traffic, Screen const& screen) {
  std::string text;
  if (!traffic.sites.empty()) text += sites_table(traffic.sites, screen);
  if (!traffic.caches.empty()) {
    text += (text.empty() ? "" : "\n") + caches_table(traffic.caches, screen);
  }
  return text;
}

std::string grouped_text(ledger::Ledger const& grouped, std::string const& by, std::size_t most,
                         Screen const& screen) {
  std::vector<std::pair<std::string, ledger::LedgerLines>> groups(grouped.sites.begin(),
                                                                  grouped.sites.end());
  std::ranges::stable_sort(groups, std::greater<>(),
                           [](auto const& each) { return each.second.badput(); });
  TextTable table(fmt::format("{}|>jobs|>succeeded|>slot time|>goodput|>lost", by));
  std::size_t const unrecorded = grouped.total.attempts_unrecorded;
  bool const placed = by != "site" && by != "host";  // whose attempts they were, not where
  for (std::size_t i = 0; i < std::min(most, groups.size()); ++i) {
    auto const& [name, lines] = groups[i];
    bool const complete = placed ? lines.attempts_unrecorded == 0 : unrecorded == 0;
    table.add_row(group_row(name.empty() ? "(no " + by + ")" : name, lines, complete));
  }
  table.add_rule();
  table.add_row(group_row("all", grouped.total, unrecorded == 0));
  std::string const rest =
      groups.size() > most
          ? fmt::format("{} more: --details.\n", counted(groups.size() - most, "group"))
          : "";
  return table.str(screen) + rest + fitted(unrecorded_line(grouped), screen);
}

std::string black_holes_text(ledger::BlackHoles const& found, Screen const& screen) {
  ledger::HostAttempts const& all = found.all;
  if (found.hosts_seen == 0) return "The record names no host.\n";
  std::string const rest =
      fmt::format("{2} of all {0} on {1} failed.\n", counted(all.ended, "attempt"),
                  counted(found.hosts_seen, "host"), all.failed);
  if (found.hosts.empty()) {
    return fitted("No host failed far more often than the others.\n" + rest, screen);
  }
  TextTable table("host|site|>attempts|>failed|>slot time lost");
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
