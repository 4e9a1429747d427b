// A training job's times for scripts: {"schema": "gridcast.training/1", ...}, seconds and bytes as
// plain numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/text/train_text.hpp"
#include "sim/training/published/source_table.hpp"

namespace gridcast::report {

std::string training_json(training::TrainingSetup const& setup,
                          training::TrainingEstimate const& estimate,
                          std::optional<training::SimulatedTraining> const& steps);
/// {"schema": "gridcast.scaling/1", "profile", "rows": [...]}
std::string scaling_json(std::vector<ScalingRow> const& rows);
/// {"schema": "gridcast.sources/1", "tables": [...]}
std::string sources_json(std::vector<training::SourceTable> const& tables);

/// {"schema": "gridcast.catalogue/1", "profiles", "gpus", "machines", "storage"}: names.
std::string catalogue_json(std::vector<scenario::Profile> const& profiles,
                           scenario::Hardware const& hardware);

}  // namespace gridcast::report
