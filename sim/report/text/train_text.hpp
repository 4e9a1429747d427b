// How long a training job takes and where the time goes, for a person.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/text/characters.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/step_simulation.hpp"

namespace gridcast::report {

/// One table, the job above it, what it reads below.
std::string training_text(training::TrainingSetup const& setup,
                          training::TrainingEstimate const& estimate,
                          std::optional<training::SimulatedTraining> const& steps);

struct ScalingRow {
  training::TrainingSetup setup;
  training::TrainingEstimate estimate;
};

/// A row for each number of GPUs, and the efficiency as bars.
std::string scaling_text(std::vector<ScalingRow> const& rows, Charset charset);

/// Profiles, GPUs, machines and stores, by the names that gridcast train takes.
std::string catalogue_text(std::vector<scenario::Profile> const& profiles,
                           scenario::Hardware const& hardware);

/// The run that somebody measured with so many of these GPUs, that batch and as many epochs, if
/// there is one.
std::optional<scenario::MeasuredRun> measured_run(training::TrainingSetup const& setup);

}  // namespace gridcast::report
