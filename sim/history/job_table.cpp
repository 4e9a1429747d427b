#include "sim/history/job_table.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "sim/history/csv.hpp"

namespace gridcast::history {
namespace {

// Shortest text that reads back as the same number; whole seconds without a point.
std::string number(Seconds time) { return fmt::format("{}", time.value()); }

std::string number(std::optional<Seconds> time) { return time ? number(*time) : std::string(); }

std::string joined(std::vector<Seconds> const& times) {
  std::string text;
  for (Seconds time : times) text += (text.empty() ? "" : "|") + number(time);
  return text;
}

std::string joined(std::vector<std::string> const& names) {
  std::string text;
  for (auto const& part : names) text += (text.empty() ? "" : "|") + part;
  return text;
}

}  // namespace

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::success:
      return "success";
    case Outcome::wrong_output:
      return "wrong_output";
    case Outcome::held_404:
      return "held_404";
    case Outcome::held_duration:
      return "held_duration";
    case Outcome::held_transfer:
      return "held_transfer";
    case Outcome::held_size:
      return "held_size";
    case Outcome::removed_stuck:
      return "removed_stuck";
    case Outcome::unfinished:
      return "unfinished";
  }
  return "unfinished";
}

bool is_held(Outcome outcome) {
  return outcome == Outcome::held_404 || outcome == Outcome::held_duration ||
         outcome == Outcome::held_transfer || outcome == Outcome::held_size;
}

std::string job_table_header(bool users) {
  std::string const columns =
      "cluster,proc,sites,outcome,execute_s,slot_busy_s,input_transfer_total_s,"
      "input_transfer_last_s,stalls,holds_released,evictions,note";
  return columns + (users ? ",user\n" : "\n");
}

void add_csv_row(std::string& text, JobRow const& row, bool users) {
  fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{}", row.name.cluster,
                 row.name.proc, csv_cell(joined(row.sites)), name(row.outcome), joined(row.execute),
                 joined(row.slot_busy), number(row.transfer_total), number(row.transfer_last),
                 row.stalls, row.holds_released, row.evictions, csv_cell(row.note));
  if (users) text += "," + csv_cell(row.user);
  text += '\n';
}

std::string to_csv(JobTable const& table) {
  bool const users = std::any_of(table.rows.begin(), table.rows.end(),
                                 [](JobRow const& row) { return !row.user.empty(); });
  std::string text = job_table_header(users);
  for (auto const& row : table.rows) add_csv_row(text, row, users);
  return text;
}

}  // namespace gridcast::history
