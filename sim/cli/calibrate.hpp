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
#include "sim/import/recorded_campaign.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/report/data/csv.hpp"

namespace gridcast::cli {

struct CalibrateOptions {
  std::vector<std::filesystem::path> files;
  std::filesystem::path pool;
  std::filesystem::path out;
  int epochs = 5;
  std::string input_size = "137 GB";
  std::string makespan;  // of the campaign of a table, as a report has it; empty: not told
  std::size_t simulations = calibration::StallFitOptions().simulations;  // of a table
  std::uint64_t seed = 1;
  unsigned processes = 0;  // 0: as many as there are cores
  bool details = false, verbose = false, quiet = false, force = false;

  // Of event logs.
  RecordArguments record = {};
  int year = 0;  // 0: as the log says
  std::string time_zone;
  std::string profile = "campaign";
  std::filesystem::path submit;     // of the campaign; empty: not given
  int urls = 0;                     // of a job; 0: as the ads or the submit file say
  std::vector<std::string> caches;  // SITE=CACHE,CACHE,...
  std::string stall_timer;          // empty: as the log shows it
  std::string software;             // of the pool, "htcondor=23.9.6,pelican=7.10"; empty: not told
  int draws = 400;
  std::optional<double> between_campaigns;
  import::RecordFilter filter = {};
};

/// --where, --since, --until.
void add_filter_options(Verb& verb, import::RecordFilter& filter);

/// --software, of the pool that the record is of.
void add_software_option(Verb& verb, std::string& software);

/// A time that need not be given.
std::optional<Seconds> optional_time(std::string const& option, std::string const& text,
                                     std::string const& example);

/// What was read, fitted and is to be written.
struct CalibratedLogs {
  history::JobHistory history;             // what of the record was fitted
  calibration::LogCalibration calibrated;  // without its fit, which is the document's
  calibration::CalibrationDocument document;
  std::vector<report::NamedText> files;  // the calibration, and the pool if none was named
  std::size_t jobs_left_out = 0;         // by the filter
  import::KnownSizes sizes = {};         // of URLs, as the record tells them
  std::string reading = {};              // what its readers said, in lines
  std::vector<std::string> counts = {};  // of these, how much was read
  std::size_t campaigns = 0;             // that are told apart; 0: it is one
};

/// A record as it was read, before anything is fitted.
struct ReadRecord {
  import::FilteredRecord record;
  calibration::CampaignFacts facts;
  calibration::LogCalibrationOptions fitting;
  std::vector<calibration::CalibrationInput> inputs;  // with their digests
  import::KnownSizes sizes;                           // of URLs, as the record tells them
  std::string reading;                                // what its readers said, in lines
  std::vector<std::string> counts;                    // of these, how much was read
  /// The logs without the ads beside them: forecasts are compared with logs, and ads date some
  /// steps more finely. Nothing: the record is one of the two alone.
  std::optional<history::JobHistory> logged = {};
};

/// InputError for what cannot be read. Tells of the reading on stderr.
ReadRecord read_record(CalibrateOptions const& options, import::CampaignFiles const& files);

/// InputError for what cannot be fitted.
CalibratedLogs calibrate_logs(CalibrateOptions const& options, ReadRecord read);

/// "DIR/NAME.pool.yaml" of "DIR/NAME.yaml".
std::filesystem::path pool_beside(std::filesystem::path const& out);

/// "DIR/NAME.jobs.json" of "DIR/NAME.yaml".
std::filesystem::path jobs_beside(std::filesystem::path const& out);

/// The jobs that a forecast repeats, at the sites that were fitted. Nothing for a record without
/// dates, and for one in which more than a quarter of the jobs have not ended.
std::optional<std::string> recorded_jobs_of(history::JobHistory const& history,
                                            std::vector<calibration::SiteFacts> const& sites);
/// The same history with the sites that were fitted: split by GPUs where the calibration is.
history::JobHistory at_fitted_sites(history::JobHistory history,
                                    std::vector<calibration::SiteFacts> const& sites);

/// "./gridcast calibrate FILE...", with what says how its files are read.
std::string named_files_text(CalibrateOptions const& options);
/// As one would type it again, options only where they differ from the defaults. `of_tables`:
/// options of tables that were given beside the logs, as text.
std::string command_for_logs(CalibrateOptions const& options);

enum class CensoredColumn { left_out, shown };
/// A line a parameter.
std::string estimates_text(calibration::Fit const& fit, CensoredColumn censored);
/// Parameters, hypotheses, what the log cannot tell.
std::string summary_of_logs(calibration::Fit const& fit);
/// What more of the same record would tell: jobs after which intervals are narrower by a fifth, and
/// how many parameters have no event. `jobs`: of the record.
std::string more_data_text(calibration::Fit const& fit, std::size_t jobs);
/// Which programs the record's jobs ran, if they ran several; which one counts.
std::string programs_text(calibration::Programs const& programs);
/// What is said of a parameter, as PARAMETER.SITE.
struct Said {
  std::string of, words;
};
/// "PARAMETER.SITE: words", or "PARAMETER at N sites: words" where so many are said the same of.
std::vector<std::string> said_once(std::vector<Said> const& all);
/// The fits and models that a test rejects at 5 %, a line each; empty if none is.
std::string rejected_text(calibration::Fit const& fit);
/// "p = 0.003" of what a fit says of itself; none where no test was made.
std::optional<double> p_value_in(std::string const& text);

}  // namespace gridcast::cli
