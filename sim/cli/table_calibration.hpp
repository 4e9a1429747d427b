// From job tables to a calibration file: what `calibrate` writes of them. The simulations that it is fitted
// with are played here, or in shards, round by round (calibration/simulated/rounds.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "calibration/calibrate.hpp"
#include "sim/cli/log_calibration.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/study/shards/shard.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {

/// What is asked of `calibrate`.
struct TableCalibration {
  calibration::TableCalibrationRequest request;
  std::filesystem::path out;
  std::optional<std::uint32_t> shard_size;  // tasks; none: as many as take ten minutes
};

/// InputError for what cannot be asked of tables.
TableCalibration table_calibration(CalibrateOptions const& options);

/// Fits, writes and tells. The exit code.
int calibrate_tables(TableCalibration const& asked, CalibrateOptions const& options);

/// The first round, and in how many shards it is played by what one simulated campaign takes; nothing if it
/// was interrupted. InputError for what cannot be fitted.
struct FirstRound {
  std::uint32_t tasks = 0;
  study::ShardPlan plan;
};
std::optional<FirstRound> first_round(TableCalibration const& asked);

/// What is frozen of it beside pool and tables.
std::string table_calibration_json(TableCalibration const& asked);

/// How shards of such a study are played, from what is in the folder of results beside the frozen one.
study::ShardPlayer calibration_player(study::FrozenStudy const& study);

/// Once all of a round is there: keeps in the folder which round is next, if there is one.
void find_next_round(study::StudyFolder& folder);

/// Writes the calibration if all rounds are there. The exit code.
int gather_calibration(study::StudyFolder const& folder, StudyArguments const& arguments);

}  // namespace gridcast::cli
