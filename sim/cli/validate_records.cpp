#include "sim/cli/validate_records.hpp"

#include <set>

#include <fmt/format.h>

#include "calibration/file/calibration_file.hpp"
#include "sim/base/tell.hpp"
#include "sim/cli/pages.hpp"

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

}  // namespace

int score_against(fs::path const& calibration, ScoreArguments const& arguments) {
  auto const records = read_records(arguments.against, arguments.records);
  auto inputs = files_of(records);
  inputs.push_back(calibration);
  prepare_outputs(arguments, std::move(inputs));
  ScratchFolder const scratch;
  auto const known = calibrated_records(calibration, arguments);
  Scored all;
  std::set<std::string> told;
  for (ValidationRecord const& record : records) {
    auto const made = forecast_scenario(record, calibration, arguments.records, scratch.path());
    tell_notes(made.notes, told);
    ToForecast const of{record, made.scenario, calibration.stem().string()};
    add_scored(all, of, play(of, arguments), known, arguments.records);
    if (all.interrupted) break;
  }
  return tell_scores(all, {"against", calibration.string(), arguments.replicas, arguments.seed},
                     arguments);
}

}  // namespace gridcast::cli
