// Forecasts of larger runs from fits to small ones, and of the second half of a job from the first,
// on published data. Rows that were fitted to are not judged. The plain alternatives are judged on
// the same rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/base/statistics.hpp"
#include "sim/base/text.hpp"
#include "sim/training/fit/storage_fit.hpp"
#include "sim/training/fit/training_fit.hpp"
#include "sim/training/step_time.hpp"
#include "tests/training/published/source_table.hpp"
#include "tests/training/vague_scaling.hpp"

namespace gridcast::training::published {
namespace {

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

/// The speed grows in proportion to the number of GPUs.
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

using Families = std::map<std::string, std::vector<RunRow>>;

bool on_several_nodes(std::vector<RunRow> const& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [&rows](RunRow const& row) { return row.nodes != rows.front().nodes; });
}

/// MLPerf Training's families and Kempner's.
Families published_families(SourceFiles const& files) {
  Families families;
  for (RunRow const& row : read_runs(files.data / "mlperf" / "training.csv", 0, "").rows) {
    families[row.family].push_back(row);
  }
  families["Kempner"] = kempner_rows(files);
  return families;
}

/// Without the round: a preview and its successor are one system.
std::string system_of(std::string const& family) {
  return family.substr(0, std::min(family.find("_preview"), family.find(" v")));
}

enum class Others {
  whole,  // all rows of the other systems are known
  small,  // only those on as few nodes
};

/// The larger runs of a family, forecast from its rows on so many nodes at most and from other
/// systems, without the shipped prior, which knows all of them.
std::vector<std::pair<RunRow, EpochForecast>> left_out_forecasts(Families const& families,
                                                                 std::string const& family,
                                                                 int nodes, Others others) {
  std::vector<RunRow> fitted, larger;
  for (RunRow const& row : families.at(family)) {
    (row.nodes <= nodes ? fitted : larger).push_back(row);
  }
  for (auto const& [name, rows] : families) {
    if (system_of(name) == system_of(family)) continue;
    for (RunRow const& row : rows) {
      if (others == Others::whole || row.nodes <= nodes) fitted.push_back(row);
    }
  }
  FitOptions options;
  options.prior = vague_scaling();
  TrainingFit const fit = fit_training(fitted, resnet50(), options);
  std::vector<std::pair<RunRow, EpochForecast>> all;
  for (RunRow const& row : larger) {
    all.emplace_back(row, forecast(fit.families.front(), fit.base, row));
  }
  return all;
}

void add_summary(SourceTable& table, std::string const& name, Judgement const& judged,
                 double wanted, std::string const& unit) {
  table.rows.push_back({name, "mean error", unit, 0, judged.mean(), wanted, false,
                        fmt::format("{} rows that were not fitted to; worst {:.1f} {}", judged.rows,
                                    judged.worst, unit)});
}

std::vector<RunRow> rows_up_to(std::vector<RunRow> rows, int nodes) {
  std::erase_if(rows, [nodes](RunRow const& row) { return row.nodes > nodes; });
  return rows;
}

/// Each family with several numbers of nodes, from its rows on at most so many of them.
template <class Use>
void each_hold_out(Families const& families, Use const& use) {
  for (auto const& [family, rows] : families) {
    if (!on_several_nodes(rows)) continue;
    std::set<int> nodes;
    for (RunRow const& row : rows) nodes.insert(row.nodes);
    nodes.erase(std::prev(nodes.end()));
    for (int const most : nodes) use(family, most);
  }
}

SourceTable hold_out_table(SourceTable table, SourceFiles const& files, Others others) {
  Families const families = published_families(files);
  Judgement own;
  std::array<Judgement, plain_names.size()> plain;
  each_hold_out(families, [&](std::string const& family, int nodes) {
    auto const small = rows_up_to(families.at(family), nodes);
    for (auto const& [row, f] : left_out_forecasts(families, family, nodes, others)) {
      bool const in = f.interval.contains(row.epoch.value());
      own.add(100 * (f.median / row.epoch - 1), in);
      std::array const times = {perfect(small, row), doublings(small, row), amdahl(small, row)};
      for (std::size_t i = 0; i < times.size(); ++i) {
        plain[i].add(100 * (times[i] / row.epoch - 1), false);
      }
      table.rows.push_back({fmt::format("{}: {}", family, to_text(row)), "epoch", "s",
                            row.epoch.value(), f.median.value(), 0, true,
                            fmt::format("own rows on at most {}; 90 %: {:.4g} to {:.4g} s, {}",
                                        counted(nodes, "node"), f.interval.low, f.interval.high,
                                        in ? "holds it" : "does not hold it")});
    }
  });
  constexpr double wanted = 10, wanted_in = 88.5, around = 8.5;  // 80 to 97 %
  add_summary(table, "all predicted rows", own, wanted, "%");
  for (std::size_t i = 0; i < plain_names.size(); ++i) {
    add_summary(table, plain_names[i], plain[i], 0, "%");
  }
  constexpr double worst_wanted = 25;
  table.rows.push_back(
      {"all predicted rows", "worst error", "%", 0, own.worst, worst_wanted, false, ""});
  table.rows.push_back({"all predicted rows", "in their 90 % intervals", "%", wanted_in,
                        100. * own.held / own.rows, around, false, ""});
  return table;
}

}  // namespace

std::vector<RunRow> kempner_rows(SourceFiles const& files) {
  std::vector<RunRow> rows;
  for (NumberRow const& row : files.rows("kempner-resnet50-a100")) {
    constexpr int batch = 256, epochs = 90, images = 1281167;
    rows.push_back({"Kempner", "A100-80GB", static_cast<int>(row.number("gpus")),
                    static_cast<int>(row.number("nodes")), batch, images,
                    Seconds(row.number("wall_s")) / epochs, 0});
  }
  return rows;
}

SourceTable systems_left_out_table(SourceFiles const& files) {
  return hold_out_table({"Training: systems left out",
                         "Each system of MLPerf and Kempner that was measured on several numbers "
                         "of nodes is left out in turn. All rows of the other systems are fitted, "
                         "and its own rows on at most 1, 2, 4, ... nodes; its larger runs are "
                         "predicted. The shipped prior is not used.",
                         {},
                         "",
                         "measured",
                         "predicted"},
                        files, Others::whole);
}

SourceTable sizes_left_out_table(SourceFiles const& files) {
  return hold_out_table({"Training: larger sizes left out",
                         "The same, but nobody has measured the larger sizes: of the other systems "
                         "too, only the rows on as few nodes are fitted.",
                         {},
                         "",
                         "measured",
                         "predicted"},
                        files, Others::small);
}

SourceTable storage_hold_out_table(SourceFiles const& files) {
  SourceTable table{
      "MLPerf Storage: more accelerators a host from the fewest",
      "The rows with the fewest accelerators a host are fitted to, for each store and "
      "workload in `calibration/data/mlperf/storage.csv`, and the others predicted "
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

}  // namespace gridcast::training::published
