#include "sim/import/table/attempt_table.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/import/table/attempt_row_reader.hpp"
#include "sim/import/table/recognised_columns.hpp"
#include "sim/import/table/table_text.hpp"
#include "sim/import/table/table_times.hpp"

namespace gridcast::import {
namespace {

// Batch systems count jobs anew after some years, or after an upgrade: one number in a table can
// then denote two jobs.
bool is_other_job(AttemptRow const& before, AttemptRow const& row) {
  bool const numbered = before.attempt > 0 || row.attempt > 0;
  bool const next_try = numbered && (before.attempt == 0 || row.attempt != before.attempt);
  if (next_try || row.retry_of || before.file != row.file) return false;
  bool const other_user = before.user != 0 && row.user != 0 && before.user != row.user;
  auto const begins = row.submitted ? row.submitted : row.started;
  bool const after = before.ended && begins && *begins >= *before.ended;
  return other_user || (after && before.outcome == AttemptOutcome::succeeded);
}

/// Gives a job of its own to each row that is no further attempt of the job before it: another
/// user's, or begun after that one had succeeded. Notes them once. A number of the attempt that is
/// not the one before shows a further attempt.
void split_recycled_jobs(AttemptTable& table) {
  std::vector<AttemptRow*> rows = each_of(table.rows, [](AttemptRow& row) { return &row; });
  std::ranges::stable_sort(rows, [](AttemptRow const* a, AttemptRow const* b) {
    auto const begins = [](AttemptRow const* row) {
      return row->submitted ? row->submitted : row->started;
    };
    return a->job != b->job ? a->job < b->job : begins(a) < begins(b);
  });
  std::size_t found = 0;
  AttemptRow const* first = nullptr;
  std::uint32_t number = 0, times = 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bool const same = i > 0 && rows[i]->job == number;
    if (!same) {
      number = rows[i]->job;
      times = 1;
      continue;
    }
    if (!is_other_job(*rows[i - 1], *rows[i])) {
      rows[i]->job = rows[i - 1]->job;
      continue;
    }
    rows[i]->job = static_cast<std::uint32_t>(table.jobs.size());
    table.jobs.push_back(fmt::format("{} ({})", table.jobs[number], ++times));
    if (found++ == 0) first = rows[i];
  }
  if (found == 0) return;
  table.report.note({{table.files[first->file], static_cast<int>(first->line), 0},
                     counted(found, "row") + " of a job number that denotes another job before",
                     "it is counted as a job of its own",
                     ""});
}

namespace fs = std::filesystem;

std::string joined(std::vector<std::string> const& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Output of sacct whose --format has no times.
bool lacks_times(std::vector<std::string> const& header) {
  auto const there = [&](std::string_view name) {
    return std::ranges::any_of(header,
                               [&](auto const& each) { return same_ignoring_case(each, name); });
  };
  return there("JobID") && there("State") && !(there("Start") && there("End"));
}

/// The refusal of an unknown header, with the columns that are recognised.
Problem unknown_header(std::string const& file, TableText& table) {
  constexpr std::size_t rows_looked_at = 200;
  std::vector<std::string> const& header = table.header();
  if (auto problem = no_header(file, header)) return *problem;
  std::vector<ColumnCells> const cells = cells_of(table, rows_looked_at);
  ColumnMap const known = recognised_in(header, cells);
  if (auto problem = no_record(file, table, cells, known)) return *problem;
  ColumnFit const fit = fit_columns(known, header);
  std::vector<std::string> recognised, missing;
  for (AttemptColumn const column : fit.found) {
    recognised.push_back(fmt::format("{} = '{}'", name(column), known.of(column).front().column));
  }
  for (AttemptColumn const column : fit.missing) missing.emplace_back(name(column));
  std::string hint = "Write a map with: gridcast init " + quoted_for_shell(file) +
                     " -o map.yaml; then add --columns map.yaml.";
  if (lacks_times(header)) hint = sacct_hint;
  for (std::string_view const shipped : shipped_maps) {
    auto const map = shipped_map(shipped);
    if (map && fit_columns(*map, in_spelling_of(columns_named(*map), header)).missing.empty()) {
      hint =
          fmt::format("Add --columns {}, a map that fits. For a map of your own: gridcast init {}.",
                      shipped, quoted_for_shell(file));
    }
  }
  return {{file, 1},
          fmt::format("{} of its {} columns are recognised{}{}{}", recognised.size(), header.size(),
                      recognised.empty() ? "" : ": ", joined(recognised),
                      missing.empty() ? "" : "; missing: " + joined(missing)),
          "it is neither gridcast's table of attempts nor its table of jobs",
          hint};
}

/// The columns that a map needs and the table has not.
Problem missing_columns(ColumnMap const& map, ColumnFit const& fit, std::string const& file,
                        std::vector<std::string> const& header) {
  std::vector<std::string> missing, wanted;
  for (AttemptColumn const column : fit.missing) {
    missing.emplace_back(name(column));
    std::vector<std::string> names;
    for (ColumnSource const& source : map.of(column)) names.push_back("'" + source.column + "'");
    if (!names.empty()) wanted.push_back(fmt::format("{}", fmt::join(names, " or ")));
  }
  std::string hint =
      fmt::format("A map of its columns: gridcast init {} -o map.yaml.", quoted_for_shell(file));
  if (lacks_times(header)) hint = sacct_hint;
  if (missing.size() == 1) {
    hint = fmt::format("It is {}. {}", row_of(fit.missing.front()).meaning, hint);
  }
  if (header.size() == 1) {
    hint =
        "Its first row is one cell. Another character between its cells goes into a map, as "
        "separator: '/'.";
  }
  return {{file, 1},
          "no column for " + joined(missing),
          wanted.empty() ? "the map names none" : "the map names " + joined(wanted),
          hint};
}

/// Missing columns; twice the same name.
void check_header(ColumnMap const& map, bool mapped, std::string const& file, TableText& table,
                  TableReport& report) {
  std::vector<std::string> const& header = table.header();
  ColumnFit const fit = fit_columns(map, header);
  if (!fit.missing.empty()) {
    if (!mapped || holds_values(header)) throw InputError(unknown_header(file, table));
    throw InputError(missing_columns(map, fit, file, header));
  }
  std::set<std::string> seen;
  for (std::string const& column : header) {
    if (!column.empty() && !seen.insert(column).second) {
      report.note(
          {{file, 1}, fmt::format("column '{}' is there twice", column), "the first counts", ""});
    }
  }
}

/// An attempt of a job in two rows, and jobs that two tables have.
class Doubles {
 public:
  explicit Doubles(AttemptTable& table) : table_(table) {}

  /// InputError for jobs of two files; rows that repeat an attempt are taken out.
  void take_out(std::vector<fs::path> const& files) {
    std::map<std::uint32_t, std::uint32_t> file_of_job;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::set<std::tuple<std::uint32_t, Seconds, std::optional<Seconds>>>
        seen_at;  // without a number
    FirstProblems clashes;
    auto const again = [&](AttemptRow const& row) {
      auto const [file, fresh] = file_of_job.emplace(row.job, row.file);
      if (!fresh && file->second != row.file) {
        clashes.add(clash(row, files, file->second));
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
           fmt::format("{} of job {} is repeated",
                       numbered ? fmt::format("attempt {}", row.attempt) : "an attempt",
                       table_.jobs[row.job]),
           "the row is left out",
           ""});
      return true;
    };
    table_.rows.erase(std::remove_if(table_.rows.begin(), table_.rows.end(), again),
                      table_.rows.end());
    clashes.refuse("row");
  }

 private:
  Problem clash(AttemptRow const& row, std::vector<fs::path> const& files,
                std::uint32_t first) const {
    return {{files[row.file].string(), static_cast<int>(row.line), 0},
            fmt::format("job {} is in {} as well", table_.jobs[row.job], files[first].string()),
            "one campaign has each job once",
            "If both are of one campaign, give one of them; else --prefix keeps them apart."};
  }

  AttemptTable& table_;
};

/// Remarks on the clock of the times.
void remark_on_clock(TableClock const& clock, AttemptTable& table) {
  if (clock.kind() == TableClock::Kind::dated) table.zero_unix = clock.zero_unix();
  if (clock.zones_mixed() && clock.zone_assumed()) {
    table.report.remarks.emplace_back(
        "some times have an offset from UTC and others have not; those are taken as UTC (--tz)");
  } else if (clock.zone_assumed()) {
    table.report.remarks.emplace_back(
        "the table does not contain its time zone; its times are taken as UTC (--tz)");
  }
  if (auto const skipped = clock.skipped_times(); skipped > 0) {
    table.report.remarks.push_back(
        fmt::format("{} in an hour that the clock of the zone skipped (--tz): taken as if it had "
                    "not been set forward",
                    counted(skipped, "time")));
  }
  if (clock.order_assumed()) {
    table.report.remarks.emplace_back(
        "dates like 1/27/2025 are read as month/day/year (time_format of a column map sets "
        "another form)");
  }
}

/// An attempt that failed without a slot counts as given up in the queue.
void remark_on_queue(AttemptTable& table) {
  auto const given_up = std::ranges::count_if(table.rows, [](AttemptRow const& row) {
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
    return open_table(file, {map.separator, map.header}, columns_named(map));
  };
  auto const fits = [](ColumnMap const& map, TableText const& table) {
    return fit_columns(map, table.header()).missing.empty();
  };
  if (!columns) return {open(own), false};
  auto by_map = open(*columns);
  if (fits(*columns, *by_map)) return {std::move(by_map), true};
  // sacct --delimiter, or a table that another program has saved again.
  if (columns->separator && columns->header.empty()) {
    auto by_sight = open_table(file, {}, columns_named(*columns));
    if (fits(*columns, *by_sight)) return {std::move(by_sight), true};
    if (by_map->header().size() == 1) by_map = std::move(by_sight);
  }
  auto const missing = fit_columns(*columns, by_map->header()).missing;
  bool const is_whole =
      std::ranges::none_of(missing, [&](auto column) { return columns->of(column).empty(); });
  if (!is_whole) return {std::move(by_map), true};  // an unfinished map is for no table
  auto by_own = open(own);
  if (fits(own, *by_own)) return {std::move(by_own), false};
  return {std::move(by_map), true};
}

void read_file(TableSource const& source, Columns const& columns, std::string const& zone,
               RowsInto into) {
  fs::path const file = source.file;
  auto const [text, mapped] = open_by(columns, file);
  ColumnMap const map = mapped ? *columns : own_columns();
  into.clock.use_zone(zone.empty() ? map.time_zone : zone);
  into.clock.use_format(map.time_format);
  if (mapped) into.table.batch_system = map.batch_system;
  check_header(map, mapped, file.string(), *text, into.table.report);
  read_rows(*text, map, source, into);
  for (TableText::Trouble const& trouble : text->troubles()) {
    into.table.report.rows_left_out += trouble.rows;
    into.table.report.rows += trouble.rows;
    into.table.report.note(
        {{file.string(), static_cast<int>(trouble.line), static_cast<int>(trouble.column)},
         trouble.what,
         trouble.doubt       ? ""
         : trouble.rows == 0 ? "the missing part is not counted"
         : trouble.rows == 1 ? "the row is left out"
                             : "the rows are left out",
         ""});
  }
}

using history::Reason;

/// Jobs that name one another, in any order.
class Families {
 public:
  explicit Families(std::size_t jobs) : above_(jobs) {
    std::iota(above_.begin(), above_.end(), std::uint32_t{0});
  }

  std::uint32_t of(std::uint32_t job) {
    while (above_[job] != job) job = above_[job] = above_[above_[job]];
    return job;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = of(a);
    b = of(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> above_;
};

/// When an attempt took its slot, or else when its job came into the queue.
Seconds begin_of_attempt(AttemptRow const& row) {
  for (auto const& at : {row.matched, row.queued, row.transfer_started, row.started, row.submitted,
                         row.ended, row.removed}) {
    if (at) return *at;
  }
  return Seconds();
}

/// A row that another attempt of its job follows.
void let_go_on(AttemptRow& row) {
  if (row.outcome == AttemptOutcome::failed) row.outcome = AttemptOutcome::requeued;
  if (row.outcome != AttemptOutcome::removed) return;
  if (row.has_slot()) {
    row.outcome = AttemptOutcome::evicted;
    row.code = 0;
    return;
  }
  row.outcome = AttemptOutcome::waiting;
  row.reason = Reason::none;
  row.ended.reset();
  row.removed.reset();
}

class RetryJoiner {
 public:
  explicit RetryJoiner(AttemptTable& table) : table_(table), families_(table.jobs.size()) {}

  void join() {
    for (AttemptRow const& row : table_.rows) {
      if (row.retry_of) families_.unite(row.job, *row.retry_of);
    }
    std::map<std::uint32_t, std::vector<std::size_t>> families;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      families[families_.of(table_.rows[i].job)].push_back(i);
    }
    for (auto& [family, rows] : families) {
      if (rows.size() > 1) join_family(std::move(rows));
    }
    report_joins();
  }

 private:
  /// A job: the row of its last attempt so far, the number that this one has, how many there are.
  struct Chain {
    std::size_t last = 0;
    std::uint32_t number = 0;
    std::uint32_t attempts = 1;
  };

  void join_family(std::vector<std::size_t> rows) {
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
      return begin_of_attempt(table_.rows[a]) < begin_of_attempt(table_.rows[b]);
    });
    std::multimap<Seconds, Chain> ended;  // those that another attempt can follow
    bool first = true;
    for (std::size_t const i : rows) {
      AttemptRow& row = table_.rows[i];
      Chain chain{i, row.attempt};
      if (auto const before = retried_by(row, ended); before != ended.end()) {
        AttemptRow& last = table_.rows[before->second.last];
        chain.attempts = before->second.attempts + 1;
        if (last.job != row.job) ++joined_;
        row.job = last.job;
        last.attempt = before->second.attempts;
        row.attempt = chain.attempts;
        let_go_on(last);
        ended.erase(before);
      } else if (!first && row.retry_of && *row.retry_of != row.job) {
        ++not_joined_;
      }
      first = false;
      bool const followed = row.ended && row.outcome != AttemptOutcome::succeeded;
      if (followed) ended.emplace(*row.ended, chain);
    }
  }

  /// The attempt that ended last of those that this one can be the next of.
  std::multimap<Seconds, Chain>::iterator retried_by(AttemptRow const& row,
                                                     std::multimap<Seconds, Chain>& ended) {
    constexpr int most_looks = 16;  // of a family of thousands, those that ended just before
    auto at = ended.upper_bound(begin_of_attempt(row));
    for (int looks = 0; at != ended.begin() && looks < most_looks; ++looks) {
      --at;
      Chain const& chain = at->second;
      bool const numbered = row.attempt > 0 && chain.number > 0;
      bool const taken_out = table_.rows[chain.last].outcome == AttemptOutcome::removed;
      if (!numbered || row.attempt > chain.number || taken_out) return at;
    }
    return ended.end();
  }

  void report_joins() {
    if (joined_ > 0) {
      table_.report.remarks.push_back(fmt::format(
          "{}, joined with the retried jobs as further attempts of one job",
          joined_ == 1 ? "1 row is a retry" : fmt::format("{} rows are retries", joined_)));
    }
    if (not_joined_ > 0) {
      table_.report.remarks.push_back(fmt::format(
          "{}, as it had not failed by then or has no lower attempt number: {} of {} own",
          not_joined_ == 1
              ? "1 row names a job that it cannot have retried"
              : fmt::format("{} rows name a job that they cannot have retried", not_joined_),
          not_joined_ == 1 ? "a job" : "jobs", not_joined_ == 1 ? "its" : "their"));
    }
  }

  AttemptTable& table_;
  Families families_;
  std::size_t joined_ = 0, not_joined_ = 0;
};

/// The digits that the text begins with, which are taken from it, without zeros before them.
std::string_view eat_number(std::string_view& text) {
  auto const end = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

bool job_before(std::string_view one, std::string_view other) {
  std::string_view a = one, b = other;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      std::string_view const m = eat_number(a), n = eat_number(b);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
      continue;
    }
    auto const x = static_cast<unsigned char>(a.front());
    auto const y = static_cast<unsigned char>(b.front());
    if (x != y) return x < y;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() != b.empty()) return a.empty();
  return one < other;  // "7" and "07"
}

/// Sorts the names; the new number of each.
template <class Before>
std::vector<std::uint32_t> sort_names(std::vector<std::string>& names, Before before) {
  std::vector<std::uint32_t> order(names.size()), number(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order,
                    [&](std::uint32_t a, std::uint32_t b) { return before(names[a], names[b]); });
  std::vector<std::string> sorted;
  for (std::uint32_t const old : order) {
    number[old] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(names[old]));
  }
  names = std::move(sorted);
  return number;
}

/// All fields of a row except its place. If an attempt has two rows, the first is the one with a
/// known end.
auto fields(AttemptRow const& row) {
  return std::tuple_cat(
      std::tuple(row.job, row.file, row.attempt, !row.ended),
      std::tie(row.submitted, row.matched, row.queued, row.transfer_started, row.transfer_ended,
               row.started, row.output_started, row.output_ended, row.ended, row.released,
               row.removed, row.outcome, row.reason, row.release_reason, row.code, row.subcode,
               row.exit_code, row.retry_of, row.user, row.name, row.batch, row.program,
               row.arguments, row.site, row.host, row.slot, row.gpus, row.gpus_implied,
               row.gpu_model, row.gpu_memory, row.gpu_capability, row.bytes_in, row.bytes_out,
               row.epochs, row.checkpoints, row.suspended, row.disconnected));
}

/// The report counts the rows that were joined, and those that name a job that they cannot have
/// retried. Attempts of joined jobs are numbered anew, from 1.
void join_retries(AttemptTable& table) {
  bool const any = std::ranges::any_of(
      table.rows, [](AttemptRow const& row) { return row.retry_of.has_value(); });
  if (any) RetryJoiner(table).join();
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

void settle_order(AttemptTable& table) {
  auto const jobs = sort_names(table.jobs, job_before);
  auto const names = sort_names(table.names, std::less<std::string>());
  for (AttemptRow& row : table.rows) {
    row.job = jobs[row.job];
    if (row.retry_of) row.retry_of = jobs[*row.retry_of];
    for (auto* const name : {&row.user, &row.name, &row.batch, &row.program, &row.arguments,
                             &row.site, &row.host, &row.slot, &row.gpu_model}) {
      *name = names[*name];
    }
  }
  std::ranges::stable_sort(
      table.rows, [](AttemptRow const& a, AttemptRow const& b) { return fields(a) < fields(b); });
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
    collect(problems, [&] {
      read_file({files[i].string(), static_cast<std::uint32_t>(i)}, columns, zone,
                {table, clock, names, jobs});
    });
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  split_recycled_jobs(table);
  settle_order(table);
  Doubles(table).take_out(files);
  join_retries(table);
  remark_on_clock(clock, table);
  remark_on_queue(table);
  if (table.rows.empty()) {
    add_problem(problems, {files.empty() ? "" : files.front().string()},
                "there is no attempt in it",
                fmt::format("{}, {} left out", counted(table.report.rows, "row"),
                            table.report.rows_left_out));
    problems.insert(problems.end(), table.report.notes.begin(), table.report.notes.end());
    throw InputError(std::move(problems));
  }
  return table;
}

}  // namespace gridcast::import
