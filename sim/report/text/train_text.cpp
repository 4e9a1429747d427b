#include "sim/report/text/train_text.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"

namespace gridcast::report {
namespace {

Json number(auto const& value) { return json_value(value, Digits::millionths); }
Json number_or_null(double value) { return value > 0 ? number(value) : Json(nullptr); }

Json parts_json(training::TimeParts const& parts) {
  Json json = Json::object();
  for (TimePart const& part : time_parts()) json[std::string(part.name)] = number(parts.*part.time);
  return json;
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
  return {{"wall_s", number_or_null(run->wall.value())},
          {"epoch_s", number_or_null(run->epoch.value())},
          {"learning_rate", number_or_null(run->learning_rate)},
          {"accuracy_top1_percent", number_or_null(run->accuracy_top1)},
          {"accuracy_top5_percent", number_or_null(run->accuracy_top5)}};
}

Json interval_json(std::optional<training::TrainingInterval> const& interval) {
  if (!interval) return nullptr;
  return {{"epoch_s", number(interval->epoch)},
          {"total_s", number(interval->total)},
          {"samples_per_s", number(interval->samples_per_s)},
          {"au", number(interval->au)}};
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
          {"learning_rate", number_or_null(estimate.learning_rate)},
          {"parts", parts_json(estimate.parts)},
          {"reads", reads_json(estimate.reads)},
          {"measured", measured_json(setup)}};
}

}  // namespace

std::vector<TimePart> const& time_parts() {
  using training::TimeParts;
  static std::vector<TimePart> const all = {
      {"start_s", "start (unpacking, imports)", &TimeParts::start},
      {"staging_s", "copying the data first", &TimeParts::staging},
      {"warm_up_s", "warm-up", &TimeParts::warm_up},
      {"reading_s", "reading before training", &TimeParts::reading},
      {"waiting_s", "waiting for data", &TimeParts::waiting},
      {"computing_s", "computing", &TimeParts::computing},
      {"straggling_s", "slowest rank", &TimeParts::straggling},
      {"exchange_s", "exchange of gradients", &TimeParts::exchange},
      {"optimizer_s", "optimizer", &TimeParts::optimizer},
      {"epoch_overhead_s", "epoch overhead", &TimeParts::epoch_overhead},
      {"validation_s", "validation", &TimeParts::validation},
      {"checkpoints_s", "checkpoints", &TimeParts::saving}};
  return all;
}

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

std::string catalogue_text(std::vector<scenario::Profile> const& profiles,
                           scenario::Hardware const& hardware, Screen const& screen) {
  TextTable workloads("profile|description");
  for (scenario::Profile const& profile : profiles)
    workloads.add_row({profile.name, profile.title});
  TextTable gpus("GPU|>memory|>ResNet-50 images/s");
  for (scenario::GpuModel const& gpu : hardware.gpus) {
    gpus.add_row({gpu.name, to_text(gpu.memory), fmt::format("{:.0f}", gpu.images_per_s)});
  }
  TextTable machines("machine|>nodes|>GPUs a node|GPU");
  for (scenario::MachineSpec const& machine : hardware.machines) {
    machines.add_row({machine.name, fmt::format("{}", machine.nodes),
                      fmt::format("{}", machine.gpus_per_node), machine.gpu});
  }
  TextTable stores("storage|>one reader|>all together");
  for (scenario::StorageSpec const& store : hardware.storage) {
    bool const limited = store.bandwidth > BytesPerSecond();
    stores.add_row({store.name, to_text(store.stream_bandwidth),
                    limited ? to_text(store.bandwidth) : "no limit"});
  }
  return workloads.str(screen) + "\n" + gpus.str(screen) + "\n" + machines.str(screen) + "\n" +
         stores.str(screen);
}

Json training_json(training::TrainingSetup const& setup, training::TrainingEstimate const& estimate,
                   std::optional<training::TrainingInterval> const& interval) {
  Json json = {{"schema", "gridcast.training/1"},
               {"profile", setup.profile.name},
               {"title", setup.profile.title}};
  json.update(job_json(setup, estimate, interval));
  return json;
}

Json scaling_json(std::vector<ScalingRow> const& rows) {
  Json list = Json::array();
  for (ScalingRow const& row : rows)
    list.push_back(job_json(row.setup, row.estimate, row.interval));
  return {{"schema", "gridcast.scaling/1"},
          {"profile", rows.empty() ? "" : rows.front().setup.profile.name},
          {"rows", std::move(list)}};
}

std::string catalogue_json(std::vector<scenario::Profile> const& profiles,
                           scenario::Hardware const& hardware) {
  auto const names = [](auto const& parts) {
    Json list = Json::array();
    for (auto const& part : parts) list.push_back(part.name);
    return list;
  };
  return json_text({{"schema", "gridcast.catalogue/1"},
                    {"profiles", names(profiles)},
                    {"gpus", names(hardware.gpus)},
                    {"machines", names(hardware.machines)},
                    {"storage", names(hardware.storage)}});
}

}  // namespace gridcast::report
