#include "sim/report/view/ledger.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/report/text/figure_words.hpp"
#include "sim/report/text/reason_words.hpp"

namespace gridcast::report {
namespace {

/// Every second of slot time, in the order in which a reader asks: by how the jobs ended.
std::vector<ledger::SlotTimeLine> lines_by_ending() {
  auto lines = ledger::slot_time_lines();
  std::stable_sort(lines.begin(), lines.end(),
                   [](auto const& a, auto const& b) { return a.ended < b.ended; });
  return lines;
}

// All times of a ledger in one unit, so that they can be compared: hours, or minutes where hours
// would all be small.
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

std::string percent(double part, double whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100 * part / whole) : "-";
}

std::string outcome_line(ledger::LedgerLines const& lines) {
  return fmt::format("{}: {} succeeded, {} with a wrong output, {} held, {} removed, {} unfinished",
                     counted(lines.jobs, "job"), lines.succeeded, lines.wrong_output, lines.held,
                     lines.removed, lines.unfinished);
}

TextTable time_table(ledger::Ledger const& ledger) {
  TimeText const in_unit(ledger);
  ledger::LedgerLines const& total = ledger.total;
  double const all = total.wallclock().value();
  TextTable table(text_columns("jobs that ended as|slot time spent on|>time|>share|"));
  double largest = 0;
  auto const lines = lines_by_ending();
  for (auto const& line : lines) largest = std::max(largest, (total.*line.time).value());
  ledger::SlotTimeLine const* above = nullptr;
  for (auto const& line : lines) {
    Seconds const time = total.*line.time;
    bool const hidden = ledger.retries_opaque &&
                        ledger::find_metric(line.name)->told_of == ledger::ToldOf::open_site;
    if (time == Seconds() && !hidden) continue;
    bool const repeated = above != nullptr && above->ended == line.ended;
    above = &line;
    table.add_row({repeated ? "" : std::string(words(line.ended)), std::string(line.spent_on),
                   hidden ? "not told" : in_unit(time), hidden ? "-" : percent(time.value(), all),
                   TextCell::bar(time.value() / largest, line.lost ? Style::bad : Style::good)});
  }
  table.add_rule();
  table.add_row(
      {"any", "lost (badput)", in_unit(total.badput()), percent(total.badput().value(), all), ""});
  table.add_row({"any", "all slot time", in_unit(total.wallclock()), percent(all, all), ""});
  return table;
}

std::string opacity_line(ledger::Ledger const& ledger) {
  TimeText const in_unit(ledger);
  ledger::LedgerLines const& total = ledger.total;
  Seconds const retried = total.transfer_retried + total.transfer_retried_unsuccessful;
  if (!ledger.retries_opaque || retried == Seconds()) return "";
  Seconds const proven = total.transfer_retried_evicted_compute;
  return fmt::format(
      "Of the {} before the last transfers, {} ({}) is proven to be evicted computing.\n"
      "How much of the rest is evicted computing or waiting, the source does not tell.",
      in_unit(retried), in_unit(proven), percent(proven.value(), retried.value()));
}

/// GPU hours, where they differ from the hours of slots.
std::string gpu_line(ledger::Ledger const& ledger) {
  if (ledger.gpu_time == ledger.total.wallclock() || ledger.gpu_time == Seconds()) return "";
  return fmt::format("GPU hours: {:.1f}, the hours of slots times their GPUs",
                     ledger.gpu_time / hours(1));
}

Section event_lines(ledger::Ledger const& ledger) {
  TimeText const in_unit(ledger);
  ledger::LedgerLines const& total = ledger.total;
  Section section{"events", "Events"};
  section.say(opacity_line(ledger))
      .say(fmt::format(
          "{}{}, {}",
          total.ends_untold > 0
              ? fmt::format(
                    "{} of which the ads do not tell how they ended (stalled, evicted or else), ",
                    counted(total.ends_untold, "attempt"))
              : fmt::format("{} ended by the stall timer, {}, ", counted(total.stalls, "transfer"),
                            counted(total.evictions, "eviction")),
          counted(total.holds, "hold"), counted(total.releases, "release")));
  if (ledger.client_stalls) {
    section.say(fmt::format(
        "the transfer client gave up {} at a cache for want of bytes",
        *ledger.client_stalls == 1 ? "1 try" : fmt::format("{} tries", *ledger.client_stalls)));
  }
  if (!ledger.retries_opaque && total.attempts > 0) {
    section.say(fmt::format(
        "{}, {}, {}, {}, {}", counted(total.attempts, "attempt"),
        counted(total.executions, "execution"), counted(total.requeues, "requeue"),
        counted(total.checkpoints, "checkpoint"), counted(total.disconnects, "disconnection")));
  }
  if (ledger.match_to_done_mean && ledger.match_to_done_median) {
    section.say(fmt::format("first match to completion, successful jobs: mean {}, median {}",
                            in_unit(*ledger.match_to_done_mean, 2),
                            in_unit(*ledger.match_to_done_median, 2)));
  }
  return section
      .say(fmt::format("makespan: {}",
                       ledger.makespan ? to_text(*ledger.makespan) : "not known (no dates)"))
      .say(gpu_line(ledger));
}

TextTable site_table(ledger::Ledger const& ledger) {
  TimeText const in_unit(ledger);
  TextTable table(text_columns(
      "site|>jobs|>succeeded|>execute mean|>median|>stalls|>evictions|>slot time|>lost"));
  auto all_executions = ledger::successful_executions(ledger);
  auto const count = [](std::size_t n, ledger::LedgerLines const& lines) {
    return lines.ends_untold > 0 ? "-" : fmt::to_string(n);
  };
  auto add = [&](std::string const& site, ledger::LedgerLines const& lines) {
    auto const& executions = all_executions[site];
    bool const any = !executions.empty();
    table.add_row({site_label(site), fmt::to_string(lines.jobs), fmt::to_string(lines.succeeded),
                   any ? in_unit(Seconds(mean(executions)), 2) : "-",
                   any ? in_unit(Seconds(median(executions)), 2) : "-", count(lines.stalls, lines),
                   count(lines.evictions, lines), in_unit(lines.wallclock()),
                   in_unit(lines.badput())});
  };
  for (auto const& [site, lines] : ledger.sites) {
    if (!site.empty()) add(site, lines);
  }
  // Last, as it is no site.
  auto const nowhere = ledger.sites.find("");
  if (nowhere != ledger.sites.end()) add(nowhere->first, nowhere->second);
  return table;
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

std::vector<TextColumn> columns_of(std::vector<TextColumn> columns,
                                   std::vector<ledger::TimeClass> const& classes) {
  for (auto c : classes) columns.push_back({column_title(c), Align::right});
  return columns;
}

void add_times(std::vector<std::string>& cells, ledger::TimeClasses const& times,
               std::vector<ledger::TimeClass> const& classes) {
  for (auto c : classes) cells.push_back(times[c] == Seconds() ? "-" : to_text(times[c]));
}

TextTable total_table(ledger::TimeClasses const& classes) {
  TextTable table(text_columns("from first event to last, jobs were|>time|>share"));
  Seconds const all = classes.total();
  auto const add = [&](std::string const& words, Seconds time) {
    table.add_row({words, to_text(time), percent(time.value(), all.value())});
  };
  for (auto c : known_classes(classes, false)) add(std::string(ledger::words(c)), classes[c]);
  table.add_rule();
  add("in all", all);
  return table;
}

TextTable site_classes_table(ledger::Ledger const& ledger) {
  auto const classes = known_classes(ledger.classes, true);
  TextTable table(columns_of({{"time on slots at"}}, classes));
  for (auto const& [site, times] : ledger.site_classes) {
    if (times.slot_time() == Seconds()) continue;
    std::vector<std::string> cells = {site.empty() ? "(site not known)" : site};
    add_times(cells, times, classes);
    table.add_row(std::move(cells));
  }
  return table;
}

std::string time_text(Seconds time) { return time == Seconds() ? "-" : to_text(time); }

/// The advice, each once, with the reasons in the order of their cost.
void add_advice(Section& section, std::vector<ReasonWords> const& all) {
  std::set<std::string> given;
  for (auto const& words : all) {
    if (words.advice.empty() || !given.insert(words.what + words.advice).second) continue;
    if (given.size() == 1) section.gap().say("What to do");
    section.say("  " + words.what).say("    " + words.advice, {.hanging = 0, .widest = 100});
  }
}

TextTable sites_table(history::BytesBySite const& sites) {
  TextTable table(text_columns("bytes moved at|>received|>sent"));
  history::MovedBytes all;
  for (auto const& [site, moved] : sites) {
    table.add_row({site_label(site), to_text(moved.received), to_text(moved.sent)});
    all += moved;
  }
  table.add_rule();
  table.add_row({"in all", to_text(all.received), to_text(all.sent)});
  return table;
}

TextTable caches_table(std::map<std::string, ledger::CacheTraffic> const& caches) {
  TextTable table(text_columns("from cache|>received|>tries|>arrived|>given up|>failed"));
  for (auto const& [name, cache] : caches) {
    table.add_row({name.empty() ? "(not told)" : name, to_text(cache.received),
                   std::to_string(cache.tries), std::to_string(cache.arrived),
                   std::to_string(cache.given_up), std::to_string(cache.failed)});
  }
  return table;
}

std::string retried_share(ledger::Retried const& retried) {
  if (retried.tried == 0) return "-";
  Interval const range = retried.interval95();
  return fmt::format("{:.0f} % ({:.0f} to {:.0f})", 100 * retried.share(), 100 * range.low,
                     100 * range.high);
}

std::string counts_text(ledger::Retried const& retried) {
  return fmt::format("{} of {}, {}", retried.succeeded, retried.tried, retried_share(retried));
}

std::vector<TextCell> row(std::string const& what, ledger::RetryCause const& cause) {
  return {what,
          std::to_string(cause.failures),
          std::to_string(cause.next.tried),
          retried_share(cause.next),
          std::to_string(cause.jobs),
          std::to_string(cause.never_fixed())};
}

/// Empty unless both were tried.
std::string difference(char const* one, ledger::Retried const& a, char const* other,
                       ledger::Retried const& b) {
  if (a.tried == 0 || b.tried == 0) return "";
  double const p = ledger::p_of_difference(a, b);
  return fmt::format("{}: {}; {}: {}; {} (p = {:.2g})", one, counts_text(a), other, counts_text(b),
                     p < 0.05 ? "they differ" : "no difference to be seen", p);
}

std::string retry_cause_text(history::Ending const& ending, history::BatchSystem system) {
  std::string text(ending_word(ending.kind));
  if (ending.code != 0) text += " " + code_text(ending.code, ending.subcode);
  if (ending.exit_code != 0) text += fmt::format(", exit {}", ending.exit_code);
  return text + ": " + words_of(ending, system).what;
}

std::vector<std::string> what_retries_hang_on(ledger::Retries const& retries) {
  ledger::RetryCause const& all = retries.all;
  std::vector<std::string> lines = {
      difference("at the same site", all.same_site, "at another", all.other_site),
      difference("on the same host", all.same_host, "on another", all.other_host)};
  for (std::size_t i = 0; i < all.by_wait.size(); ++i) {
    if (all.by_wait[i].tried == 0) continue;
    lines.push_back(fmt::format("after waiting {}: {}", words(static_cast<ledger::RetryWait>(i)),
                                counts_text(all.by_wait[i])));
  }
  for (std::size_t i = 0; i < all.by_number.size(); ++i) {
    if (all.by_number[i].tried == 0) continue;
    lines.push_back(fmt::format("when attempt {}{} had failed: {}", i + 1,
                                i + 1 == all.by_number.size() ? " or a later one" : "",
                                counts_text(all.by_number[i])));
  }
  std::erase(lines, "");
  return lines;
}

}  // namespace

std::vector<Section> ledger_sections(ledger::Ledger const& ledger) {
  return {Section{"outcomes", "Outcomes"}.say(outcome_line(ledger.total)),
          Section{"time-lines", "Slot time by line"}.show(time_table(ledger)), event_lines(ledger),
          ledger_sites(ledger)};
}

std::vector<Section> whole_ledger_sections(ledger::Ledger const& ledger) {
  auto sections = ledger_sections(ledger);
  sections.push_back(time_classes(ledger));
  sections.push_back(reasons(ledger));
  return sections;
}

Section ledger_sites(ledger::Ledger const& ledger) {
  return Section{"sites", "Sites"}.show(site_table(ledger));
}

Section time_classes(ledger::Ledger const& ledger) {
  Section section{"classes", "What jobs were doing"};
  if (!ledger.dated || ledger.classes.total() == Seconds()) return section;
  return section.show(total_table(ledger.classes)).gap().show(site_classes_table(ledger));
}

Section each_job(ledger::Ledger const& ledger, std::size_t most) {
  auto const classes = known_classes(ledger.classes, false);
  TextTable table(columns_of(text_columns("job|outcome|last site|>attempts|>runs"), classes));
  std::vector<std::size_t> shown(ledger.jobs.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (shown.size() > most) {
    std::stable_sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
      return ledger.jobs[a].attempts > ledger.jobs[b].attempts;
    });
    shown.resize(most);
  }
  for (std::size_t const j : shown) {
    ledger::JobAccount const& job = ledger.jobs[j];
    std::string const site =
        job.last_site.valid() ? ledger.site_names[job.last_site.index()] : std::string();
    std::vector<std::string> cells = {history::name_of_job(ledger.job_names, ledger.own_names, j),
                                      std::string(name(job.standing)), site_label(site),
                                      fmt::to_string(job.attempts), fmt::to_string(job.executions)};
    add_times(cells, job.classes, classes);
    table.add_row(std::move(cells));
  }
  return Section{"jobs", "Each job"}
      .show(std::move(table))
      .say(shown.size() == ledger.jobs.size()
               ? ""
               : fmt::format("Shown: the {} with the most attempts of {} jobs.", most,
                             ledger.jobs.size()));
}

Section reasons(ledger::Ledger const& ledger) {
  Section section{"reasons", "Why jobs lost their slots"};
  if (!ledger.dated || ledger.endings.empty()) return section;
  TextTable table(text_columns("jobs were|because|>times|>jobs|>slot time lost|>held for"));
  std::vector<ReasonWords> all;
  for (auto const& row : ledger.endings) {
    all.push_back(words_of(row.ending, ledger.batch_system));
    table.add_row({std::string(ending_word(row.ending.kind)), all.back().what,
                   fmt::to_string(row.times), fmt::to_string(row.jobs),
                   time_text(row.slot_time_lost), time_text(row.held)});
  }
  section.show(std::move(table));
  add_advice(section, all);
  return section;
}

Section bytes_moved(ledger::Traffic const& traffic) {
  Section section{"traffic", "Bytes moved"};
  if (!traffic.sites.empty()) section.show(sites_table(traffic.sites));
  if (traffic.caches.empty()) return section;
  if (!traffic.sites.empty()) section.gap();
  return section.show(caches_table(traffic.caches));
}

Section retries(ledger::Retries const& retries) {
  Section section{"retries", "Do retries help?"};
  if (retries.all.failures == 0) return section.say("No attempt failed.");
  TextTable table(text_columns(
      "attempts ended by|>failures|>tried again|>next one succeeded|>jobs|>never fixed"));
  for (ledger::RetryCause const& cause : retries.causes) {
    table.add_row(row(retry_cause_text(cause.ending, retries.batch_system), cause));
  }
  table.add_rule();
  table.add_row(row("all", retries.all));
  section.say("Do retries help? (95 % intervals)").show(std::move(table));
  auto const lines = what_retries_hang_on(retries);
  if (lines.empty()) {
    return section.say("No attempt that failed was followed by another that ended.");
  }
  section.say("After all failures together, the next attempt succeeded");
  for (std::string const& line : lines) section.say("  " + line, {.widest = 0});
  return section;
}

}  // namespace gridcast::report
