// What verbs put on their pages: the result of one simulated campaign, that of a study with its
// typical replica, and the calibration beside the records that it was made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "calibration/file/calibration_file.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/study_arguments.hpp"
#include "sim/engine/replica.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/report/page/calibration_page.hpp"
#include "sim/scenario/calibration.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// A record that a calibration was made of, as it was named when it was read: from here, or from the
/// calibration's folder or one above it; empty unless it is there with the same bytes.
std::filesystem::path find_input(calibration::CalibrationInput const& input,
                                 std::filesystem::path const& calibration);

report::CalibrationPage calibration_page(scenario::Calibration const& calibration);

/// Which campaign was simulated.
struct PlayedCampaign {
  scenario::Scenario const& scenario;
  scenario::Strategy const& strategy;
  std::uint64_t seed = 1;
  std::uint32_t replica = 0;
};

/// The ledger, and of what it is.
report::Result result_of(PlayedCampaign const& campaign, ledger::Ledger const& ledger,
                         bool with_jobs = false);

/// `played`: with its history. Nothing without --report.
void write_run_report(ReportArguments const& arguments, PlayedCampaign const& campaign,
                      engine::Replica const& played);

/// "replica 3 of seed 1, strategy published".
std::string words_for(PlayedCampaign const& campaign);

/// With the replica of `strategy`, the result's baseline, that is the medoid. Nothing
/// without --report.
void write_study_report(StudyArguments const& arguments, scenario::Scenario const& scenario,
                        report::Result result, scenario::Strategy const& strategy);

}  // namespace gridcast::cli
