#include <limits>

#include <fmt/format.h>

#include "sim/scenario/profile_reader.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/scaling_fit.hpp"
#include "sim/training/source_csv.hpp"
#include "sim/training/source_table.hpp"

namespace gridcast::training {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr int few_gpus = 16;  // the rows that the extrapolation is fitted to

std::vector<NumberRow> rows_of(SourceFiles const& files) {
  return read_number_rows(files.data / "training" / "kempner-resnet50-a100.csv");
}

std::vector<ScalingPoint> points_of(std::vector<NumberRow> const& rows, int most) {
  std::vector<ScalingPoint> points;
  for (NumberRow const& row : rows) {
    int const gpus = static_cast<int>(row.number("gpus"));
    if (gpus <= most) points.push_back({gpus, Seconds(row.number("wall_s"))});
  }
  return points;
}

/// Measured columns that the model carries along.
std::string carried(NumberRow const& row) {
  return fmt::format("top-1 {} %, top-5 {} %, learning rate {}: measured, carried along",
                     row.text("val_acc1"), row.text("val_acc5"), row.text("learning_rate"));
}

void add_extrapolation(SourceTable& table, std::vector<NumberRow> const& rows) {
  ScalingFit const fit = fit_scaling(preferred_form(), points_of(rows, few_gpus));
  for (ScalingPoint const& point : points_of(rows, 1 << 20)) {
    if (point.gpus <= few_gpus) continue;
    table.rows.push_back(
        {fmt::format("{} GPUs, predicted from 1 to 16", point.gpus), "wall time", "s",
         point.wall.value(), fit.wall(point.gpus).value(), 0.04, true,
         fmt::format("log2 + serial: {:.5f} log2 n + {:.5f} (n - 1)", fit.a, fit.b)});
  }
}

}  // namespace

SourceTable kempner_table(SourceFiles const& files) {
  SourceTable table{"Kempner: ResNet-50 on A100s",
                    "Profile resnet50-imagenet-kempner, 90 epochs, 256 images a GPU. Three numbers "
                    "are fitted to the seven wall times (images a second, a cost an epoch, a loss "
                    "a doubling). The accuracy is measured, not predicted: gridcast says nothing "
                    "about what a network learns.",
                    {},
                    ""};
  auto const rows = rows_of(files);
  scenario::Hardware const hardware = scenario::read_hardware(files.profiles / "hardware.yaml");
  scenario::Profile const profile =
      scenario::find_profile(files.profiles, "resnet50-imagenet-kempner");
  for (NumberRow const& row : rows) {
    TrainingRequest request;
    request.gpus = static_cast<int>(row.number("gpus"));
    request.nodes = static_cast<int>(row.number("nodes"));
    auto const estimate = estimate_training(training_setup(profile, hardware, request));
    std::string const what = fmt::format("GPUs: {}, nodes: {}", *request.gpus, *request.nodes);
    table.rows.push_back({what, "wall time", "s", row.number("wall_s"), estimate.total.value(),
                          0.015, true, carried(row)});
    table.rows.push_back({what, "efficiency", "%", row.number("scaling_efficiency_pct"),
                          100 * estimate.efficiency, 1, false, ""});
    table.rows.push_back({what, "global batch", "", row.number("global_batch"),
                          estimate.global_batch, 0.5, false, ""});
  }
  add_extrapolation(table, rows);
  return table;
}

SourceTable kempner_outlook_table(SourceFiles const& files) {
  auto const points = points_of(rows_of(files), 1 << 20);
  constexpr int gpus = 128;
  ScalingOutlook const outlook = scaling_outlook(points, gpus);
  SourceTable table{
      "Kempner: the 128-GPU row that the source leaves \"TBD\"",
      fmt::format("Wall time predicted for 128 GPUs: {:.0f} s, {:.0f} to {:.0f} s. The interval "
                  "covers each form of the loss that comes within {} points of all seven "
                  "efficiencies, widened by that form's worst miss of a wall time. With the "
                  "refuted forms too it would be {:.0f} to {:.0f} s.",
                  outlook.wall.value(), outlook.interval.low, outlook.interval.high, refuted_points,
                  outlook.every_form.low, outlook.every_form.high),
      {},
      "What would settle it, short of the run itself: on 64 GPUs, the time from an epoch's start "
      "to its first step, and that of the validation's end, with `persistent_workers` on and off. "
      "A cost an epoch (the serial form) shows up there and nowhere else; a loss at each step (the "
      "others) shows up in the steps. At 128 GPUs an epoch is 40 steps, and the forms that are "
      "left "
      "differ by 15 % of the wall time."};
  for (ScalingFit const& fit : outlook.fits) {
    double const miss = worst_efficiency(fit, points);
    table.rows.push_back({fit.form.name, "wall time at 128 GPUs", "s", unknown,
                          fit.wall(gpus).value(), 0, true,
                          fmt::format("a {:.5f}, b {:.5f}; misses an efficiency by {:.2f} points, "
                                      "a wall time by {:.1f} %{}",
                                      fit.a, fit.b, miss, 100 * worst_wall(fit, points),
                                      miss > refuted_points ? "; refuted" : "")});
  }
  return table;
}

}  // namespace gridcast::training
