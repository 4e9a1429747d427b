#include "sim/cli/score_study.hpp"

#include "sim/base/tell.hpp"
#include "sim/cli/terminal.hpp"

namespace gridcast::cli {

namespace fs = std::filesystem;

StudyArguments study_arguments(ScoreArguments const& arguments) {
  StudyArguments own;
  own.seed = arguments.seed;
  own.processes = arguments.processes;
  own.csv = arguments.csv;
  own.json = arguments.json;
  own.force = arguments.force;
  own.verbose = arguments.verbose;
  own.quiet = arguments.quiet;
  own.report = arguments.report;
  return own;
}

ScorePlan frozen_plan(study::FrozenStudy const& study) {
  std::vector<fs::path> scenarios;
  for (auto const& file : study.forecast_files) scenarios.push_back(study.folder / file);
  return read_score_plan(study::scores_file(study), scenarios);
}

int gather_scores(study::StudyFolder const& folder, study::FoundShards const& found,
                  StudyArguments const& arguments) {
  ScoreArguments own;
  own.csv = arguments.csv;
  own.json = arguments.json;
  own.force = arguments.force;
  own.report = arguments.report;
  auto const plan = frozen_plan(folder.study());
  std::vector<fs::path> inputs = {study::scores_file(folder.study())};
  for (auto const& forecast : plan.forecasts) inputs.push_back(forecast.scenario);
  prepare_outputs(own, std::move(inputs));
  if (!found.missing.empty()) {
    tell("gridcast: nothing is scored before all forecasts are there\n");
    return exit_code::incomplete;
  }
  auto const forecasts = forecasts_of(plan, study::gathered_records(found));
  return tell_scores(scored(plan, forecasts), plan.facts, plan.conformal, own);
}

}  // namespace gridcast::cli
