#include "sim/training/fit/run_rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
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
    row.complain("batch", "no batch", "how long a step takes hangs on it",
                 "Add a column 'batch' (of one GPU) or 'global_batch'.");
  }
}

void read_time(MeasuredRow& row, RunRow& run, double samples) {
  auto const told = row.number("samples");
  run.samples = told.value_or(samples);
  auto const epoch = row.number("epoch_s");
  auto const rate = row.number("samples_per_s");
  auto const step = row.number("step_s");
  constexpr double bytes_of_gbit = 1e9 / 8;
  run.network = BytesPerSecond(row.number("network_gbit").value_or(0) * bytes_of_gbit);
  double const validation = row.number("validation_s", MeasuredRow::Least::zero).value_or(0);
  if (row.bad()) return;
  if (!epoch && !rate && !step) {
    row.complain("epoch_s", "no time", "nothing can be fitted to it",
                 "Add a column 'epoch_s', 'samples_per_s' or 'step_s'.");
    return;
  }
  double const global = static_cast<double>(run.gpus) * run.batch;
  // A rate does not say how long an epoch is, and need not.
  constexpr double steps_of_rate = 1000;
  if (run.samples <= 0 && !epoch) run.samples = steps_of_rate * global;
  if (run.samples <= 0) {
    row.complain("epoch_s", "an epoch of how many samples?", "neither a row nor a profile says it",
                 "Add a column 'samples', or name a profile (gridcast train PROFILE --fit).");
    return;
  }
  if (global > run.samples) {
    row.complain("batch", fmt::format("a batch of {} on {} GPUs", run.batch, run.gpus),
                 fmt::format("an epoch has only {} samples", run.samples), "");
    return;
  }
  double const seconds = epoch  ? *epoch - validation
                         : rate ? run.samples / *rate
                                : *step * run.samples / global;
  run.epoch = Seconds(seconds);
  if (seconds <= 0) {
    row.complain("validation_s", "validation takes all of the epoch", "nothing is left to fit", "");
  }
}

std::optional<RunRow> read_row(MeasuredRow row, double samples, std::string const& gpu) {
  constexpr int most_gpus = 1 << 20;
  RunRow run;
  run.line = row.line();
  run.gpu = row.text("gpu").empty() ? gpu : row.text("gpu");
  run.family = row.text("family").empty() ? run.gpu : row.text("family");
  run.nodes = row.count("nodes", most_gpus).value_or(1);
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
  if (!row.bad()) read_time(row, run, samples);
  if (row.bad()) return std::nullopt;
  return run;
}

void note_contradictions(RunTable& table) {
  for (auto row = table.rows.begin(); row != table.rows.end(); ++row) {
    auto const first = std::find_if(table.rows.begin(), row,
                                    [&row](RunRow const& other) { return same_run(other, *row); });
    if (first == row || !contradict(*first, *row)) continue;
    table.notes.push_back(fmt::format(
        "{}:{}: contradicts line {}: the same run took {:.3g} times as long; both are kept, and "
        "the intervals are as wide as that",
        table.file, row->line, first->line, row->epoch / first->epoch));
  }
}

}  // namespace

bool same_run(RunRow const& a, RunRow const& b) {
  return std::tie(a.family, a.gpu, a.gpus, a.nodes, a.batch, a.samples) ==
         std::tie(b.family, b.gpu, b.gpus, b.nodes, b.batch, b.samples);
}

bool contradict(RunRow const& a, RunRow const& b) {
  constexpr double usual = 0.25;
  return std::abs(std::log(a.epoch / b.epoch)) > std::log1p(usual);
}

RunTable parse_runs(std::string const& file, std::string const& text, double samples,
                    std::string const& gpu) {
  MeasuredTable measured(file, text, "gpus",
                         "Wanted are gpus, nodes, batch, and epoch_s, samples_per_s or step_s.");
  RunTable table{file, {}, {}};
  for (MeasuredRow const& row : measured.rows()) {
    if (auto run = read_row(row, samples, gpu)) table.rows.push_back(*std::move(run));
  }
  measured.raise(table.rows.size());
  std::string const note = measured.note_on_others(run_columns());
  if (!note.empty()) table.notes.push_back(note);
  note_contradictions(table);
  return table;
}

RunTable read_runs(std::filesystem::path const& file, double samples, std::string const& gpu) {
  return parse_runs(file.string(), read_text_file(file), samples, gpu);
}

std::string to_text(RunRow const& row) {
  return fmt::format("{} GPU{} on {} node{}, {} samples each", row.gpus, row.gpus == 1 ? "" : "s",
                     row.nodes, row.nodes == 1 ? "" : "s", row.batch);
}

}  // namespace gridcast::training
