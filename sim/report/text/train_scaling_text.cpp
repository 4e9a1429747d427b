#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/text/table.hpp"
#include "sim/report/text/train_text.hpp"

namespace gridcast::report {
namespace {

constexpr int width = 50;  // characters of a bar of 100 %

std::string bar(double share, Charset charset) {
  int const filled = static_cast<int>(std::lround(width * std::clamp(share, 0., 1.)));
  std::string text;
  for (int i = 0; i < width; ++i) {
    bool const full = i < filled;
    text += charset == Charset::utf8 ? (full ? "█" : "·") : (full ? "#" : ".");
  }
  return text;
}

std::string measured_text(ScalingRow const& row) {
  auto const run = measured_run(row.setup);
  if (!run) return "";
  if (run->wall > Seconds(0)) return fmt::format("{:.0f} s", run->wall.value());
  return fmt::format("{:.2f} s/epoch", run->epoch.value());
}

}  // namespace

std::string scaling_text(std::vector<ScalingRow> const& rows, Charset charset) {
  TextTable table({{"GPUs", Align::right},
                   {"nodes", Align::right},
                   {"batch", Align::right},
                   {"steps", Align::right},
                   {"step", Align::right},
                   {"epoch", Align::right},
                   {"job", Align::right},
                   {"samples/s", Align::right},
                   {"efficiency", Align::right},
                   {"AU", Align::right},
                   {"measured", Align::right}});
  std::string plot = "efficiency\n";
  for (ScalingRow const& row : rows) {
    training::TrainingEstimate const& e = row.estimate;
    table.add_row({fmt::format("{}", row.setup.gpus), fmt::format("{}", row.setup.nodes),
                   fmt::format("{:.0f}", e.global_batch), fmt::format("{:.0f}", e.steps),
                   to_text(e.step_mean), to_text(e.epoch), fmt::format("{:.0f} s", e.total.value()),
                   fmt::format("{:.0f}", e.samples_per_s),
                   fmt::format("{:.1f} %", 100 * e.efficiency), fmt::format("{:.1f} %", 100 * e.au),
                   measured_text(row)});
    plot += fmt::format("{:>6} {} {:5.1f} %\n", row.setup.gpus, bar(e.efficiency, charset),
                        100 * e.efficiency);
  }
  return table.str() + "\n" + plot;
}

}  // namespace gridcast::report
