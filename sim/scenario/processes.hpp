// The processes of the model that can be switched off by name: for what-if questions, teaching, and
// to measure the contribution of each. A process that is off does not happen in any draw.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario/calibration.hpp"
#include "sim/scenario/draw_columns.hpp"

namespace gridcast::scenario {

/// All differences between the next campaign and the record that it repeats.
inline constexpr std::string_view campaign_variation = "campaign-variation";

/// Jobs repeat the histories of a record (JobSource::record); without it processes make them.
inline constexpr std::string_view recorded_jobs = "recorded-jobs";

/// A process as a calibration's draws and the command line know it. calibration/processes defines
/// all of them, one file each: only the link goes up, as that folder includes this one.
struct Process {
  std::string_view name;
  std::string_view meaning;
  std::vector<DrawColumn> columns = {};
  std::vector<SiteColumn> site_columns = {};
  /// Columns that are zero where the process is switched off; none: it cannot be.
  std::vector<std::string_view> zero_is_off = {};
};

std::vector<Process> const& processes();

struct ProcessSwitch {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::string_view> columns;  // of the draws; zero in each switches the process off
  enum class Of { draws, repeated_jobs } of = Of::draws;
};

/// The parts of repeated campaigns and the processes that can be switched off.
std::vector<ProcessSwitch> const& process_switches();

/// The names in a list with commas. Names that no process has are added to `unknown`.
std::vector<ProcessSwitch const*> processes_named(std::string_view list,
                                                  std::vector<std::string>& unknown);

/// True if the list names the process.
bool names_process(std::string_view list, std::string_view name);

/// Sets the columns of the processes to zero in all draws.
void switch_off(std::vector<ProcessSwitch const*> const& processes, Calibration& calibration);

}  // namespace gridcast::scenario
