#include "sim/report/data/train_json.hpp"

#include <nlohmann/json.hpp>

#include "sim/report/data/ledger_json.hpp"

namespace gridcast::report {
namespace {

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

Json job_json(training::TrainingSetup const& setup, training::TrainingEstimate const& estimate) {
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

std::string training_json(training::TrainingSetup const& setup,
                          training::TrainingEstimate const& estimate,
                          std::optional<training::SimulatedTraining> const& steps) {
  Json json = {{"schema", "gridcast.training/1"},
               {"profile", setup.profile.name},
               {"title", setup.profile.title}};
  json.update(job_json(setup, estimate));
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
  for (ScalingRow const& row : rows) list.push_back(job_json(row.setup, row.estimate));
  return text_of({{"schema", "gridcast.scaling/1"},
                  {"profile", rows.empty() ? "" : rows.front().setup.profile.name},
                  {"rows", std::move(list)}});
}

std::string sources_json(std::vector<training::SourceTable> const& tables) {
  Json list = Json::array();
  for (training::SourceTable const& table : tables) {
    Json rows = Json::array();
    for (training::SourceRow const& row : table.rows) {
      rows.push_back({{"what", row.what},
                      {"quantity", row.quantity},
                      {"unit", row.unit},
                      {"source", number(row.source)},
                      {"model", number(row.model)},
                      {"tolerance", row.tolerance > 0 ? number(row.tolerance) : Json(nullptr)},
                      {"relative", row.relative},
                      {"agrees", row.agrees()},
                      {"note", row.note}});
    }
    list.push_back({{"title", table.title}, {"rows", std::move(rows)}});
  }
  return text_of({{"schema", "gridcast.sources/1"}, {"tables", std::move(list)}});
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
