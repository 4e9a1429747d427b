#include "sim/import/table/attempt_table.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/import/table/attempt_retries.hpp"
#include "sim/import/table/attempt_row_reader.hpp"
#include "sim/import/table/recognised_columns.hpp"
#include "sim/import/table/table_order.hpp"
#include "sim/import/table/table_text.hpp"
#include "sim/import/table/table_times.hpp"

namespace gridcast::import {
namespace {

namespace fs = std::filesystem;

std::string joined(std::vector<std::string> const& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

bool is_number(std::string const& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789.") == std::string::npos;
}

/// The refusal of an unknown header, with the columns that are recognised.
Problem unknown_header(std::string const& file, TableText& table) {
  constexpr std::size_t rows_looked_at = 200;
  std::vector<std::string> const& header = table.header();
  for (std::string const& cell : header) {
    if (cell.find('\0') != std::string::npos) {
      return {{file, 1},
              "is a binary file",
              "its first row holds NUL bytes",
              "A text file is needed: unpack it if it is compressed, convert it if it is UTF-16."};
    }
  }
  std::vector<ColumnCells> const cells = cells_of(table, rows_looked_at);
  ColumnMap const known =
      recognised_columns(header, without_times(header, cells), with_reasons(header, cells));
  ColumnFit const fit = fit_columns(known, header);
  std::vector<std::string> recognised, missing;
  for (AttemptColumn const column : fit.found) {
    recognised.push_back(fmt::format("{} = '{}'", name(column), known.of(column).front().column));
  }
  for (AttemptColumn const column : fit.missing) missing.emplace_back(name(column));
  std::string hint =
      "Write a map with: gridcast import columns FILE -o map.yaml; then add --columns map.yaml.";
  for (std::string_view const shipped : shipped_maps) {
    auto const map = shipped_map(shipped);
    if (map && fit_columns(*map, header).missing.empty()) {
      hint = fmt::format(
          "Add --columns {}, a map that fits. Another one: gridcast import columns FILE.", shipped);
    }
  }
  bool const values = recognised.empty() && std::any_of(header.begin(), header.end(), is_number);
  return {{file, 1},
          fmt::format("{} of its {} columns are recognised{}{}{}", recognised.size(), header.size(),
                      recognised.empty() ? "" : ": ", joined(recognised),
                      missing.empty() ? "" : "; missing: " + joined(missing)),
          values ? "its first row holds values, where the names of the columns should be"
                 : "it is neither gridcast's table of attempts nor its table of jobs",
          values ? "Put a row of names first." : hint};
}

/// The columns that a map needs and the table has not; twice the same name.
void check_header(ColumnMap const& map, bool mapped, std::string const& file, TableText& table,
                  TableReport& report) {
  std::vector<std::string> const& header = table.header();
  ColumnFit const fit = fit_columns(map, header);
  if (!fit.missing.empty()) {
    if (!mapped) throw InputError(unknown_header(file, table));
    std::vector<Problem> problems;
    for (AttemptColumn const column : fit.missing) {
      std::vector<std::string> wanted;
      for (ColumnSource const& source : map.of(column)) wanted.push_back("'" + source.column + "'");
      problems.push_back({{file, 1},
                          fmt::format("no column for {}", name(column)),
                          wanted.empty() ? "the map names none" : "the map names " + joined(wanted),
                          fmt::format("It is {}.", row_of(column).meaning)});
    }
    throw InputError(std::move(problems));
  }
  std::set<std::string> seen;
  for (std::string const& column : header) {
    if (!column.empty() && !seen.insert(column).second) {
      report.note(
          {{file, 1}, fmt::format("column '{}' is there twice", column), "the first counts", ""});
    }
  }
}

/// An attempt of a job that two rows tell, and jobs that two tables have.
class Doubles {
 public:
  explicit Doubles(AttemptTable& table) : table_(table) {}

  /// InputError for jobs of two files; rows that tell an attempt again are taken out.
  void take_out(std::vector<fs::path> const& files) {
    std::map<std::uint32_t, std::uint32_t> file_of_job;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::set<std::tuple<std::uint32_t, Seconds, std::optional<Seconds>>>
        seen_at;  // without a number
    std::vector<Problem> clashes;
    std::size_t more_clashes = 0;
    auto const again = [&](AttemptRow const& row) {
      auto const [file, fresh] = file_of_job.emplace(row.job, row.file);
      if (!fresh && file->second != row.file) {
        if (clashes.size() == TableReport::most_notes) {
          ++more_clashes;
        } else {
          clashes.push_back(clash(row, files, file->second));
        }
        return true;
      }
      bool const numbered = row.attempt > 0;
      if (!numbered && !row.started) return false;
      if (numbered ? seen.emplace(row.job, row.attempt).second
                   : seen_at.emplace(row.job, *row.started, row.ended).second) {
        return false;
      }
      ++table_.report.rows_left_out;
      table_.report.note(
          {{files[row.file].string(), static_cast<int>(row.line), 0},
           fmt::format("{} of job {} is told twice",
                       numbered ? fmt::format("attempt {}", row.attempt) : "an attempt",
                       table_.jobs[row.job]),
           "the row is left out",
           ""});
      return true;
    };
    table_.rows.erase(std::remove_if(table_.rows.begin(), table_.rows.end(), again),
                      table_.rows.end());
    if (more_clashes > 0) {
      clashes.push_back({{}, fmt::format("and {} more", counted(more_clashes, "row")), "", ""});
    }
    if (!clashes.empty()) throw InputError(std::move(clashes));
  }

 private:
  Problem clash(AttemptRow const& row, std::vector<fs::path> const& files,
                std::uint32_t first) const {
    return {{files[row.file].string(), static_cast<int>(row.line), 0},
            fmt::format("job {} is in {} as well", table_.jobs[row.job], files[first].string()),
            "one campaign has each job once",
            "Where both tell of one campaign, give one of them; else --prefix keeps them apart."};
  }

  AttemptTable& table_;
};

/// What is to be said of the clock that the times are of.
void remark_on_clock(TableClock const& clock, AttemptTable& table) {
  if (clock.kind() == TableClock::Kind::dated) table.zero_unix = clock.zero_unix();
  if (clock.zones_mixed() && clock.zone_assumed()) {
    table.report.remarks.emplace_back(
        "some times have an offset from UTC and others have not; those are taken as UTC (--tz)");
  } else if (clock.zone_assumed()) {
    table.report.remarks.emplace_back(
        "the table does not tell its time zone; its times are taken as UTC (--tz)");
  }
}

/// What failed without a slot counts as given up in the queue.
void remark_on_queue(AttemptTable& table) {
  auto const given_up =
      std::count_if(table.rows.begin(), table.rows.end(), [](AttemptRow const& row) {
        return row.outcome == AttemptOutcome::failed && !row.has_slot();
      });
  if (given_up == 0) return;
  table.report.remarks.push_back(
      counted(given_up, "row") +
      " failed with no time at which the attempt began: taken for given up in the queue");
}

/// A table, and whether the map is for it: one in gridcast's own form that the map does not fit
/// needs none, as the map is another table's of the same command.
struct OpenedTable {
  std::unique_ptr<TableText> text;
  bool mapped = false;
};

OpenedTable open_by(Columns const& columns, fs::path const& file) {
  ColumnMap const own = own_columns();
  auto const open = [&file](ColumnMap const& map) {
    return open_table(file, map.separator, columns_named(map));
  };
  auto const fits = [](ColumnMap const& map, TableText const& table) {
    return fit_columns(map, table.header()).missing.empty();
  };
  if (!columns) return {open(own), false};
  auto by_map = open(*columns);
  if (fits(*columns, *by_map)) return {std::move(by_map), true};
  auto by_own = open(own);
  if (fits(own, *by_own)) return {std::move(by_own), false};
  return {std::move(by_map), true};
}

/// What is said of all tables of a command.
struct TablesRead {
  Columns const& columns;
  std::string const& zone;
};

void read_file(fs::path const& file, std::uint32_t number, TablesRead const& how, RowsInto into) {
  auto const [text, mapped] = open_by(how.columns, file);
  ColumnMap const map = mapped ? *how.columns : own_columns();
  into.clock.use_zone(how.zone.empty() ? map.time_zone : how.zone);
  if (mapped) into.table.batch_system = map.batch_system;
  check_header(map, mapped, file.string(), *text, into.table.report);
  RowReader reader(map, text->header(), {file.string(), number}, into);
  TableRow row;
  while (text->next(row)) reader.read(row);
  for (TableText::Trouble const& trouble : text->troubles()) {
    into.table.report.rows_left_out += trouble.rows;
    into.table.report.rows += trouble.rows;
    into.table.report.note(
        {{file.string(), static_cast<int>(trouble.line), static_cast<int>(trouble.column)},
         trouble.what,
         trouble.doubt       ? ""
         : trouble.rows == 0 ? "what is missing is not counted"
         : trouble.rows == 1 ? "the row is left out"
                             : "the rows are left out",
         ""});
  }
}

}  // namespace

void TableReport::note(Problem problem) {
  if (notes.size() < most_notes) {
    notes.push_back(std::move(problem));
  } else {
    ++more_notes;
  }
}

std::string to_text(TableReport const& report) {
  std::vector<std::string> left_out;
  if (report.rows_left_out > 0) left_out.push_back(counted(report.rows_left_out, "row"));
  if (report.cells_left_out > 0) left_out.push_back(counted(report.cells_left_out, "cell"));
  std::string text = counted(report.rows, "row");
  if (!left_out.empty()) text += fmt::format(", {} left out", fmt::join(left_out, " and "));
  if (report.rows_skipped > 0) {
    text += fmt::format(
        ", {} no attempts by the column map",
        report.rows_skipped == 1 ? "1 row is" : fmt::format("{} rows are", report.rows_skipped));
  }
  for (std::string const& remark : report.remarks) text += "; " + remark;
  for (Problem const& note : report.notes) text += "\n" + note.to_text();
  if (report.more_notes > 0) text += fmt::format("\nand {} more", report.more_notes);
  return text + "\n";
}

AttemptTable read_attempt_tables(std::vector<fs::path> const& files, Columns const& columns,
                                 std::string const& zone) {
  AttemptTable table;
  table.names.emplace_back();
  for (fs::path const& file : files) table.files.push_back(file.string());
  TableClock clock(zone.empty() && columns ? columns->time_zone : zone);
  Names names(table.names), jobs(table.jobs);
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      read_file(files[i], static_cast<std::uint32_t>(i), {columns, zone},
                {table, clock, names, jobs});
    } catch (InputError const& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  settle_order(table);
  Doubles(table).take_out(files);
  join_retries(table);
  remark_on_clock(clock, table);
  remark_on_queue(table);
  if (table.rows.empty()) {
    problems.push_back({{files.empty() ? "" : files.front().string()},
                        "there is no attempt in it",
                        fmt::format("{}, {} left out", counted(table.report.rows, "row"),
                                    table.report.rows_left_out),
                        ""});
    problems.insert(problems.end(), table.report.notes.begin(), table.report.notes.end());
    throw InputError(std::move(problems));
  }
  return table;
}

}  // namespace gridcast::import
