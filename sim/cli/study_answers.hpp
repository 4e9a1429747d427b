// What a comparison or a prediction is told as: the same for one that was played here and for one that was
// gathered from shards.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "sim/cli/study_arguments.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/history/job_history.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/comparison.hpp"
#include "sim/study/conformal.hpp"
#include "sim/study/prediction.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {

/// Before any work: that what will be written can be. InputError.
void prepare_comparison(StudyArguments const& arguments,
                        std::vector<std::filesystem::path> const& inputs);
void prepare_prediction(StudyArguments const& arguments,
                        std::vector<std::filesystem::path> const& inputs);

/// A campaign that took place; nothing without files.
std::optional<history::JobHistory> observed_campaign(
    std::vector<std::filesystem::path> const& files, RecordArguments const& record);

/// Tells it, writes its tables and its page, and gives the exit code.
int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           study::Comparison const& comparison);
int answer(StudyArguments const& arguments, scenario::Scenario const& scenario,
           scenario::Strategy const& strategy, study::Prediction const& prediction,
           std::optional<history::JobHistory> const& observed,
           std::vector<study::ConformalFactor> const& correction = {});

/// Its results, read whole. `frozen`: what the folder's study is of.
study::FoundShards find_results(study::StudyFolder const& folder,
                                study::FrozenScenario const& frozen);

/// The answer of what the folder holds, and on stderr what is missing. Also writes its attempts.csv.
int gather_study(study::StudyFolder& folder, StudyArguments const& arguments);

}  // namespace gridcast::cli
