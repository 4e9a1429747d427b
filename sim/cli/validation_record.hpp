// A recorded campaign and the scenario of its forecast. The scenario uses only facts known before
// the campaign: its submit file, and the times at which its jobs were submitted.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/calibrated_program.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// Options of the command line for records and their forecasts.
struct ValidationArguments {
  fs::path submit;  // of records without their own
  condor::ReadLogOptions dates;
  double work_scale = 0;   // 0: not given
  std::string crash_odds;  // empty: not given
  int work_word = 0;       // number of the word of `arguments` with a job's work, from 1; 0: none
  int epochs_word = 0;     // number of the word with the number of checkpoints
  std::vector<std::string> sizes;      // URL=SIZE
  std::vector<std::string> rules;      // RECORD:PATH=VALUE, of its strategy
  std::vector<std::string> overrides;  // PATH=VALUE, of the scenario of every forecast
  std::string without;                 // processes to switch off, with commas
  import::RecordFilter filter;         // which jobs count, of all records
  std::string program;                 // only jobs of this program; empty: of all
};

void add_validation_options(Verb& verb, ValidationArguments& arguments);

struct ValidationRecord {
  std::string name = {};  // of its folder, or of its file
  import::CampaignFiles files = {};
  fs::path submit = {};                   // empty: none
  history::JobHistory history = {};       // of logs and ads
  history::JobHistory logged = {};        // of the logs alone, for comparison with forecasts
  std::optional<Seconds> job_lease = {};  // of its ads or events
  Bytes received = {};                    // input bytes of a job; zero: unknown
  std::string executable = {}, program_arguments = {};  // from the submit file
  std::vector<scenario::InputFile> input = {};          // from the submit file
  std::optional<bool> outputs_unlisted = {};            // from the submit file or the ads
  bool of_other_work = false;                           // works unlike those of its repeats
};

/// The files with dated events, for comparison with forecasts.
auto dated_files(import::CampaignFiles const& files) -> import::CampaignFiles;

/// The jobs of a record that --where, --since, --until and --program choose. InputError if there
/// are none. `place`: of the record, which gives its history away.
history::JobHistory chosen_jobs(import::RecordedCampaign& campaign, fs::path const& place,
                                ValidationArguments const& arguments);

/// A folder (its *.log, history*.json, epochs*.json and *.sub) or one event log. InputError.
ValidationRecord read_validation_record(fs::path const& place,
                                        ValidationArguments const& arguments);

/// Several records. Marks a record with much longer or shorter executions than its repeats.
/// InputError with all problems, also for a record that is named twice.
std::vector<ValidationRecord> read_records(std::vector<fs::path> const& places,
                                           ValidationArguments const& arguments);

/// The files of all records, which a verb checks before any work.
std::vector<fs::path> files_of(std::vector<ValidationRecord> const& records);

/// Records with the same key are repeats: the same program, arguments and rules. A record without a
/// submit file repeats no other.
std::string repeats_key(ValidationRecord const& record, ValidationArguments const& arguments);

/// Sizes of its URLs, in order, from its submit file and its ads; empty without a submit file.
std::vector<Bytes> url_sizes(ValidationRecord const& record);
/// Its URLs, from its submit file.
std::vector<std::string> input_urls(ValidationRecord const& record);

struct ForecastScenario {
  scenario::Scenario scenario;
  std::vector<std::string> notes;  // assumptions, in lines
};

/// The source of a forecast's jobs. With same_record the calibration is of the same campaign, so
/// nothing differs between the two.
enum class JobsOf { record, same_record };

/// The scenario of its forecast on the calibrated grid. It is written into `folder`, which is
/// created, and read from there.
ForecastScenario forecast_scenario(ValidationRecord const& record, fs::path const& calibration,
                                   ValidationArguments const& arguments, fs::path const& folder,
                                   JobsOf jobs_of);

}  // namespace gridcast::cli
