// The contents of a calibration file as values: the one reader of it. `gridcast calibrate` writes
// such files, and sim/scenario/calibration.hpp reads their draws.
//
//   schema: gridcast.calibration/1
//   profile, made_by, inputs, pool, program, campaign, options    the record behind it
//   tests, not_identified, model_weights, parameters                     the fits
//   draws                                                                the parameters to simulate
//
// The simulation needs the draws alone. So an entry that is missing or malformed keeps its default
// value, and the other entries are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/statistics.hpp"
#include "sim/base/units.hpp"
#include "sim/history/job_history.hpp"

namespace gridcast::scenario {

class YamlDocument;

/// The source of a value.
enum class Origin : std::uint8_t {
  fitted,      // the record's own events
  borrowed,    // the other sites
  stated,      // a person who knows the grid
  by_default,  // its prior
};

/// "fitted", "borrowed", "stated", "default".
std::string_view name(Origin origin);

struct Estimate {
  std::string name = {};  // a column of the draws, e.g. "unpack_s.PDX-Coeus-CE1"
  std::string unit = {};  // "s", "B/s", "1/s", "1", "index"
  double estimate = 0;
  double standard_error = 0;
  Interval interval90 = {};
  std::size_t events = 0;    // observations that carry information on it, without censored ones
  std::size_t censored = 0;  // observations that were cut short
  std::string method = {};   // one line: model, likelihood, prior
  std::string fit = {};      // goodness of fit in words and numbers, may be empty
  Origin origin = Origin::fitted;
};

/// A test of a model against the data, e.g. "stalls are independent".
struct ModelTest {
  std::string hypothesis;
  std::string statistic;
  double observed = 0;
  double expected = 0;
  double p_value = 0;
  std::string verdict;
};

/// The evidence of the data for one of several rival hypotheses.
struct HypothesisProbability {
  std::string name;
  double probability = 0;  // posterior
  Interval interval90;
  double prior = 0;  // 0: unknown
  double log_bayes_factor =
      0;  // natural; of a log against no outage, of a table against all others
};

/// A quantity that the data do not identify, and its substitute.
struct NotIdentified {
  std::string what;
  std::string why;
  std::string taken_from;
};

/// A file of the record.
struct CalibrationInput {
  std::string file;  // as given on the command line
  std::string sha256;
  std::size_t rows = 0;
};

/// One of several programs of the recorded jobs.
struct ProgramVariant {
  std::string name;
  double work_scale = 0;  // of its jobs' work, relative to the newest program
  std::size_t jobs = 0;
  bool newest = false;                         // whose work the calibration's is
  std::optional<FactorRange> crash_odds = {};  // over those of all; none: unknown
};

/// Work as a multiple of the newest program's: at_zero + by_one x number, for programs that a
/// number distinguishes.
struct WorkByNumber {
  double at_zero = 1, by_one = 0;
};

struct CalibratedUrl {
  std::string url;                 // empty: unknown
  std::optional<Bytes> size = {};  // empty: unknown
};

/// The campaign of an event log.
struct CalibratedCampaign {
  std::size_t jobs = 0;
  std::size_t epochs = 0;
  std::vector<CalibratedUrl> input = {};
  std::vector<ProgramVariant> programs = {};
  std::optional<WorkByNumber> work_by_number = {};
  std::optional<Seconds> plugin_lifetime = {};
  std::optional<TimeRange> cool_down = {};
  std::optional<Seconds> job_lease = {};
};

struct CalibrationFile {
  std::string profile;
  std::string command;  // that made the file
  std::vector<CalibrationInput> inputs;
  std::string pool;                      // its file; empty: unknown
  std::string jobs_file, jobs_sha256;    // the record's jobs, beside it; empty: there is none
  std::vector<history::RanProgram> ran;  // by the labels of its jobs
  std::optional<CalibratedCampaign> campaign;
  std::size_t epochs = 0;  // of the jobs of a table; 0: unknown
  Bytes input_size = {};   // likewise; zero: unknown
  std::vector<NotIdentified> not_identified;
  std::vector<HypothesisProbability> hypotheses;
  std::vector<Estimate> parameters;
  std::vector<std::string> columns;  // of the draws

  /// Null if there is none of that name.
  Estimate const* parameter(std::string_view name) const;
};

/// Takes the block `parameters:` out of the file's text, in the form that calibrations have, and
/// leaves as many empty lines: yaml-cpp reads those of thousands of sites slowly. A block in any
/// other form stays, and the document contains it.
std::vector<Estimate> take_parameters(std::string& text);

/// `parameters`: those that were taken out of the text.
CalibrationFile contents_of(YamlDocument const& document, std::vector<Estimate> parameters = {});

/// InputError for another schema, and for text that is not YAML.
CalibrationFile read_calibration_file(std::filesystem::path const& file);

/// The pool that a calibration names, from its folder or one above it: a shipped calibration names
/// its pool from the folder of all. Empty if it names none.
std::filesystem::path pool_of(std::filesystem::path const& calibration,
                              std::filesystem::path const& pool);

/// True if the document is a calibration; else adds a problem to it.
bool is_calibration(YamlDocument& document);

}  // namespace gridcast::scenario
