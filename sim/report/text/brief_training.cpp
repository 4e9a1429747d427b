#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"
#include "sim/report/text/brief.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/report/text/train_text.hpp"

namespace gridcast::report {
namespace {

/// The parts of the job's time that are not zero, the largest first.
std::vector<TimePart> largest_parts(training::TimeParts const& parts) {
  auto all = time_parts();
  std::erase_if(all, [&](TimePart const& part) { return !(parts.*part.time > Seconds()); });
  std::stable_sort(all.begin(), all.end(), [&](TimePart const& a, TimePart const& b) {
    return parts.*a.time > parts.*b.time;
  });
  return all;
}

std::string time_range(std::optional<training::TrainingInterval> const& interval) {
  if (!interval) return "";
  return fmt::format(" ({} to {} in 90 %)", to_text(Seconds(interval->total.low)),
                     to_text(Seconds(interval->total.high)));
}

std::string parts_table(training::TrainingEstimate const& estimate, Screen const& screen) {
  constexpr std::size_t most = 3;
  auto parts = largest_parts(estimate.parts);
  if (parts.size() > most) parts.resize(most);
  TextTable table({{"largest parts of the time"}, {"time", Align::right}, {"share", Align::right}});
  for (TimePart const& part : parts) {
    Seconds const time = estimate.parts.*part.time;
    table.add_row({std::string(part.words), to_text(time),
                   fmt::format("{:.1f} %", 100 * (time / estimate.total))});
  }
  return parts.empty() ? "" : table.str(screen);
}

}  // namespace

std::string brief_training(training::TrainingSetup const& setup,
                           training::TrainingEstimate const& estimate,
                           std::optional<training::TrainingInterval> const& interval,
                           Screen const& screen) {
  auto const& profile = setup.profile;
  Brief brief(screen);
  brief.say(fmt::format("{} takes {}{} for {} on {} ({}), {} GPU hours.", profile.name,
                        to_text(estimate.total), time_range(interval),
                        counted(profile.train.epochs, "epoch"), counted(setup.gpus, "GPU"),
                        setup.gpu, fmt::format("{:.1f}", setup.gpus * (estimate.total / hours(1)))),
            9, 3);
  brief.add(parts_table(estimate, brief.screen()), 6);
  brief.say(fmt::format("Speed: {:.1f} samples/s, {:.1f} % of the speed of as many single GPUs.",
                        estimate.samples_per_s, 100 * estimate.efficiency),
            5, 2);
  auto const run = measured_run(setup);
  bool const measured = run && run->wall > Seconds();
  brief.say(measured
                ? fmt::format("Evidence: a measured run of this job took {}.", to_text(run->wall))
                : "Evidence: the profile alone; no measured run of this job.",
            5, 2);
  brief.add(next_command(screen), 7);
  return brief.text();
}

std::string brief_scaling(std::vector<ScalingRow> const& rows, Screen const& screen) {
  TextTable table({{"GPUs", Align::right},
                   {"nodes", Align::right},
                   {"epoch", Align::right},
                   {"job", Align::right},
                   {"GPU hours", Align::right},
                   {"scaling", Align::right}});
  constexpr std::size_t most_rows = 7;
  std::size_t const shown = std::min(most_rows, rows.size());
  for (std::size_t i = 0; i < shown; ++i) {
    // The first and the last row, and others evenly between them.
    ScalingRow const& row = rows[shown < 2 ? 0 : i * (rows.size() - 1) / (shown - 1)];
    auto const& e = row.estimate;
    table.add_row({fmt::format("{}", row.setup.gpus), fmt::format("{}", row.setup.nodes),
                   to_text(e.epoch), to_text(e.total),
                   fmt::format("{:.1f}", row.setup.gpus * (e.total / hours(1))),
                   fmt::format("{:.1f} %", 100 * e.efficiency)});
  }
  ScalingRow const& last = rows.back();
  auto const& profile = last.setup.profile;
  Brief brief(screen);
  brief.say(fmt::format("{} takes {} on {}{}, at {:.1f} % of the speed of as many single GPUs.",
                        profile.name, to_text(last.estimate.total), counted(last.setup.gpus, "GPU"),
                        time_range(last.interval), 100 * last.estimate.efficiency),
            Brief::needed, 3);
  brief.add(table.str(brief.screen()), 8);
  brief.add(next_command(screen), 7);
  return brief.text();
}

}  // namespace gridcast::report
