// The calibration file as the simulator sees it: named parameters, joint draws of them, and the
// facts about its record.
//
//   schema: gridcast.calibration/1
//   profile: resnet50-imagenet
//   parameters: {NAME: {estimate, unit, se, interval90, events, ...documentation...}, ...}
//   draws: {columns: [NAME, ...], rows: [[...], ...]}
//   table: {profile, ...}   for a table that was fitted beside a log: its jobs' program;
//                           `profile` is then the log's
// One row is one ParameterDraw. The columns, with their allowed values:
// sim/scenario/draw_columns.cpp; their meaning: sim/scenario/parameter_draw.hpp. Columns that hold
// a choice (outage_scope, outage_kind, D_family) hold its index. A parameter of a site is written
// NAME.SITE. Each of the times D = match_delay, plugin_start, setup, teardown, checkpoint,
// requeue_delay, release_delay, reconnect_delay has D_family, D_shape, D_scale_s, D_shift_s. A
// process that a calibration leaves out does not happen, or takes no time.
//
// The facts about the record, the probabilities of the rival explanations (`model_weights`) and the
// number of recorded jobs are shown beside an answer and decide nothing, except whether a pool's
// slots are those of the record (precedence.hpp): a replica draws only from the rows. Those are not
// read by yaml-cpp, which would take as long for them as the simulation does for its first
// replicas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/history/recorded_jobs.hpp"
#include "sim/scenario/calibration_file.hpp"
#include "sim/scenario/parameter_draw.hpp"
#include "sim/scenario/strategy.hpp"

namespace gridcast::scenario {

class YamlDocument;

struct HypothesisWeight {
  Hypothesis hypothesis = Hypothesis::overload;
  double prior = 0;
  double log_bayes_factor = 0;  // natural, against all others together
  double posterior = 0;
};

struct CalibrationRecord {
  /// Empty if the file has none that is known here. An explanation with a line of its own has that
  /// weight; for others, kinds and scopes are summed up.
  std::vector<HypothesisWeight> weights = {};
  /// Rows of tables, jobs of logs; nothing if the file does not contain it.
  std::optional<std::size_t> jobs = {};
  Bytes input_size = {};  // of one of its jobs; zero: unknown
  /// Schemes of the URLs of input that it names, such as "osdf"; "" for a file without one.
  std::vector<std::string> schemes = {};
  std::vector<std::string> by_default = {};  // parameters without evidence in the record
  std::map<std::string, std::string> not_identified = {};  // what else it lacks, and why
  std::map<std::string, int> slots_seen = {};              // the most in use, by site
  std::string jobs_file = {}, jobs_sha256 = {};            // of its jobs, beside the calibration
  std::string pool = {};                                   // its pool's file (pool_of)
};

/// The record of a calibration's file, a map; `parameters` were taken out of its text.
CalibrationRecord record_in(YamlDocument const& file, std::vector<Estimate> parameters = {});

/// The explanation in a line of `model_weights`: by its own name; or, for a fit that separates
/// scopes, by kind and scope ("dead, cache", "none ..."). Nothing for other words.
std::optional<Hypothesis> hypothesis_of_weight(std::string_view name);

struct Calibration {
  std::string file;  // where it was read
  std::string sha256;
  std::string profile;                    // the workload whose execution it describes
  std::vector<std::string> sites;         // those that it knows
  std::vector<ParameterDraw> draws;       // never empty
  std::vector<std::string> columns;       // of the file's draws ...
  std::vector<std::vector<double>> rows;  // ... and their numbers
  CalibrationRecord record = {};
  /// The jobs that a scenario with `from: record` repeats; else null.
  std::shared_ptr<history::RecordedCampaign const> recorded = {};
};

/// The file of the recorded jobs; empty if the calibration has none.
std::filesystem::path recorded_jobs_of(Calibration const& calibration);
/// Reads it, with the jobs of these programs (empty: all). InputError if the calibration has none,
/// or not with the SHA-256 that it names, or if no job is of these programs.
void read_recorded_campaign(Calibration& calibration,
                            std::vector<std::string> const& programs = {});

/// A gap in the record behind a calibration, on input: no transfers, or none straight from the
/// origin or from the access point.
enum class RecordGap : std::uint8_t { none, transfers, http, access_point };

/// The gap for input that comes by this protocol, from the files that the record names; a parameter
/// of the calibration can close it as well.
RecordGap record_gap(Calibration const& calibration, Protocol protocol);

/// A calibration's name for parameters without evidence if its record has no transfers.
inline constexpr char no_input_transfers[] = "input transfers";
/// And if it has transfers, none of which stalled.
inline constexpr char no_stalls[] = "stalls";

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
