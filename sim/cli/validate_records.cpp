#include "sim/cli/validate_records.hpp"

#include <set>

#include <fmt/format.h>

#include "calibration/file/calibration_file.hpp"
#include "sim/base/tell.hpp"
#include "sim/cli/pages.hpp"
#include "sim/cli/score_study.hpp"

namespace gridcast::cli {
namespace {

namespace fs = std::filesystem;

/// The records that the calibration was made of, where they are here.
std::vector<KnownCampaign> calibrated_records(fs::path const& calibration,
                                              ScoreArguments const& arguments) {
  std::vector<fs::path> logs;
  if (!arguments.last.empty()) {
    return {known_campaign(read_validation_record(arguments.last, arguments.records).logged)};
  }
  for (auto const& input : calibration::read_calibration_document(calibration).inputs) {
    fs::path const file = find_input(input, calibration);
    if (file.empty()) return {};
    logs.push_back(file);
  }
  if (logs.empty()) return {};
  auto const files = import::sort_by_kind(logs);
  if (files.logs.empty()) return {};
  return {known_campaign(import::open_campaign({.logs = files.logs}).history)};
}

/// Each line once.
void tell_notes(std::vector<std::string> const& notes, std::set<std::string>& told) {
  for (std::string const& note : notes) {
    if (told.insert(note).second) tell(note + "\n");
  }
}

ScorePlan plan_against(fs::path const& calibration, std::vector<ValidationRecord> const& records,
                       ScoreArguments const& arguments, fs::path const& folder) {
  auto const known = calibrated_records(calibration, arguments);
  ScorePlan plan{{"against", calibration.string(), arguments.replicas, arguments.seed}};
  std::set<std::string> told;
  for (ValidationRecord const& record : records) {
    std::size_t const number = plan.forecasts.size();
    auto const made =
        forecast_scenario(record, calibration, arguments.records, folder / std::to_string(number));
    tell_notes(made.notes, told);
    plan.forecasts.push_back(planned(made, record));
    plan.scores.push_back(
        planned_score(record, calibration.stem().string(), known, {number}, arguments.records));
  }
  return plan;
}

}  // namespace

int score_against(OnArguments const& on, fs::path const& calibration,
                  ScoreArguments const& arguments) {
  auto const records = read_records(arguments.against, arguments.records);
  auto inputs = files_of(records);
  inputs.push_back(calibration);
  prepare_outputs(arguments, std::move(inputs));
  ScratchFolder const scratch;
  auto const plan = plan_against(calibration, records, arguments, scratch.path());
  return play_and_tell(on, plan, calibration.string(), arguments);
}

int play_and_tell(OnArguments const& on, ScorePlan const& plan, std::string const& of,
                  ScoreArguments const& arguments) {
  if (!on.system.empty()) return begin_scores(on, study_arguments(arguments), plan, of);
  return tell_scores(scored(plan, play(plan, arguments)), plan.facts, plan.conformal, arguments);
}

}  // namespace gridcast::cli
