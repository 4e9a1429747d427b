// A training job's times for scripts: {"schema": "gridcast.training/1", ...}, seconds and bytes as
// plain numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/train_text.hpp"
#include "sim/training/source_table.hpp"

namespace gridcast {

std::string training_json(TrainingSetup const& setup, TrainingEstimate const& estimate,
                          std::optional<SimulatedTraining> const& steps);
/// {"schema": "gridcast.scaling/1", "profile", "rows": [...]}
std::string scaling_json(std::vector<ScalingRow> const& rows);
/// {"schema": "gridcast.sources/1", "tables": [...]}
std::string sources_json(std::vector<SourceTable> const& tables);

/// {"schema": "gridcast.catalogue/1", "profiles", "gpus", "machines", "storage"}: names.
std::string catalogue_json(std::vector<Profile> const& profiles, Hardware const& hardware);

}  // namespace gridcast
