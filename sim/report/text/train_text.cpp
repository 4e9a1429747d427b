#include "sim/report/text/train_text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"
#include "sim/report/data/json.hpp"
#include "sim/report/text/layout.hpp"

namespace gridcast::report {
namespace {

std::string percent_of(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string job_text(training::TrainingSetup const& setup,
                     training::TrainingEstimate const& estimate) {
  scenario::Profile const& profile = setup.profile;
  std::string text = profile.name + ": " + profile.title + "\n";
  text +=
      fmt::format("{} ({}) on {} of {}, {} a step on each, {:.0f} in all; {} of {:.0f} steps\n",
                  counted(setup.gpus, "GPU"), setup.gpu, counted(setup.nodes, "node"),
                  setup.machine.name, counted(profile.train.batch, "sample"), estimate.global_batch,
                  counted(profile.train.epochs, "epoch"), estimate.steps);
  Bytes const size = profile.dataset.sample_size * setup.samples;
  text += fmt::format("data: {:.0f} samples, {}, on {}", setup.samples, to_text(size),
                      setup.storage.name);
  if (setup.source) text += ", copied from " + setup.source->name + " first";
  return text + (setup.weak ? "; weak scaling: the data grow with the GPUs\n" : "\n");
}

/// The sums of the parts of a step, and the parts outside of steps.
std::string parts_text(training::TrainingEstimate const& estimate, int epochs) {
  training::TimeParts const& parts = estimate.parts;
  double const steps = std::max(1., estimate.steps * epochs);
  TextTable table({{"where the time goes"},
                   {"a step", Align::right},
                   {"an epoch", Align::right},
                   {"the job", Align::right},
                   {"share", Align::right}});
  auto const add = [&](std::string_view name, Seconds time, bool in_steps, bool in_epochs) {
    if (time == Seconds(0)) return;
    table.add_row({std::string(name), in_steps ? to_text(time / steps) : "",
                   in_epochs ? to_text(time / epochs) : "", to_text(time),
                   percent_of(time / estimate.total)});
  };
  add("start (unpacking, imports)", parts.start, false, false);
  add("copying the data first", parts.staging, false, false);
  add("warm-up", parts.warm_up, false, false);
  add("reading before training", parts.reading, false, true);
  add("computing", parts.computing, true, true);
  add("slowest rank", parts.straggling, true, true);
  add("exchange of gradients", parts.exchange, true, true);
  add("optimizer", parts.optimizer, true, true);
  add("waiting for data", parts.waiting, true, true);
  add("epoch overhead", parts.epoch_overhead, false, true);
  add("validation", parts.validation, false, true);
  add("checkpoints", parts.saving, false, true);
  table.add_rule();
  table.add_row({"total", to_text(estimate.step_mean), to_text(estimate.epoch),
                 to_text(estimate.total), "100 %"});
  return table.str();
}

std::string reads_text(training::TrainingEstimate const& estimate) {
  std::string text = fmt::format("read {} from the store", to_text(estimate.from_store));
  if (estimate.from_cache > Bytes(0)) {
    text += fmt::format(", {} from the page cache", to_text(estimate.from_cache));
  }
  if (estimate.written > Bytes(0)) {
    text += fmt::format("; written {} in {}", to_text(estimate.written),
                        counted(estimate.saves, "checkpoint"));
  }
  text += "\n";
  for (training::Operations const& reads : estimate.reads) {
    text += fmt::format("  {:.0f} reads of {}\n", reads.count, to_text(reads.size));
  }
  if (estimate.opens > 0) text += fmt::format("  {:.0f} opens\n", estimate.opens);
  return text;
}

std::string summary_text(training::TrainingSetup const& setup,
                         training::TrainingEstimate const& estimate) {
  std::string text = fmt::format(
      "{:.1f} samples/s, {} of as many single GPUs; I/O share {}, waiting for I/O {}, "
      "AU {}",
      estimate.samples_per_s, percent_of(estimate.efficiency), percent_of(estimate.io_share),
      percent_of(estimate.wait_share), percent_of(estimate.au));
  double const threshold = setup.profile.au_threshold;
  if (threshold > 0) {
    text += fmt::format(" ({} the benchmark's {})", estimate.au >= threshold ? "meets" : "fails",
                        percent_of(threshold));
  }
  return text + "\n";
}

std::string interval_text(Interval const& interval) {
  return to_text(Seconds(interval.low)) + " to " + to_text(Seconds(interval.high));
}

/// The accuracy of an estimate.
std::string interval_text(std::optional<training::TrainingInterval> const& interval) {
  if (!interval) return "";
  return fmt::format("90 %: {} an epoch, {} the job; {:.1f} to {:.1f} samples/s; AU {} to {}\n",
                     interval_text(interval->epoch), interval_text(interval->total),
                     interval->samples_per_s.low, interval->samples_per_s.high,
                     percent_of(interval->au.low), percent_of(interval->au.high));
}

std::string bookkeeping_text(training::TrainingSetup const& setup,
                             training::TrainingEstimate const& estimate) {
  std::string text;
  if (estimate.learning_rate > 0) {
    text += fmt::format("learning rate by the linear rule: {:.4g}\n", estimate.learning_rate);
  }
  auto const run = measured_run(setup);
  if (run && run->accuracy_top1 > 0) {
    text += fmt::format(
        "measured with this many GPUs, at learning rate {}: top-1 {} %, top-5 {} % "
        "(not predicted)\n",
        run->learning_rate, run->accuracy_top1, run->accuracy_top5);
  }
  return text;
}

std::string steps_text(training::SimulatedTraining const& steps,
                       training::TrainingEstimate const& estimate) {
  return fmt::format(
      "step by step ({:.0f} steps): {:.1f} s, AU {}; closed form {:.1f} s, {:+.3f} "
      "%\n",
      steps.steps, steps.total.value(), percent_of(steps.au), estimate.total.value(),
      100 * (estimate.total / steps.total - 1));
}

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

using Json = nlohmann::ordered_json;

Json number(double value) { return json_number(value); }
Json number(Seconds value) { return json_number(value.value()); }
Json number(Bytes value) { return json_number(value.value()); }

std::string text_of(Json const& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json parts_json(training::TimeParts const& parts) {
  return {{"start_s", number(parts.start)},
          {"staging_s", number(parts.staging)},
          {"warm_up_s", number(parts.warm_up)},
          {"reading_s", number(parts.reading)},
          {"waiting_s", number(parts.waiting)},
          {"computing_s", number(parts.computing)},
          {"straggling_s", number(parts.straggling)},
          {"exchange_s", number(parts.exchange)},
          {"optimizer_s", number(parts.optimizer)},
          {"epoch_overhead_s", number(parts.epoch_overhead)},
          {"validation_s", number(parts.validation)},
          {"checkpoints_s", number(parts.saving)}};
}

Json reads_json(std::vector<training::Operations> const& reads) {
  Json list = Json::array();
  for (training::Operations const& one : reads) {
    list.push_back({{"bytes", number(one.size)}, {"count", number(one.count)}});
  }
  return list;
}

Json measured_json(training::TrainingSetup const& setup) {
  auto const run = measured_run(setup);
  if (!run) return nullptr;
  auto const or_null = [](double value) { return value > 0 ? number(value) : Json(nullptr); };
  return {{"wall_s", or_null(run->wall.value())},
          {"epoch_s", or_null(run->epoch.value())},
          {"learning_rate", or_null(run->learning_rate)},
          {"accuracy_top1_percent", or_null(run->accuracy_top1)},
          {"accuracy_top5_percent", or_null(run->accuracy_top5)}};
}

Json interval_json(std::optional<training::TrainingInterval> const& interval) {
  if (!interval) return nullptr;
  auto const pair = [](Interval const& of) { return Json{number(of.low), number(of.high)}; };
  return {{"epoch_s", pair(interval->epoch)},
          {"total_s", pair(interval->total)},
          {"samples_per_s", pair(interval->samples_per_s)},
          {"au", pair(interval->au)}};
}

Json job_json(training::TrainingSetup const& setup, training::TrainingEstimate const& estimate,
              std::optional<training::TrainingInterval> const& interval) {
  return {{"gpus", setup.gpus},
          {"nodes", setup.nodes},
          {"gpu", setup.gpu},
          {"batch", setup.profile.train.batch},
          {"global_batch", number(estimate.global_batch)},
          {"epochs", setup.profile.train.epochs},
          {"scaling", setup.weak ? "weak" : "strong"},
          {"storage", setup.storage.name},
          {"staged_from", setup.source ? Json(setup.source->name) : Json(nullptr)},
          {"steps_per_epoch", number(estimate.steps)},
          {"step_s", number(estimate.step_mean)},
          {"epoch_s", number(estimate.epoch)},
          {"total_s", number(estimate.total)},
          {"samples_per_s", number(estimate.samples_per_s)},
          {"interval90", interval_json(interval)},
          {"efficiency", number(estimate.efficiency)},
          {"io_share", number(estimate.io_share)},
          {"wait_share", number(estimate.wait_share)},
          {"au", number(estimate.au)},
          {"read_bytes", number(estimate.from_store)},
          {"cached_bytes", number(estimate.from_cache)},
          {"written_bytes", number(estimate.written)},
          {"opens", number(estimate.opens)},
          {"learning_rate",
           estimate.learning_rate > 0 ? number(estimate.learning_rate) : Json(nullptr)},
          {"parts", parts_json(estimate.parts)},
          {"reads", reads_json(estimate.reads)},
          {"measured", measured_json(setup)}};
}

}  // namespace

std::optional<scenario::MeasuredRun> measured_run(training::TrainingSetup const& setup) {
  scenario::Profile const& profile = setup.profile;
  bool const as_measured = !setup.weak && setup.gpu == profile.compute.gpu &&
                           profile.train.epochs == setup.measured_epochs;
  if (!as_measured) return std::nullopt;
  for (scenario::MeasuredRun const& run : profile.measured) {
    if (run.gpus == setup.gpus && run.batch == profile.train.batch) return run;
  }
  return std::nullopt;
}

std::string training_text(training::TrainingSetup const& setup,
                          training::TrainingEstimate const& estimate,
                          std::optional<training::SimulatedTraining> const& steps,
                          std::optional<training::TrainingInterval> const& interval,
                          Screen const& screen) {
  std::string text = job_text(setup, estimate) + "\n" +
                     parts_text(estimate, setup.profile.train.epochs) + "\n" +
                     summary_text(setup, estimate) + interval_text(interval) +
                     reads_text(estimate) + bookkeeping_text(setup, estimate);
  if (steps) text += steps_text(*steps, estimate);
  return fitted(text, screen);
}

std::string catalogue_text(std::vector<scenario::Profile> const& profiles,
                           scenario::Hardware const& hardware, Screen const& screen) {
  TextTable workloads({{"profile"}, {"description"}});
  for (scenario::Profile const& profile : profiles)
    workloads.add_row({profile.name, profile.title});
  TextTable gpus({{"GPU"}, {"memory", Align::right}, {"ResNet-50 images/s", Align::right}});
  for (scenario::GpuModel const& gpu : hardware.gpus) {
    gpus.add_row({gpu.name, to_text(gpu.memory), fmt::format("{:.0f}", gpu.images_per_s)});
  }
  TextTable machines(
      {{"machine"}, {"nodes", Align::right}, {"GPUs a node", Align::right}, {"GPU"}});
  for (scenario::MachineSpec const& machine : hardware.machines) {
    machines.add_row({machine.name, fmt::format("{}", machine.nodes),
                      fmt::format("{}", machine.gpus_per_node), machine.gpu});
  }
  TextTable stores({{"storage"}, {"one reader", Align::right}, {"all together", Align::right}});
  for (scenario::StorageSpec const& store : hardware.storage) {
    bool const limited = store.bandwidth > BytesPerSecond();
    stores.add_row({store.name, to_text(store.stream_bandwidth),
                    limited ? to_text(store.bandwidth) : "no limit"});
  }
  return workloads.str(screen) + "\n" + gpus.str(screen) + "\n" + machines.str(screen) + "\n" +
         stores.str(screen);
}

std::string scaling_text(std::vector<ScalingRow> const& rows, Screen const& screen) {
  TextTable table({{"GPUs", Align::right},
                   {"nodes", Align::right},
                   {"batch", Align::right},
                   {"steps", Align::right},
                   {"step", Align::right},
                   {"epoch", Align::right},
                   {"job", Align::right},
                   {"samples/s", Align::right},
                   {"scaling", Align::right},
                   {"AU", Align::right},
                   {"measured", Align::right}});
  std::string plot = "scaling: samples a second, relative to as many single GPUs\n", intervals;
  for (ScalingRow const& row : rows) {
    if (row.interval) {
      intervals += fmt::format("{:>6} GPUs, 90 %: {} an epoch\n", row.setup.gpus,
                               interval_text(row.interval->epoch));
    }
    training::TrainingEstimate const& e = row.estimate;
    table.add_row({fmt::format("{}", row.setup.gpus), fmt::format("{}", row.setup.nodes),
                   fmt::format("{:.0f}", e.global_batch), fmt::format("{:.0f}", e.steps),
                   to_text(e.step_mean), to_text(e.epoch), fmt::format("{:.0f} s", e.total.value()),
                   fmt::format("{:.0f}", e.samples_per_s),
                   fmt::format("{:.1f} %", 100 * e.efficiency), fmt::format("{:.1f} %", 100 * e.au),
                   measured_text(row)});
    plot += fmt::format("{:>6} {} {:5.1f} %\n", row.setup.gpus, bar(e.efficiency, screen.charset),
                        100 * e.efficiency);
  }
  return table.str(screen) + (intervals.empty() ? "" : "\n" + intervals) + "\n" + plot;
}

std::string training_json(training::TrainingSetup const& setup,
                          training::TrainingEstimate const& estimate,
                          std::optional<training::SimulatedTraining> const& steps,
                          std::optional<training::TrainingInterval> const& interval) {
  Json json = {{"schema", "gridcast.training/1"},
               {"profile", setup.profile.name},
               {"title", setup.profile.title}};
  json.update(job_json(setup, estimate, interval));
  if (steps) {
    json["steps"] = {{"total_s", number(steps->total)},
                     {"waiting_s", number(steps->waiting)},
                     {"au", number(steps->au)},
                     {"steps", number(steps->steps)},
                     {"checkpoints", steps->saves}};
  }
  return text_of(json);
}

std::string scaling_json(std::vector<ScalingRow> const& rows) {
  Json list = Json::array();
  for (ScalingRow const& row : rows)
    list.push_back(job_json(row.setup, row.estimate, row.interval));
  return text_of({{"schema", "gridcast.scaling/1"},
                  {"profile", rows.empty() ? "" : rows.front().setup.profile.name},
                  {"rows", std::move(list)}});
}

std::string catalogue_json(std::vector<scenario::Profile> const& profiles,
                           scenario::Hardware const& hardware) {
  auto const names = [](auto const& parts) {
    Json list = Json::array();
    for (auto const& part : parts) list.push_back(part.name);
    return list;
  };
  return text_of({{"schema", "gridcast.catalogue/1"},
                  {"profiles", names(profiles)},
                  {"gpus", names(hardware.gpus)},
                  {"machines", names(hardware.machines)},
                  {"storage", names(hardware.storage)}});
}

}  // namespace gridcast::report
