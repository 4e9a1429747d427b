// A campaign that took place, to be forecast: its record, and what was known of it beforehand (its
// submit file, when its jobs were submitted), from which the scenario of its forecast is made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command_line.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/calibrated_program.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// What the command line says of records and of how they are forecast.
struct ValidationArguments {
  std::filesystem::path submit;  // of records that have none of their own
  int year = 0;                  // 0: as the log says
  std::string time_zone;
  double work_scale = 0;   // 0: not given
  std::string crash_odds;  // empty: not given
  int work_word = 0;       // which word of `arguments` is the work of a job, from 1; 0: none
  int epochs_word = 0;     // ... and which the number of its checkpoints
  std::vector<std::string> sizes;  // URL=SIZE
  std::vector<std::string> rules;  // RECORD:PATH=VALUE, of its strategy
  std::string without;             // processes that do not happen, with commas
};

void add_validation_options(Verb& verb, ValidationArguments& arguments);

struct ValidationRecord {
  std::string name = {};  // of its folder, or of its file
  import::CampaignFiles files = {};
  std::filesystem::path submit = {};  // empty: none
  history::JobHistory history = {};   // of logs and ads
  history::JobHistory logged = {};    // of the logs alone, which is what forecasts are held against
  std::optional<Seconds> job_lease = {};                // of its ads
  Bytes received = {};                                  // with a job's input; zero: not told
  std::string executable = {}, program_arguments = {};  // of the submit file
  std::vector<scenario::InputFile> input = {};          // likewise
  std::optional<bool> outputs_unlisted = {};            // of it, or of the ads
  bool of_other_work = false;                           // than its repeats by these words
};

/// A folder (its *.log, history*.json, epochs*.json and *.sub) or one event log. InputError.
ValidationRecord read_validation_record(std::filesystem::path const& place,
                                        ValidationArguments const& arguments);

/// Several records; a record that computes other work than its repeats is marked. InputError with
/// all problems, also for a record that is named twice.
std::vector<ValidationRecord> read_records(std::vector<std::filesystem::path> const& places,
                                           ValidationArguments const& arguments);

/// The files of all of them, for a verb to look at before any work.
std::vector<std::filesystem::path> files_of(std::vector<ValidationRecord> const& records);

/// Same program, same arguments, same rules: one is a repeat of the other. Without a submit file,
/// of none.
std::string repeats_key(ValidationRecord const& record, ValidationArguments const& arguments);

/// Sizes of its URLs, in order, as its submit file and its ads have them; empty where no submit
/// file does.
std::vector<Bytes> url_sizes(ValidationRecord const& record);
/// Its URLs, as its submit file has them.
std::vector<std::string> input_urls(ValidationRecord const& record);

struct ForecastScenario {
  scenario::Scenario scenario;
  std::vector<std::string> notes;  // what had to be guessed, in lines
};

/// What the jobs of a forecast may be made of: the record's jobs if they suit, or processes alone.
/// A calibration of the very campaign reproduces it: nothing differs between the two.
enum class JobsOf { record, same_record, processes };

/// The scenario of its forecast on the calibrated grid, written into `folder`, which is made, and
/// read from there.
ForecastScenario forecast_scenario(ValidationRecord const& record,
                                   std::filesystem::path const& calibration,
                                   ValidationArguments const& arguments,
                                   std::filesystem::path const& folder, JobsOf jobs_of);

}  // namespace gridcast::cli
