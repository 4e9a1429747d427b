// How long a training job takes and where the time goes, and how it scales: for a person, and for
// scripts ({"schema": "gridcast.training/1", ...}, seconds and bytes as plain numbers).
//
// Also the parameters fitted to a table of runs, each with its interval, and each row beside its
// forecast with its weight, held-back ones apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/json_fields.hpp"
#include "sim/report/text/layout.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/fit/storage_fit.hpp"
#include "sim/training/fit/training_fit.hpp"

namespace gridcast::report {

/// A part of a job's time, by its name in JSON and in words.
struct TimePart {
  std::string_view name, words;
  Seconds training::TimeParts::*time;
};
std::vector<TimePart> const& time_parts();

/// The twelve lines (brief.hpp).
std::string brief_training(training::TrainingSetup const& setup,
                           training::TrainingEstimate const& estimate,
                           std::optional<training::TrainingInterval> const& interval,
                           Screen const& screen);

struct ScalingRow {
  training::TrainingSetup setup;
  training::TrainingEstimate estimate;
  std::optional<training::TrainingInterval> interval = {};
};

/// The twelve lines of it. There is a row at least.
std::string brief_scaling(std::vector<ScalingRow> const& rows, Screen const& screen);

/// Profiles, GPUs, machines and stores, by the names that gridcast profile takes.
std::string catalogue_text(std::vector<scenario::Profile> const& profiles,
                           scenario::Hardware const& hardware, Screen const& screen);

/// The run that somebody measured with so many of these GPUs, that batch and as many epochs, if
/// there is one.
std::optional<scenario::MeasuredRun> measured_run(training::TrainingSetup const& setup);

Json training_json(training::TrainingSetup const& setup, training::TrainingEstimate const& estimate,
                   std::optional<training::TrainingInterval> const& interval = {});
/// {"schema": "gridcast.scaling/1", "profile", "rows": [...]}
Json scaling_json(std::vector<ScalingRow> const& rows);

/// {"schema": "gridcast.catalogue/1", "profiles", "gpus", "machines", "storage"}: names.
std::string catalogue_json(std::vector<scenario::Profile> const& profiles,
                           scenario::Hardware const& hardware);

/// The twelve lines; `held`: rows that were not fitted.
std::string brief_fit(training::TrainingFit const& fit, std::vector<training::RunRow> const& held,
                      std::vector<std::string> const& notes, Screen const& screen);
std::string brief_fit(std::vector<training::StorageFit> const& fits,
                      std::vector<training::StorageRow> const& held,
                      std::vector<std::string> const& notes, Screen const& screen);

/// All of it: {"schema": "gridcast.training-fit/1", ...} and
/// {"schema": "gridcast.storage-fit/1", ...}.
Json fit_json(training::TrainingFit const& fit, std::vector<training::RunRow> const& held,
              std::vector<std::string> const& notes);
Json fit_json(std::vector<training::StorageFit> const& fits,
              std::vector<training::StorageRow> const& held, std::vector<std::string> const& notes);

}  // namespace gridcast::report
