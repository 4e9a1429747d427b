// `calibrate` makes a calibration file of recorded campaigns, and a pool if there is none.
// Likelihoods fit event logs and ads at once, and `forecast` continues from that. Simulations fit
// job tables, round by round (calibration/simulated/link_fit.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "calibration/calibrate.hpp"
#include "calibration/file/calibration_file.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/report.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/import/needs_of_record.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/recorded_rules.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/report/data/csv.hpp"

namespace gridcast::cli {

struct CalibrateOptions {
  std::vector<fs::path> files = {};
  fs::path pool = {};
  fs::path out = {};
  int epochs = 5;
  std::string input_size = "137 GB";
  std::string makespan = {};  // of a table's campaign, from a report; empty: unknown
  std::size_t simulations = calibration::StallFitOptions().simulations;  // of a table
  std::uint64_t seed = 1;
  unsigned processes = 0;  // 0: as many as there are cores
  bool details = false, verbose = false, quiet = false, force = false;

  // For event logs.
  RecordArguments record = {};
  std::string profile = "campaign";
  fs::path submit = {};                  // of the campaign; empty: not given
  fs::path own_submit = {};              // the same if the record lacks its jobs' program
  std::vector<std::string> caches = {};  // SITE=CACHE,CACHE,...
  std::string stall_timer = {};          // empty: as the log shows it
  int draws = 400;
  int least_draws = 50;  // of a record with thousands of sites
  std::optional<double> between_campaigns = {};
  import::RecordFilter filter = {};
};

/// --where, --since, --until.
void add_filter_options(Verb& verb, import::RecordFilter& filter);

/// The time in an optional option; none if it is empty.
std::optional<Seconds> optional_time(std::string const& option, std::string const& text,
                                     std::string const& example);

/// A record as it was read, before anything is fitted.
struct ReadRecord {
  import::FilteredRecord record;  // the part that is fitted
  calibration::CampaignFacts facts;
  calibration::LogCalibrationOptions fitting;
  std::vector<calibration::CalibrationInput> inputs;  // with their digests
  import::KnownSizes sizes;                           // of URLs, from the record
  std::filesystem::path submit;                       // whose facts are added; may be empty
  /// The logs without the ads: forecasts are compared with logs, and ads date some steps more
  /// finely. None if the record has only logs or only ads.
  std::optional<history::JobHistory> logged = {};
  import::RecordedNeeds needs = {};
  std::optional<scenario::JobPolicy> rules = {};  // of its jobs, if ads or --submit show them
  std::optional<import::RecordedSubmission> submitted = {};  // if --submit shows it
};

/// A fitted record, and the files to write.
struct CalibratedLogs {
  ReadRecord read;  // without facts and inputs, which are the document's
  calibration::LogCalibration calibrated = {};  // without its fit, likewise
  calibration::CalibrationDocument document = {};
  std::vector<report::NamedText> files = {};  // the calibration, and the pool if none was named
};

/// InputError for files that cannot be read. Prints the readers' remarks on stderr.
ReadRecord read_record(CalibrateOptions const& options, import::CampaignFiles const& files);

/// InputError for a record that cannot be fitted.
CalibratedLogs calibrate_logs(CalibrateOptions const& options, ReadRecord read);

/// "DIR/NAME.pool.yaml" of "DIR/NAME.yaml".
fs::path pool_beside(fs::path const& out);

/// "DIR/NAME.jobs.json" of "DIR/NAME.yaml".
fs::path jobs_beside(fs::path const& out);

/// The names of the jobs' programs; empty if the record shows no different ones.
using ProgramsOfJobs = std::map<history::JobName, std::string>;

/// The jobs that a forecast repeats, at the fitted sites. None for a record without dates, or with
/// more than a quarter of its jobs unfinished.
std::optional<std::string> recorded_jobs_of(history::JobHistory const& history,
                                            std::vector<calibration::SiteFacts> const& sites,
                                            ProgramsOfJobs const& programs = {});
/// The same history with the fitted sites: split by GPU models if the calibration is.
history::JobHistory at_fitted_sites(history::JobHistory history,
                                    std::vector<calibration::SiteFacts> const& sites);

/// The command that repeats the calibration, with the options that differ from their defaults.
std::string repeating_command(CalibrateOptions const& options);

enum class CensoredColumn { left_out, shown };
/// A table with one line for each parameter.
std::string estimates_text(calibration::Fit const& fit, CensoredColumn censored);
/// Parameters, hypotheses, and the parameters that the log does not identify.
std::string summary_of_logs(calibration::Fit const& fit);
/// The value of more jobs: how many would narrow the intervals by a fifth, and how many parameters
/// have no event. `jobs`: of the record.
std::string more_data_text(calibration::Fit const& fit, std::size_t jobs);
/// The programs of the record's jobs, if there are several, and the newest, which counts.
std::string programs_text(calibration::Programs const& programs);
/// The fits and models that a test rejects at 5 %, a line each; empty without any.
std::string rejected_text(calibration::Fit const& fit);

}  // namespace gridcast::cli
