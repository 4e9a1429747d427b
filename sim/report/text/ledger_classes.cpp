#include "sim/report/text/ledger_classes.hpp"

#include <vector>

#include <fmt/format.h>

#include "sim/report/text/ledger_text.hpp"
#include "sim/report/text/table.hpp"

namespace gridcast::report {
namespace {

std::string share_of(Seconds part, Seconds whole) {
  return whole > Seconds() ? fmt::format("{:.1f} %", 100 * (part / whole)) : "-";
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

std::string total_table(ledger::TimeClasses const& classes, Screen const& screen) {
  TextTable table(
      {{"from first event to last, jobs were"}, {"time", Align::right}, {"share", Align::right}});
  Seconds const all = classes.total();
  for (auto c : known_classes(classes, false)) {
    table.add_row({std::string(ledger::words(c)), to_text(classes[c]), share_of(classes[c], all)});
  }
  table.add_rule();
  table.add_row({"in all", to_text(all), share_of(all, all)});
  return table.str(screen);
}

std::string site_table(ledger::Ledger const& ledger, Screen const& screen) {
  auto const classes = known_classes(ledger.classes, true);
  TextTable table(columns_of({{"time on slots at"}}, classes));
  for (auto const& [site, times] : ledger.site_classes) {
    if (times.slot_time() == Seconds()) continue;
    std::vector<std::string> cells = {site.empty() ? "(site not known)" : site};
    add_times(cells, times, classes);
    table.add_row(std::move(cells));
  }
  return table.str(screen);
}

}  // namespace

std::string classes_text(ledger::Ledger const& ledger, Screen const& screen) {
  if (!ledger.dated || ledger.classes.total() == Seconds()) return "";
  return total_table(ledger.classes, screen) + "\n" + site_table(ledger, screen);
}

std::string jobs_text(ledger::Ledger const& ledger, Screen const& screen) {
  auto const classes = known_classes(ledger.classes, false);
  TextTable table(columns_of(
      {{"job"}, {"outcome"}, {"last site"}, {"attempts", Align::right}, {"runs", Align::right}},
      classes));
  for (std::size_t j = 0; j < ledger.jobs.size(); ++j) {
    ledger::JobAccount const& job = ledger.jobs[j];
    std::string const site =
        job.last_site.valid() ? ledger.site_names[job.last_site.index()] : std::string();
    std::vector<std::string> cells = {to_text(ledger.job_names[j]), std::string(name(job.standing)),
                                      site_label(site), fmt::to_string(job.attempts),
                                      fmt::to_string(job.executions)};
    add_times(cells, job.classes, classes);
    table.add_row(std::move(cells));
  }
  return table.str(screen);
}

}  // namespace gridcast::report
