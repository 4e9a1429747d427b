#include "sim/history/job_table.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/log_input.hpp"
#include "sim/history/csv.hpp"

namespace gridcast::history {
namespace {

enum Column : std::size_t {
  cluster,
  proc,
  sites,
  outcome,
  execute_s,
  slot_busy_s,
  input_transfer_total_s,
  input_transfer_last_s,
  stalls,
  holds_released,
  evictions,
  note,
  user,
  column_count
};

// In the order of Column.
constexpr std::array<std::string_view, column_count> column_names = {"cluster",
                                                                     "proc",
                                                                     "sites",
                                                                     "outcome",
                                                                     "execute_s",
                                                                     "slot_busy_s",
                                                                     "input_transfer_total_s",
                                                                     "input_transfer_last_s",
                                                                     "stalls",
                                                                     "holds_released",
                                                                     "evictions",
                                                                     "note",
                                                                     "user"};

// In the order of Outcome.
constexpr std::array<std::string_view, 8> outcome_names = {
    "success",       "wrong_output", "held_404",      "held_duration",
    "held_transfer", "held_size",    "removed_stuck", "unfinished"};

// Shortest text that reads back as the same number; whole seconds without a point.
std::string number(std::optional<Seconds> time) {
  return time ? fmt::format("{}", time->value()) : std::string();
}

std::string joined(std::vector<Seconds> const& times) {
  std::vector<double> const seconds = each_of(times, &Seconds::value);
  return fmt::format("{}", fmt::join(seconds, "|"));
}

constexpr std::int64_t largest_id = 4'294'967'294;
// A count is a number of events; more than this is a slip, and would fill the memory.
constexpr std::int64_t most_events = 1'000'000;

// Reads one file. Rows that can be read are checked for impossible contents.
class TableReader {
 public:
  TableReader(std::string file, std::map<JobName, Location>& seen, std::vector<JobRow>& rows,
              std::vector<Problem>& problems)
      : file_(std::move(file)),
        seen_(seen),
        rows_(rows),
        problems_(problems),
        reader_(file_, problems) {}

  void read(std::string_view text) {
    std::size_t const problems_before = problems_.size();
    auto const lines = parse_csv(text, file_, problems_);
    bool const whole = problems_.size() == problems_before;
    if (lines.empty()) {
      if (whole) report_file("the file is empty", "a job table begins with a header");
      return;
    }
    // A broken line above the first readable one was the header.
    if (!whole && problems_[problems_before].where.line < lines.front().front().line) return;
    if (!read_header(lines.front())) return;
    if (lines.size() == 1 && whole) report_file("no jobs", "the file holds a header and no row");
    for (std::size_t i = 1; i < lines.size(); ++i) read_row(lines[i]);
  }

 private:
  void report_file(std::string const& what, std::string const& why) {
    add_problem(problems_, {file_}, what, why);
  }

  bool read_header(CsvRow const& header) {
    std::size_t const problems_before = problems_.size();
    places_.fill(absent);
    width_ = header.size();
    for (std::size_t i = 0; i < header.size(); ++i) {
      auto const column = reader_.one_of(header[i], "column", column_names);
      if (!column) continue;
      if (places_[*column] != absent) {
        reader_.report(header[i], fmt::format("column '{}' twice", column_names[*column]));
      }
      places_[*column] = i;
    }
    std::string missing;
    for (std::size_t column = 0; column < column_count; ++column) {
      if (column == note || column == user || places_[column] != absent) continue;
      missing += fmt::format("{}column '{}' is missing", missing.empty() ? "" : ", ",
                             column_names[column]);
    }
    if (!missing.empty()) reader_.report(header.front(), missing);
    return problems_.size() == problems_before;
  }

  void read_row(CsvRow const& cells) {
    if (cells.size() != width_) {
      reader_.report(cells.front(),
                     fmt::format("{} cells where the header has {}", cells.size(), width_));
      return;
    }
    cells_ = &cells;
    JobRow row;
    std::size_t const problems_before = problems_.size();
    row.name.cluster = static_cast<std::uint32_t>(count(cluster, largest_id));
    row.name.proc = static_cast<std::uint32_t>(count(proc, largest_id));
    row.sites = reader_.names(cell(sites), column_names[sites]);
    auto const ended = reader_.one_of(cell(outcome), "outcome", outcome_names);
    row.outcome = static_cast<Outcome>(ended.value_or(0));
    row.execute = reader_.times(cell(execute_s), column_names[execute_s]);
    row.slot_busy = reader_.times(cell(slot_busy_s), column_names[slot_busy_s]);
    row.transfer_total = time(input_transfer_total_s);
    row.transfer_last = time(input_transfer_last_s);
    row.stalls = static_cast<int>(count(stalls, most_events));
    row.holds_released = static_cast<int>(count(holds_released, most_events));
    row.evictions = static_cast<int>(count(evictions, most_events));
    if (places_[note] != absent) row.note = cell(note).text;
    if (places_[user] != absent) row.user = cell(user).text;

    // Unreadable cells are no evidence on how they fit together.
    if (problems_.size() == problems_before) check_row(row);
    rows_.push_back(std::move(row));
  }

  void check_row(JobRow const& row) {
    auto const& first = cell(cluster);
    auto const [seen, is_new] =
        seen_.try_emplace(row.name, Location{file_, first.line, first.column});
    if (!is_new) {
      reader_.report(
          first, fmt::format("job {} twice", to_text(row.name)),
          fmt::format("it is in {}, line {}, too", seen->second.file, seen->second.line));
    }
    auto const& last_cell = cell(input_transfer_last_s);
    if (row.transfer_last && !row.transfer_total) {
      reader_.report(last_cell, "a last transfer without a total", "the total includes it");
    } else if (row.transfer_last && *row.transfer_last > *row.transfer_total) {
      reader_.report(last_cell,
                     fmt::format("last transfer of {} s in a total of {} s",
                                 row.transfer_last->value(), row.transfer_total->value()),
                     "the total includes it");
    }
    if (row.outcome == Outcome::success && row.execute.empty()) {
      reader_.report(cell(execute_s), "no execution", "a successful job has run");
    }
    check_slot_busy(row);
  }

  void check_slot_busy(JobRow const& row) {
    auto const& busy_cell = cell(slot_busy_s);
    if (row.slot_busy.size() > row.execute.size()) {
      reader_.report(busy_cell, fmt::format("{} slot-busy times for {} executions",
                                            row.slot_busy.size(), row.execute.size()));
      return;
    }
    for (std::size_t i = 0; i < row.slot_busy.size(); ++i) {
      if (row.slot_busy[i] >= row.execute[i]) continue;
      reader_.report(busy_cell,
                     fmt::format("slot busy for {} s, execution of {} s", row.slot_busy[i].value(),
                                 row.execute[i].value()),
                     "the slot is busy while the job executes");
    }
  }

  CsvCell const& cell(Column column) const { return (*cells_)[places_[column]]; }
  std::int64_t count(Column column, std::int64_t most) {
    return reader_.count(cell(column), column_names[column], most);
  }
  std::optional<Seconds> time(Column column) {
    return reader_.time(cell(column), column_names[column]);
  }

  static constexpr std::size_t absent = static_cast<std::size_t>(-1);

  std::string file_;
  std::map<JobName, Location>& seen_;
  std::vector<JobRow>& rows_;
  std::vector<Problem>& problems_;
  CellReader reader_;
  std::size_t width_ = 0;
  std::array<std::size_t, column_count> places_{};  // column -> cell of a row
  CsvRow const* cells_ = nullptr;                   // the row that is read
};

}  // namespace

bool names_no_site(JobHistory const& history) {
  return std::ranges::all_of(history.sites,
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
  if (std::ranges::any_of(table.rows, named)) return;
  for (JobRow& row : table.rows) {
    bool const in_slot = row.transfer_total || !row.execute.empty() || !row.slot_busy.empty() ||
                         row.stalls + row.holds_released + row.evictions > 0;
    if (in_slot) row.sites = {std::string(unknown_site)};
  }
}

std::string_view name(Outcome outcome) { return outcome_names[static_cast<std::size_t>(outcome)]; }

bool is_held(Outcome outcome) {
  using enum Outcome;
  return is_one_of(outcome, {held_404, held_duration, held_transfer, held_size});
}

std::string job_table_header(bool users) {
  auto const end = column_names.begin() + (users ? column_count : user);
  return fmt::format("{}\n", fmt::join(column_names.begin(), end, ","));
}

void add_csv_row(std::string& text, JobRow const& row, bool users) {
  fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{}", row.name.cluster,
                 row.name.proc, csv_cell(joined_names(row.sites)), name(row.outcome),
                 joined(row.execute), joined(row.slot_busy), number(row.transfer_total),
                 number(row.transfer_last), row.stalls, row.holds_released, row.evictions,
                 csv_cell(row.note));
  if (users) text += "," + csv_cell(row.user);
  text += '\n';
}

JobTable read_job_table(std::filesystem::path const& file) { return read_job_tables({file}); }

JobTable read_job_tables(std::vector<std::filesystem::path> const& files) {
  JobTable table;
  std::map<JobName, Location> seen;
  std::vector<Problem> problems;
  for (auto const& file : files) {
    collect(problems, [&] {
      TableReader(file.string(), seen, table.rows, problems).read(read_record_text(file));
    });
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  name_unknown_site(table);
  return table;
}

}  // namespace gridcast::history
