#include "sim/training/fit/run_rows.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/training/fit/training_fit.hpp"

namespace gridcast::training {
namespace {

/// However it is capitalised.
std::string column_name(history::CsvCell const& cell) { return lower(trim(cell.text)); }

std::vector<std::string> const& run_columns() {
  static std::vector<std::string> const columns = {
      "gpus",   "nodes",   "batch", "global_batch", "epoch_s",     "samples_per_s",
      "step_s", "samples", "gpu",   "family",       "validation_s"};
  return columns;
}

/// Where the row's two columns of the batch, or the shares of its GPUs, disagree.
void note_batch(RunTable& table, RunRow const& run, int global) {
  std::int64_t const samples = std::int64_t{run.gpus} * run.batch;
  if (samples == global) return;
  table.notes.push_back(fmt::format(
      "{}:{}: global_batch is {}, and {} with {} each have {} a step, which is taken", table.file,
      run.line, global, counted(run.gpus, "GPU"), counted(run.batch, "sample"), samples));
}

void read_batch(MeasuredRow& row, RunRow& run, RunTable& table) {
  constexpr int most = 1000000000;
  auto const batch = row.count("batch", most);
  auto const global = row.count("global_batch", most);
  if (row.bad()) return;
  if (batch) {
    run.batch = *batch;
  } else if (global) {
    run.batch = std::max(1, static_cast<int>(std::lround(static_cast<double>(*global) / run.gpus)));
    if (*global < run.gpus) {
      row.complain("global_batch", fmt::format("a batch of {} for {} GPUs", *global, run.gpus),
                   "each GPU needs a sample a step", "");
    }
  } else {
    row.complain("batch", "no batch", "how long a step takes depends on it",
                 "Add a column 'batch' (of one GPU) or 'global_batch'.");
  }
  if (global && !row.bad()) note_batch(table, run, *global);
}

/// The time of an epoch by one column of a row, without validation.
struct TimeOfRow {
  char const* column;
  Seconds epoch;
};

struct TimeCells {
  std::optional<double> epoch, rate, step;  // the first without validation
};

double samples_of(TimeCells const& cells, double given, double global) {
  constexpr double steps_of_rate = 1000;  // a rate does not contain an epoch's length
  if (given > 0) return given;
  if (!cells.epoch) return steps_of_rate * global;
  if (cells.rate) return *cells.epoch * *cells.rate;
  return cells.step ? *cells.epoch / *cells.step * global : 0;
}

std::vector<TimeOfRow> times_of(TimeCells const& cells, double samples, double global) {
  std::vector<TimeOfRow> times;
  if (cells.epoch) times.push_back({"epoch_s", Seconds(*cells.epoch)});
  if (cells.rate) times.push_back({"samples_per_s", Seconds(samples / *cells.rate)});
  if (cells.step) times.push_back({"step_s", Seconds(*cells.step * samples / global)});
  return times;
}

/// None where the row is bad.
std::vector<TimeOfRow> read_times(MeasuredRow& row, RunRow& run, double samples) {
  auto const given = row.number("samples");
  TimeCells cells{row.number("epoch_s"), row.number("samples_per_s"), row.number("step_s")};
  double const validation = row.number("validation_s", MeasuredRow::Least::zero).value_or(0);
  if (row.bad()) return {};
  if (!cells.epoch && !cells.rate && !cells.step) {
    row.complain("epoch_s", "no time", "nothing can be fitted to it",
                 "Add a column 'epoch_s', 'samples_per_s' or 'step_s'.");
    return {};
  }
  if (cells.epoch) *cells.epoch -= validation;
  if (cells.epoch && *cells.epoch <= 0) {
    row.complain("validation_s", "validation takes all of the epoch", "nothing is left to fit", "");
    return {};
  }
  double const global = static_cast<double>(run.gpus) * run.batch;
  run.samples = samples_of(cells, given.value_or(samples), global);
  if (run.samples <= 0) {
    row.complain("epoch_s", "an epoch of how many samples?", "neither a row nor a profile has it",
                 "Add a column 'samples', or name a profile (gridcast profile PROFILE --fit).");
  } else if (global > run.samples) {
    row.complain("batch", fmt::format("a batch of {} on {} GPUs", run.batch, run.gpus),
                 fmt::format("an epoch has only {} samples", run.samples), "");
  }
  if (row.bad()) return {};
  return times_of(cells, run.samples, global);
}

/// One run; another one for each time that contradicts the first.
void add_runs(RunTable& table, RunRow run, std::vector<TimeOfRow> const& times) {
  run.epoch = times.front().epoch;
  table.rows.push_back(run);
  for (TimeOfRow const& other : times) {
    constexpr double rounding = 0.05;
    double const apart = std::abs(std::log(other.epoch / run.epoch));
    if (apart <= std::log1p(rounding)) continue;
    bool const contradicts = far_apart(apart);
    table.notes.push_back(fmt::format(
        "{}:{}: {} gives {:.4g} s an epoch, {} {:.4g} s: {}", table.file, run.line,
        times.front().column, run.epoch.value(), other.column, other.epoch.value(),
        contradicts ? "both are kept, as two runs, and the intervals are as wide as that"
                    : "the first is taken"));
    if (!contradicts) continue;
    table.rows.push_back(run);
    table.rows.back().epoch = other.epoch;
  }
}

void read_row(MeasuredRow row, double samples, std::string const& gpu, RunTable& table) {
  constexpr int most_gpus = 1 << 20;
  RunRow run;
  run.line = row.line();
  run.gpu = row.text("gpu").empty() ? gpu : row.text("gpu");
  run.family = row.text("family").empty() ? run.gpu : row.text("family");
  if (run.family.empty()) run.family = "all rows";
  run.nodes = row.count("nodes", most_gpus).value_or(1);
  run.nodes_given = !row.text("nodes").empty();
  if (auto const gpus = row.count("gpus", most_gpus)) {
    run.gpus = *gpus;
  } else if (!row.bad()) {
    row.complain("gpus", "no number of GPUs", "", "Add a column 'gpus'.");
  }
  if (!row.bad() && run.nodes > run.gpus) {
    row.complain("nodes", fmt::format("{} nodes for {} GPUs", run.nodes, run.gpus),
                 "a node without a GPU has nothing to do", "");
  }
  if (!row.bad()) read_batch(row, run, table);
  if (row.bad()) return;
  auto const times = read_times(row, run, samples);
  if (!times.empty()) add_runs(table, std::move(run), times);
}

/// A run without a number of nodes is taken to be on one; so many GPUs rarely are.
std::string doubt_of_one_node(RunTable const& table) {
  constexpr int usual = 8;
  for (RunRow const& row : table.rows) {
    if (row.nodes_given || row.gpus <= usual) continue;
    return fmt::format("{}:{}: {} GPUs, and no 'nodes': taken to be on one, as all rows without it",
                       table.file, row.line, row.gpus);
  }
  return "";
}

}  // namespace

std::string MeasuredRow::text(std::string const& column) const {
  auto const found = columns_.find(column);
  if (found == columns_.end() || found->second >= cells_.size()) return "";
  return std::string(trim(cells_[found->second].text));
}

std::optional<double> MeasuredRow::number(std::string const& column, Least least) {
  std::string const cell = text(column);
  if (cell.empty()) return std::nullopt;
  auto value = text_as<double>(cell);
  if (value && !std::isfinite(*value)) value.reset();
  bool const is_time = column.ends_with("_s") && !column.ends_with("_per_s");
  auto const time = is_time && !value ? parse_seconds(cell) : std::nullopt;
  if (time) value = time->value();
  if (value && (*value > 0 || (least == Least::zero && *value == 0))) return value;
  complain(column, fmt::format("{}: '{}'", column, cell), "a number above 0 is wanted",
           is_time ? "Seconds, or a time with its unit: '5.2 ms'." : "");
  return std::nullopt;
}

std::optional<int> MeasuredRow::count(std::string const& column, int most) {
  std::optional<double> const value = number(column);
  if (!value) return std::nullopt;
  if (*value == std::floor(*value) && *value <= most) return static_cast<int>(*value);
  complain(column, fmt::format("{}: {}", column, text(column)),
           fmt::format("a whole number from 1 to {} is wanted", most), "");
  return std::nullopt;
}

void MeasuredRow::complain(std::string const& column, std::string what, std::string why,
                           std::string hint) {
  auto const found = columns_.find(column);
  bad_ = true;
  // A column that is not there is wanted by every row.
  if (found == columns_.end() && !problems_.empty() && problems_.back().what == what) return;
  bool const there = found != columns_.end() && found->second < cells_.size();
  history::CsvCell const& cell = there ? cells_[found->second] : cells_.front();
  add_problem(problems_, {file_, cell.line, cell.column}, std::move(what), std::move(why),
              std::move(hint));
}

MeasuredTable::MeasuredTable(std::string file, std::string const& text, std::string const& wanted,
                             std::string const& hint)
    : file_(std::move(file)) {
  cells_ = history::parse_csv(text, file_, problems_);
  if (cells_.empty()) {
    add_problem(problems_, {file_}, "no rows", "a table of measurements is wanted", hint);
    throw InputError(problems_);
  }
  std::vector<std::string> names;
  for (std::size_t k = 0; k < cells_.front().size(); ++k) {
    names.push_back(column_name(cells_.front()[k]));
    if (columns_.emplace(names.back(), k).second) continue;
    add_problem(problems_, {file_, cells_.front()[k].line, cells_.front()[k].column},
                fmt::format("column '{}' is there twice", names.back()), "", "Remove one.");
  }
  if (columns_.contains(wanted)) return;
  bool const one = names.size() == 1 && names.front().find_first_of(";\t") != std::string::npos;
  add_problem(problems_, {file_, 1, 1}, fmt::format("no column '{}'", wanted),
              fmt::format("its columns are {}", fmt::join(names, ", ")),
              one ? "Columns are separated by commas." : hint);
  throw InputError(problems_);
}

void MeasuredTable::check_width(history::CsvRow const& row) {
  auto const named = cells_.front().size();
  if (row.size() <= named || trim(row[named].text).empty()) return;
  add_problem(problems_, {file_, row[named].line, row[named].column},
              fmt::format("{} cells under {} columns", row.size(), named), "which is which?",
              "Write numbers without commas in them: 1281167, 0.5.");
}

std::vector<MeasuredRow> MeasuredTable::rows() {
  std::vector<MeasuredRow> rows;
  for (std::size_t i = 1; i < cells_.size(); ++i) {
    check_width(cells_[i]);
    rows.emplace_back(file_, cells_[i], columns_, problems_);
  }
  return rows;
}

void MeasuredTable::raise(std::size_t good) const {
  if (!problems_.empty()) throw InputError(problems_);
  if (good == 0) refuse({file_}, "no runs in it", "only a line of names", "");
}

std::string MeasuredTable::note_on_others(std::vector<std::string> const& known) const {
  std::vector<std::string> others;
  for (auto const& cell : cells_.front()) {
    std::string const name = column_name(cell);
    if (!contains(known, name)) others.push_back(name);
  }
  if (others.empty()) return "";
  return fmt::format("{}: not read: {}", file_, fmt::join(others, ", "));
}

std::vector<std::string> column_names(std::string const& text) {
  std::vector<Problem> ignored;
  std::vector<std::string> names;
  auto const rows = history::parse_csv(text.substr(0, text.find('\n')), "", ignored);
  if (rows.empty()) return names;
  for (auto const& cell : rows.front()) names.push_back(column_name(cell));
  return names;
}

RunTable parse_runs(std::string const& file, std::string const& text, double samples,
                    std::string const& gpu) {
  MeasuredTable measured(file, text, "gpus",
                         "Wanted are gpus, nodes, batch, and epoch_s, samples_per_s or step_s.");
  RunTable table{file, {}, {}};
  for (MeasuredRow const& row : measured.rows()) read_row(row, samples, gpu, table);
  measured.raise(table.rows.size());
  for (auto const& note : {doubt_of_one_node(table), measured.note_on_others(run_columns())}) {
    if (!note.empty()) table.notes.push_back(note);
  }
  return table;
}

RunTable read_runs(std::filesystem::path const& file, double samples, std::string const& gpu) {
  return parse_runs(file.string(), read_text_file(file), samples, gpu);
}

void separate_gpus(RunTable& table) {
  std::map<std::string, std::string> gpu_of;  // of a family, the first row's
  std::set<std::string> given;
  for (RunRow& row : table.rows) {
    std::string const& first = gpu_of.emplace(row.family, row.gpu).first->second;
    if (row.gpu == first) continue;
    std::string const own = fmt::format("{} ({})", row.family, row.gpu);
    if (given.insert(own).second) {
      table.notes.push_back(
          fmt::format("{}:{}: family '{}' is of {}, this row of {}: a family is one machine, so "
                      "rows of that GPU are fitted as '{}'",
                      table.file, row.line, row.family, first, row.gpu, own));
    }
    row.family = own;
  }
}

std::string to_text(RunRow const& row) {
  return fmt::format("{} on {}, {} samples each", counted(row.gpus, "GPU"),
                     counted(row.nodes, "node"), row.batch);
}

}  // namespace gridcast::training
