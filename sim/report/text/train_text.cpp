#include "sim/report/text/train_text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/report/text/table.hpp"

namespace gridcast::report {
namespace {

std::string plural(int count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string job_text(training::TrainingSetup const& setup,
                     training::TrainingEstimate const& estimate) {
  scenario::Profile const& profile = setup.profile;
  std::string text = profile.name + ": " + profile.title + "\n";
  text += fmt::format("{} ({}) on {} of {}, {} a step on each, {:.0f} in all; {} of {:.0f} steps\n",
                      plural(setup.gpus, "GPU"), setup.gpu, plural(setup.nodes, "node"),
                      setup.machine.name, plural(profile.train.batch, "sample"),
                      estimate.global_batch, plural(profile.train.epochs, "epoch"), estimate.steps);
  Bytes const size = profile.dataset.sample_size * setup.samples;
  text += fmt::format("data: {:.0f} samples, {}, on {}", setup.samples, to_text(size),
                      setup.storage.name);
  if (setup.source) text += ", copied from " + setup.source->name + " first";
  return text + (setup.weak ? "; weak scaling: the data grow with the GPUs\n" : "\n");
}

/// What the parts of a step come to, and those that have no step.
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
                   percent(time / estimate.total)});
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
                        plural(estimate.saves, "checkpoint"));
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
  std::string text =
      fmt::format("{:.1f} samples/s, efficiency {}; I/O share {}, waiting for I/O {}, AU {}",
                  estimate.samples_per_s, percent(estimate.efficiency), percent(estimate.io_share),
                  percent(estimate.wait_share), percent(estimate.au));
  double const threshold = setup.profile.au_threshold;
  if (threshold > 0) {
    text += fmt::format(" ({} the benchmark's {})", estimate.au >= threshold ? "meets" : "fails",
                        percent(threshold));
  }
  return text + "\n";
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
      steps.steps, steps.total.value(), percent(steps.au), estimate.total.value(),
      100 * (estimate.total / steps.total - 1));
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
                          std::optional<training::SimulatedTraining> const& steps) {
  std::string text =
      job_text(setup, estimate) + "\n" + parts_text(estimate, setup.profile.train.epochs) + "\n" +
      summary_text(setup, estimate) + reads_text(estimate) + bookkeeping_text(setup, estimate);
  if (steps) text += steps_text(*steps, estimate);
  return text;
}

std::string catalogue_text(std::vector<scenario::Profile> const& profiles,
                           scenario::Hardware const& hardware) {
  TextTable workloads({{"profile"}, {"what it is"}});
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
  return workloads.str() + "\n" + gpus.str() + "\n" + machines.str() + "\n" + stores.str();
}

}  // namespace gridcast::report
