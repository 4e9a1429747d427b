// What `gridcast validate --recover` tells: of each parameter in how many simulated campaigns its
// 90 % interval held the truth, and where the truth ranked among the draws. Simulation-based
// calibration (Talts et al. 2018): of an exact posterior the ranks are uniform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "calibration/recovery.hpp"
#include "sim/report/page/document.hpp"

namespace gridcast::cli {

struct RecoveryFacts {
  std::string scenario, evidence;
  std::uint64_t seed = 1;
  std::size_t requested = 0;  // campaigns
};

/// "21 of 25 (84 %)", "none" of none.
std::string count_and_percent(std::size_t part, std::size_t all);

std::string recovery_text(calibration::RecoveryStudy const& found);
std::string recovery_json(calibration::RecoveryStudy const& found, RecoveryFacts const& facts);
/// A row for each rank.
std::string recovery_csv(calibration::RecoveryStudy const& found);
/// Without the program, the command and the provenance.
report::ReportDocument recovery_page(calibration::RecoveryStudy const& found,
                                     RecoveryFacts const& facts);

}  // namespace gridcast::cli
