// `gridcast validate --against` and `--leave-one` in shards (study_on.hpp): what was planned when the study was
// begun, and its scores once all of it is played.
#pragma once

#include "sim/cli/score_plan.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/study/shards/frozen_study.hpp"
#include "sim/study/shards/study_folder.hpp"

namespace gridcast::cli {

/// What `validate` shares with the verbs that play studies.
StudyArguments study_arguments(ScoreArguments const& arguments);

/// The plan that was frozen. InputError.
ScorePlan frozen_plan(study::FrozenStudy const& study);

/// The scores, if all shards are there: of a part of the forecasts they would be of something else. The
/// exit code.
int gather_scores(study::StudyFolder const& folder, study::FoundShards const& found,
                  StudyArguments const& arguments);

}  // namespace gridcast::cli
