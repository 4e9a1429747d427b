// How long a training job takes and where the time goes, for a person.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/finish_curve.hpp"
#include "sim/training/estimate.hpp"
#include "sim/training/step_simulation.hpp"

namespace gridcast {

/// One table, the job above it, what it reads below.
std::string training_text(TrainingSetup const& setup, TrainingEstimate const& estimate,
                          std::optional<SimulatedTraining> const& steps);

struct ScalingRow {
  TrainingSetup setup;
  TrainingEstimate estimate;
};

/// A row for each number of GPUs, and the efficiency as bars.
std::string scaling_text(std::vector<ScalingRow> const& rows, Charset charset);

/// Names and titles of profiles.
std::string profile_list_text(std::vector<Profile> const& profiles);

/// The run that somebody measured with so many GPUs and that batch, if there is one.
std::optional<MeasuredRun> measured_run(TrainingSetup const& setup);

}  // namespace gridcast
