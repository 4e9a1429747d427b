#include "sim/training/fit/run_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/training/fit/contradictions.hpp"
#include "sim/training/fit/measured_table.hpp"

namespace gridcast::training {
namespace {

std::vector<std::string> const& run_columns() {
  static std::vector<std::string> const columns = {
      "gpus",   "nodes",   "batch", "global_batch", "epoch_s",      "samples_per_s",
      "step_s", "samples", "gpu",   "family",       "validation_s", "network_gbit"};
  return columns;
}

void read_batch(MeasuredRow& row, RunRow& run) {
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
}

/// What the columns of a row say an epoch takes, without validation.
struct ToldTime {
  char const* column;
  Seconds epoch;
};

struct TimeCells {
  std::optional<double> epoch, rate, step;  // the first without validation
};

double samples_of(TimeCells const& cells, double told, double global) {
  constexpr double steps_of_rate = 1000;  // a rate does not say how long an epoch is, and need not
  if (told > 0) return told;
  if (!cells.epoch) return steps_of_rate * global;
  if (cells.rate) return *cells.epoch * *cells.rate;
  return cells.step ? *cells.epoch / *cells.step * global : 0;
}

std::vector<ToldTime> times_of(TimeCells const& cells, double samples, double global) {
  std::vector<ToldTime> times;
  if (cells.epoch) times.push_back({"epoch_s", Seconds(*cells.epoch)});
  if (cells.rate) times.push_back({"samples_per_s", Seconds(samples / *cells.rate)});
  if (cells.step) times.push_back({"step_s", Seconds(*cells.step * samples / global)});
  return times;
}

/// None where the row is bad.
std::vector<ToldTime> read_times(MeasuredRow& row, RunRow& run, double samples) {
  auto const told = row.number("samples");
  TimeCells cells{row.number("epoch_s"), row.number("samples_per_s"), row.number("step_s")};
  constexpr double bytes_of_gbit = 1e9 / 8;
  run.network = BytesPerSecond(row.number("network_gbit").value_or(0) * bytes_of_gbit);
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
  run.samples = samples_of(cells, told.value_or(samples), global);
  if (run.samples <= 0) {
    row.complain("epoch_s", "an epoch of how many samples?", "neither a row nor a profile says it",
                 "Add a column 'samples', or name a profile (gridcast train PROFILE --fit).");
  } else if (global > run.samples) {
    row.complain("batch", fmt::format("a batch of {} on {} GPUs", run.batch, run.gpus),
                 fmt::format("an epoch has only {} samples", run.samples), "");
  }
  if (row.bad()) return {};
  return times_of(cells, run.samples, global);
}

/// One run; another one for each time that contradicts the first.
void add_runs(RunTable& table, RunRow run, std::vector<ToldTime> const& times) {
  run.epoch = times.front().epoch;
  table.rows.push_back(run);
  for (ToldTime const& other : times) {
    constexpr double rounding = 0.05;
    double const apart = std::abs(std::log(other.epoch / run.epoch));
    if (apart <= std::log1p(rounding)) continue;
    bool const contradicts = far_apart(apart);
    table.notes.push_back(fmt::format(
        "{}:{}: {} says {:.4g} s an epoch, {} {:.4g} s: {}", table.file, run.line,
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
  run.told_nodes = !row.text("nodes").empty();
  if (auto const gpus = row.count("gpus", most_gpus)) {
    run.gpus = *gpus;
  } else if (!row.bad()) {
    row.complain("gpus", "no number of GPUs", "", "Add a column 'gpus'.");
  }
  if (!row.bad() && run.nodes > run.gpus) {
    row.complain("nodes", fmt::format("{} nodes for {} GPUs", run.nodes, run.gpus),
                 "a node without a GPU has nothing to do", "");
  }
  if (!row.bad()) read_batch(row, run);
  if (row.bad()) return;
  auto const times = read_times(row, run, samples);
  if (!times.empty()) add_runs(table, std::move(run), times);
}

/// A run that says nothing of nodes is taken to be on one, which so many GPUs hardly are.
std::string doubt_of_one_node(RunTable const& table) {
  constexpr int usual = 8;
  for (RunRow const& row : table.rows) {
    if (row.told_nodes || row.gpus <= usual) continue;
    return fmt::format("{}:{}: {} GPUs, and no 'nodes': taken to be on one, as all rows without it",
                       table.file, row.line, row.gpus);
  }
  return "";
}

}  // namespace

RunTable parse_runs(std::string const& file, std::string const& text, double samples,
                    std::string const& gpu) {
  MeasuredTable measured(file, text, "gpus",
                         "Wanted are gpus, nodes, batch, and epoch_s, samples_per_s or step_s.");
  RunTable table{file, {}, {}};
  for (MeasuredRow const& row : measured.rows()) {
    read_row(row, samples, gpu, table);
  }
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
  std::set<std::string> told;
  for (RunRow& row : table.rows) {
    std::string const& first = gpu_of.emplace(row.family, row.gpu).first->second;
    if (row.gpu == first) continue;
    std::string const own = fmt::format("{} ({})", row.family, row.gpu);
    if (told.insert(own).second) {
      table.notes.push_back(
          fmt::format("{}:{}: family '{}' is of {}, this row of {}: a family is one machine, so "
                      "rows of that GPU are fitted as '{}'",
                      table.file, row.line, row.family, first, row.gpu, own));
    }
    row.family = own;
  }
}

std::string to_text(RunRow const& row) {
  return fmt::format("{} GPU{} on {} node{}, {} samples each", row.gpus, row.gpus == 1 ? "" : "s",
                     row.nodes, row.nodes == 1 ? "" : "s", row.batch);
}

}  // namespace gridcast::training
