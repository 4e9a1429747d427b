// The calibration file as the simulator sees it: named parameters, and joint draws of them.
//
//   schema: gridcast.calibration/1
//   profile: resnet50-imagenet
//   parameters: {NAME: {estimate, unit, se, interval90, events, ...documentation...}, ...}
//   draws: {columns: [NAME, ...], rows: [[...], ...]}
// One row is one ParameterDraw. Columns that hold a choice (stall scope, distribution family) hold
// its index. Names (SITE is the site's name): gpus.SITE, unpack_s.SITE, epoch_family.SITE,
// epoch_shape.SITE, epoch_scale_s.SITE, epoch_shift_s.SITE, stream_limit_Bps.SITE,
// link_capacity_Bps.SITE, pilot_kill_per_s.SITE, stall_scope, stall_bad_fraction,
// stall_bad_duration_s, stall_when_bad, stall_when_quiet, slow_before_stall, slow_duration_s,
// rate_noise, hold_on_failure, spurious_404, not_found_per_start, not_found_mean_hits,
// network_down_per_start, network_down_mean_hits, corrupt_input, corrupt_execution_s,
// release_transfer_hold, release_other_hold, release_delay_mean_s (exponential), overhead_shape,
// overhead_scale_s (gamma), http_abort; and, if there are such, pause, pause_duration_s.
//
// A calibration of event logs has another set of columns instead, for ParameterDraw::event_log:
// slots.SITE, url_median_s.SITE, url_sigma.SITE, url_failure.SITE, url_hang.SITE, speed.SITE,
// crash.SITE, evict_per_s.SITE, disconnect_per_s.SITE, reconnect.SITE, suspend_per_s.SITE,
// pilot_death_per_s.SITE, url_reference_B, url_exponent, url_failed_after, work_s, job_sigma,
// execution_sigma, release, most_holds, suspension_s, pilot_replacement_s, and for each D of
// match_delay, setup, teardown, checkpoint, requeue_delay, release_delay, reconnect_delay:
// D_family, D_shape, D_scale_s, D_shift_s. The columns themselves tell which set it is.
//
// The rows of the draws are not read by yaml-cpp, which would take as long for them as the
// simulation does for its first replicas.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::scenario {

struct Calibration {
  std::string file;  // where it was read
  std::string sha256;
  std::string profile;               // the workload whose execution it describes
  std::vector<std::string> sites;    // those that it knows
  std::vector<ParameterDraw> draws;  // never empty
};

/// Reads and checks; InputError with all problems (another schema version, missing columns, rows of
/// the wrong length, values out of range).
Calibration read_calibration(std::filesystem::path const& file);

/// The draw of one row; `columns` as above. For fits through the simulator, which have no file.
/// InputError with all problems: unknown or missing names, bad values.
ParameterDraw make_parameter_draw(std::vector<std::string> const& columns,
                                  std::vector<double> const& row);

/// The file of a calibration that is made up, not fitted: one draw of these parameters.
std::string made_up_calibration(std::string const& profile,
                                std::vector<std::pair<std::string, double>> const& parameters);

inline constexpr char calibration_schema_name[] = "gridcast.calibration/1";

/// The rows of `draws`, each in a line of its own.
struct DrawRows {
  bool found = false;        // there is a line "rows:" below "draws:"
  std::string text_without;  // the file's text, the rows blank, all other lines where they were
  struct Row {
    int line = 0;
    std::string_view text;  // "- [1, 2, 3]"
  };
  std::vector<Row> rows;
};

/// The views in it are of `text`.
DrawRows split_rows(std::string const& text);

}  // namespace gridcast::scenario
