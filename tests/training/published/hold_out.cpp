// What fits to small runs say of larger ones, and fits to the first half of a job of the second, on
// what was published: rows that were fitted to are not judged, and the plain alternatives are
// judged on the same rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/training/fit/storage_fit.hpp"
#include "sim/training/fit/straggler_fit.hpp"
#include "sim/training/fit/training_fit.hpp"
#include "sim/training/step_time.hpp"
#include "tests/training/published/source_table.hpp"

namespace gridcast::training::published {
namespace {

constexpr int most_nodes = 4;

/// ResNet-50 in mixed precision: 25.56 million parameters in 2 B.
scenario::Profile resnet50() {
  scenario::Profile base;
  base.exchange.gradient = Bytes(51.1e6);
  return base;
}

RunRow const& largest(std::vector<RunRow> const& rows) {
  return *std::max_element(rows.begin(), rows.end(),
                           [](RunRow const& a, RunRow const& b) { return a.gpus < b.gpus; });
}

/// More GPUs are as much faster as they are more.
Seconds perfect(std::vector<RunRow> const& rows, RunRow const& row) {
  RunRow const& from = largest(rows);
  return from.epoch * (static_cast<double>(from.gpus) / row.gpus);
}

/// T = a + W/n through the smallest and the largest run; perfect where there is one scale.
Seconds amdahl(std::vector<RunRow> const& rows, RunRow const& row) {
  RunRow const& from = largest(rows);
  RunRow const& least = *std::min_element(
      rows.begin(), rows.end(), [](RunRow const& a, RunRow const& b) { return a.gpus < b.gpus; });
  if (least.gpus == from.gpus) return perfect(rows, row);
  double const x0 = 1. / least.gpus, x1 = 1. / from.gpus;
  double const work = (least.epoch - from.epoch).value() / (x0 - x1);
  double const fixed = std::max(0., from.epoch.value() - work * x1);
  return Seconds(fixed + (from.epoch.value() - fixed) / x1 / row.gpus);
}

/// The same share is lost at each doubling.
Seconds doublings(std::vector<RunRow> const& rows, RunRow const& row) {
  RunRow const& from = largest(rows);
  RunRow const& least = *std::min_element(
      rows.begin(), rows.end(), [](RunRow const& a, RunRow const& b) { return a.gpus < b.gpus; });
  if (least.gpus == from.gpus) return perfect(rows, row);
  double const growth = std::log2(static_cast<double>(from.gpus) / least.gpus);
  double const loss =
      std::max(0., (from.epoch * from.gpus / (least.epoch * least.gpus) - 1) / growth);
  double const from_loss = 1 + loss * growth;
  double const row_loss = 1 + loss * std::log2(static_cast<double>(row.gpus) / least.gpus);
  return perfect(rows, row) * (row_loss / from_loss);
}

struct Judgement {
  double off = 0, worst = 0;
  int rows = 0, held = 0;
  void add(double error, bool in_interval) {
    off += std::abs(error);
    worst = std::max(worst, std::abs(error));
    ++rows;
    held += in_interval ? 1 : 0;
  }
  double mean() const { return off / std::max(1, rows); }
};

constexpr std::array plain_names = {"perfect", "loss a doubling", "Amdahl"};

/// The forecasts of some rows, and the plain alternatives of the same.
struct Judged {
  Judgement own;
  std::array<Judgement, plain_names.size()> plain;
};

/// Whether the fit was better than each of the plain alternatives, of a family with three rows or
/// more.
std::string family_sentence(std::string const& family, Judged const& judged) {
  constexpr int enough = 3;
  if (judged.own.rows < enough) return "";
  std::string text = fmt::format(" {}: mean error {:.1f} %", family, judged.own.mean());
  bool better = true;
  for (std::size_t i = 0; i < plain_names.size(); ++i) {
    text += fmt::format(", {} {:.1f} %", plain_names[i], judged.plain[i].mean());
    better = better && judged.own.mean() < judged.plain[i].mean();
  }
  return text + (better ? ", better than each." : ", not better than each.");
}

struct ForecastRow {
  RunRow row;
  EpochForecast forecast;
};

/// Of rows whose families are among those that are fitted to.
std::vector<ForecastRow> forecasts(std::vector<RunRow> const& fitted,
                                   std::vector<RunRow> const& wanted) {
  TrainingFit const fit = fit_training(fitted, resnet50());
  std::vector<ForecastRow> all;
  for (FamilyFit const& family : fit.families) {
    for (RunRow const& row : wanted) {
      if (row.family == family.family) all.push_back({row, forecast(family, fit.base, row)});
    }
  }
  return all;
}

void add_summary(SourceTable& table, std::string const& name, Judgement const& judged,
                 double wanted, std::string const& unit) {
  table.rows.push_back({name, "mean error", unit, 0, judged.mean(), wanted, false,
                        fmt::format("{} rows that were not fitted to; worst {:.1f} {}", judged.rows,
                                    judged.worst, unit)});
}

constexpr double high = 0.99;

enum class Half { first, second };

std::vector<WorkerSteps> half(std::vector<WorkerSteps> workers, Half which) {
  for (WorkerSteps& worker : workers) {
    auto const middle = worker.times.begin() + static_cast<std::ptrdiff_t>(worker.times.size() / 2);
    which == Half::first ? worker.times.erase(middle, worker.times.end())
                         : worker.times.erase(worker.times.begin(), middle);
  }
  return workers;
}

void add(SourceTable& table, std::string const& what, std::vector<WorkerSteps> const& fitted,
         std::vector<WorkerSteps> const& judged, double wanted) {
  StragglerFit const fit = fit_stragglers(fitted);
  auto const slowest = slowest_of(judged);
  std::string const note = fmt::format(
      "slow {:.2g} % of the time, by {:.0f} % in the median, for {:.1f} rows; memory "
      "of the rest {:.1f} rows",
      100 * fit.compute.slow_share, 100 * fit.compute.slow_by, fit.compute.slow_steps,
      fit.compute.steady_steps);
  table.rows.push_back({what, "99 % point of the slowest of ten", "usual times",
                        quantile(slowest, high), slowest_quantile(fit.compute, fit.own, high),
                        wanted, true, note});
  table.rows.push_back({what, "median of the slowest of ten", "usual times", median(slowest),
                        slowest_quantile(fit.compute, fit.own, 0.5), 0, true, ""});
}

}  // namespace

SourceTable training_hold_out_table(SourceFiles const& files) {
  SourceTable table{"MLPerf Training: larger runs from smaller ones",
                    "Rows of `calibration/data/mlperf/training.csv` on at most 4 nodes are fitted "
                    "to, those on more predicted (`gridcast profile --fit "
                    "calibration/data/mlperf/training.csv --most-nodes 4`, with ResNet-50's 51.1 "
                    "MB of gradients). The priors were chosen with these rows known, after some "
                    "fourteen settings, so the table shows what the models can, not what they "
                    "do on another system.",
                    {},
                    "",
                    "measured",
                    "predicted"};
  RunTable const runs = read_runs(files.data / "mlperf" / "training.csv", 0, "");
  std::vector<RunRow> small, large;
  for (RunRow const& row : runs.rows) (row.nodes <= most_nodes ? small : large).push_back(row);
  TrainingFit const fit = fit_training(small, resnet50());
  Judged all;
  std::string by_family;
  for (FamilyFit const& family : fit.families) {
    Judged here;
    for (RunRow const& row : large) {
      if (row.family != family.family) continue;
      EpochForecast const f = forecast(family, fit.base, row);
      bool const in = f.interval.contains(row.epoch.value());
      double const error = f.median / row.epoch - 1;
      all.own.add(100 * error, in);
      here.own.add(100 * error, in);
      std::array const others = {perfect(family.rows, row), doublings(family.rows, row),
                                 amdahl(family.rows, row)};
      std::string beside;
      for (std::size_t i = 0; i < plain_names.size(); ++i) {
        double const off = 100 * (others[i] / row.epoch - 1);
        all.plain[i].add(off, false);
        here.plain[i].add(off, false);
        beside += fmt::format("; {} {:+.0f} %", plain_names[i], off);
      }
      constexpr double wanted = 0.2;
      table.rows.push_back(
          {fmt::format("{}: {}", family.family, to_text(row)), "epoch", "s", row.epoch.value(),
           f.median.value(), wanted, true,
           fmt::format("90 %: {:.4g} to {:.4g} s, {}; fitted to {}{}", f.interval.low,
                       f.interval.high, in ? "holds it" : "does not hold it",
                       counted(family.rows.size(), "row"), beside)});
    }
    by_family += family_sentence(family.family, here);
  }
  add_summary(table, "all predicted rows", all.own, 8, "%");
  add_summary(table, "perfect scaling", all.plain[0], 0, "%");
  add_summary(table, "a loss a doubling", all.plain[1], 0, "%");
  add_summary(table, "Amdahl", all.plain[2], 0, "%");
  table.after = fmt::format(
      "{} of {} predicted rows lie in their 90 % intervals. Families with three of them or more:{}",
      all.own.held, all.own.rows, by_family);
  return table;
}

SourceTable within_four_nodes_table(SourceFiles const& files) {
  SourceTable table{
      "Training: by what the intervals of larger runs were chosen",
      "What the form of the models is wrong by at each doubling, and how long a fixed "
      "cost of an epoch may be, were chosen on these rows: of MLPerf's on at most 4 "
      "nodes and of Kempner's table (256 samples each, a ninetieth of its wall times), "
      "those on more nodes than the fit was given. None of the table above is here.",
      {},
      "",
      "measured",
      "predicted"};
  Judgement all;
  auto const judge = [&](std::vector<RunRow> const& rows, int up_to) {
    std::vector<RunRow> small, large;
    for (RunRow const& row : rows) (row.nodes <= up_to ? small : large).push_back(row);
    for (auto const& [row, f] : forecasts(small, large)) {
      bool const in = f.interval.contains(row.epoch.value());
      all.add(100 * (f.median / row.epoch - 1), in);
      table.rows.push_back(
          {fmt::format("{}: {}", row.family, to_text(row)), "epoch", "s", row.epoch.value(),
           f.median.value(), 0, true,
           fmt::format("fitted on at most {}; 90 %: {:.4g} to {:.4g} s, {}", counted(up_to, "node"),
                       f.interval.low, f.interval.high, in ? "holds it" : "does not hold it")});
    }
  };
  std::vector<RunRow> mlperf, kempner;
  for (RunRow const& row : read_runs(files.data / "mlperf" / "training.csv", 0, "").rows) {
    if (row.nodes <= most_nodes) mlperf.push_back(row);
  }
  for (NumberRow const& row : files.rows("kempner-resnet50-a100")) {
    constexpr int batch = 256, epochs = 90, images = 1281167;
    kempner.push_back({"Kempner",
                       "A100-80GB",
                       static_cast<int>(row.number("gpus")),
                       static_cast<int>(row.number("nodes")),
                       batch,
                       images,
                       Seconds(row.number("wall_s")) / epochs,
                       {},
                       0});
  }
  for (int const up_to : {1, 2}) judge(mlperf, up_to);
  for (int const up_to : {1, 2, most_nodes}) judge(kempner, up_to);
  table.after = fmt::format("{} of {} lie in their 90 % intervals; mean error {:.1f} %.", all.held,
                            all.rows, all.mean());
  return table;
}

SourceTable storage_hold_out_table(SourceFiles const& files) {
  SourceTable table{"MLPerf Storage: more accelerators a host from the fewest",
                    "Of each store and workload in `calibration/data/mlperf/storage.csv`, the rows "
                    "with the fewest accelerators a host are fitted to, the others predicted "
                    "(`gridcast profile --fit calibration/data/mlperf/storage.csv --smallest`), "
                    "given that they passed, as only such runs are published. The priors were "
                    "chosen with these rows known, after some thirteen settings.",
                    {},
                    "",
                    "measured",
                    "predicted"};
  StorageTable const runs = read_storage_rows(files.data / "mlperf" / "storage.csv");
  std::map<std::string, double> fewest;
  for (StorageRow const& row : runs.rows) {
    auto const [at, fresh] = fewest.emplace(row.family, row.on_host());
    if (!fresh) at->second = std::min(at->second, row.on_host());
  }
  std::vector<StorageRow> small, large;
  std::map<double, Judgement> of_threshold;  // `off` sums the utilisation
  for (StorageRow const& row : runs.rows) {
    bool const is_small = row.on_host() <= fewest.at(row.family);
    (is_small ? small : large).push_back(row);
    if (is_small) of_threshold[row.passed_above].add(100 * row.au, false);
  }
  Judgement own, constant;
  for (StorageFit const& fit : fit_storage(small)) {
    for (StorageRow const& row : large) {
      if (row.family != fit.family) continue;
      UtilisationForecast const f = forecast(fit, row);
      bool const in = f.interval.contains(row.au);
      own.add(100 * (f.median - row.au), in);
      constant.add(of_threshold.at(row.passed_above).mean() - 100 * row.au, false);
      table.rows.push_back(
          {fmt::format("{}: {} on {}", fit.family, row.accelerators, counted(row.hosts, "host")),
           "AU", "%", 100 * row.au, 100 * f.median, 0, false,
           fmt::format("90 %: {:.1f} to {:.1f} %, {}; fitted: {:.0f} a host at {:.1f} %",
                       100 * f.interval.low, 100 * f.interval.high,
                       in ? "holds it" : "does not hold it", fit.rows.front().on_host(),
                       100 * fit.rows.front().au)});
    }
  }
  add_summary(table, "all predicted rows", own, 2.5, "points");
  add_summary(table, "the mean of the fitted rows with that threshold", constant, 0, "points");
  table.after =
      fmt::format("{} of {} predicted rows lie in their 90 % intervals.", own.held, own.rows);
  return table;
}

SourceTable straggler_table(SourceFiles const& files) {
  SourceTable table{"Stragglers: the slowest of ten workers",
                    "Two production jobs of `calibration/data/mlperf`, rows ten steps apart "
                    "(`gridcast profile --fit calibration/data/mlperf/job_1.csv`). Fitted to all "
                    "rows, and to the first half of a job to predict the second: slow spells are "
                    "few, so a half without the worst of them cannot tell of it.",
                    {},
                    "",
                    "measured",
                    "model"};
  constexpr double wanted = 0.15;
  for (char const* job : {"job_1", "job_2"}) {
    auto const workers = read_worker_steps(files.data / "mlperf" / (std::string(job) + ".csv"));
    add(table, fmt::format("{}, fitted to all", job), workers, workers, wanted);
    add(table, fmt::format("{}, second half predicted from the first", job),
        half(workers, Half::first), half(workers, Half::second), 0);
  }
  return table;
}

}  // namespace gridcast::training::published
