// The files that verbs look for, read, write and show: scenarios, recorded campaigns, and the job
// event logs of simulated ones, in the form that HTCondor of a version writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/condor/write/event_log_writer.hpp"
#include "sim/history/job_history.hpp"
#include "sim/import/recorded_campaign.hpp"
#include "sim/report/data/csv.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

/// scenarios/osg-imagenet.yaml of the checkout that the current folder or the program is in, or
/// else of ../share/gridcast beside the program, where an installation has it. InputError without
/// either.
std::filesystem::path shipped_scenario();

/// Tells what a scenario says and simulations cannot know of.
void tell_notes(scenario::Scenario const& scenario);

/// Reads the scenario that a verb simulates, tells its notes, and checks all that can be checked
/// before anything is simulated. `overrides`: as read_scenario takes them. InputError.
scenario::Scenario read_runnable_scenario(std::filesystem::path const& file,
                                          std::vector<std::string> const& overrides = {});

/// InputError for strategies whose requirements no slot of the pool meets at any time.
void require_slots(scenario::Scenario const& scenario,
                   std::vector<scenario::Strategy> const& strategies);

/// What --force says of a file that is already there.
enum class IfThere { refuse, replace };
inline IfThere if_there(bool force) { return force ? IfThere::replace : IfThere::refuse; }

/// What a verb reads and what it will write, to be looked at before any work. None of its inputs is
/// ever written over, under whichever name, and no file is replaced unasked.
class VerbFiles {
 public:
  explicit VerbFiles(IfThere there) : there_(there) {}

  /// Nothing for an empty name.
  void reads(std::filesystem::path const& file) {
    if (!file.empty()) inputs_.push_back(file);
  }
  void reads(std::vector<std::filesystem::path> const& files);
  /// Nothing for an empty name and for "-", which is standard output.
  void writes(std::filesystem::path const& file);
  /// Nothing for an empty folder.
  void writes(std::filesystem::path const& folder, std::vector<std::string> const& names);

  /// InputError with all that stands in the way; else the folders are there (they are made) and can
  /// be written in.
  void prepare() const;

 private:
  struct Outputs {
    std::filesystem::path folder;    // of several files; empty: of one
    std::vector<std::string> names;  // in the folder, or the file alone
  };
  std::vector<std::filesystem::path> files() const;

  IfThere there_;
  std::vector<std::filesystem::path> inputs_;
  std::vector<Outputs> outputs_;
};

/// All files whole, or none at all.
void write_output(std::filesystem::path const& folder, std::vector<report::NamedText> const& files);

/// A file as a scenario names it: from its own folder.
std::string from_folder(std::filesystem::path const& file, std::filesystem::path const& folder);

/// The arguments of all verbs that read recorded campaigns.
struct RecordArguments {
  std::string columns;  // of another program's table
  bool prefix = false;

  auto options() const -> import::RecordOptions {
    return {columns, prefix ? import::SameNames::keep_apart : import::SameNames::refuse};
  }
};

/// A fit refuses its records as a whole: problems that name no place are at these files.
std::vector<Problem> placed_at(std::vector<std::filesystem::path> const& records,
                               std::vector<Problem> problems);

/// What `fit` gives, or its InputError with places.
template <typename Fit>
auto fit_of(std::vector<std::filesystem::path> const& records, Fit const& fit) {
  try {
    return fit();
  } catch (InputError const& error) {
    throw InputError(placed_at(records, error.problems()));
  }
}

/// --columns and --prefix.
void add_record_options(Verb& verb, RecordArguments& arguments);

/// Opens a file in the user's browser where there is a screen, and says so; elsewhere nothing
/// happens.
void open_in_browser(std::filesystem::path const& file);

/// How a job event log is to be written: what `forecast --once` and `export events` share.
struct EventLogForm {
  std::string condor_version = "23.9";
  bool ad_information = false, utc = false, sub_second = false, legacy_dates = false;
};

/// --condor-version, --ad-information, --utc, --sub-second, --legacy-dates.
void add_event_log_form(Verb& verb, EventLogForm& form);

condor::EventLogOptions in_form(EventLogForm const& form, condor::EventLogOptions options);

/// What the scenario's jobs fetch and ask for, and the limits of the access point and the strategy.
condor::EventLogOptions event_log_options(scenario::Scenario const& scenario,
                                          scenario::Strategy const& strategy);

/// A simulated campaign as its event log tells it, what a user would have of it and no more:
/// written as a log, to the second unless the options say otherwise, and read back.
history::JobHistory logged_again(history::JobHistory const& simulated,
                                 condor::EventLogOptions const& options);

}  // namespace gridcast::cli
