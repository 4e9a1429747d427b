// The files that verbs look for, read, write and show: scenarios, recorded campaigns, and the job
// event logs of simulated ones, in the form that HTCondor of a version writes.
#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
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
fs::path shipped_scenario();
/// profiles/hardware.yaml beside it: the catalogue of hardware, among the profiles.
fs::path shipped_hardware();

/// Prints the notes on a scenario's settings that simulations ignore.
void print_scenario_notes(scenario::Scenario const& scenario);

/// Reads the scenario that a verb simulates, prints its notes, and makes all checks that need no
/// simulation. `overrides`: as for read_scenario. InputError.
scenario::Scenario read_runnable_scenario(fs::path const& file,
                                          std::vector<std::string> const& overrides = {});

/// The same for a caller that prints the notes in its own way.
scenario::Scenario read_without_notes(fs::path const& file,
                                      std::vector<std::string> const& overrides);

/// InputError for strategies whose requirements no slot of the pool meets at any time.
void require_slots(scenario::Scenario const& scenario,
                   std::vector<scenario::Strategy> const& strategies);

/// True if there is such a file or folder. False if the system refuses to say, here and below.
bool is_there(fs::path const& path);
bool is_folder(fs::path const& path);
/// Not a terminal or a pipe, which are written to and not replaced.
bool is_ordinary_file(fs::path const& path);

/// The treatment of existing files, by --force.
enum class IfThere { refuse, replace };
inline IfThere if_there(bool force) { return force ? IfThere::replace : IfThere::refuse; }

/// The input and output files of a verb, checked before any work. A verb never overwrites one of
/// its inputs, under any name, and replaces a file only with --force.
class VerbFiles {
 public:
  explicit VerbFiles(IfThere there) : there_(there) {}

  /// Nothing for an empty name.
  VerbFiles& reads(fs::path const& file);
  VerbFiles& reads(std::vector<fs::path> const& files);
  /// Nothing for an empty name and for "-", which is standard output.
  VerbFiles& writes(fs::path const& file);
  /// Nothing for an empty folder.
  VerbFiles& writes(fs::path const& folder, std::vector<std::string> const& names);

  /// InputError with all that stands in the way; else the folders are there (they are made) and can
  /// be written in.
  void prepare() const;

 private:
  struct Outputs {
    fs::path folder;                 // of several files; empty: of one
    std::vector<std::string> names;  // in the folder, or the file alone
  };
  std::vector<fs::path> files() const;

  IfThere there_;
  std::vector<fs::path> inputs_;
  std::vector<Outputs> outputs_;
};

/// Removes the prepared outputs that were not there before: a full disk leaves no part of them, for
/// which the next try would be refused.
void remove_new_outputs();
/// The same in a signal handler.
void unlink_new_outputs();
/// They are whole: a later problem is no reason to remove them.
void keep_new_outputs();

/// All files whole, or none at all.
void write_output(fs::path const& folder, std::vector<report::NamedText> const& files);

/// A file as a scenario names it: from its own folder.
std::string from_folder(fs::path const& file, fs::path const& folder);

/// The arguments of all verbs that read recorded campaigns.
struct RecordArguments {
  std::string columns;  // of another program's table
  bool prefix = false;
  condor::ReadLogOptions dates;

  auto options() const -> import::RecordOptions {
    return {columns, prefix ? import::SameNames::keep_apart : import::SameNames::refuse};
  }
};

/// A fit refuses its records as a whole: problems that name no place are at these files.
std::vector<Problem> placed_at(std::vector<fs::path> const& records, std::vector<Problem> problems);

/// The result of `fit`. Adds places to its InputError.
template <typename Fit>
auto fit_of(std::vector<fs::path> const& records, Fit const& fit) {
  try {
    return fit();
  } catch (InputError const& error) {
    throw InputError(placed_at(records, error.problems()));
  }
}

/// --columns and --prefix.
void add_record_options(Verb& verb, RecordArguments& arguments);

/// --year and --tz, of logs whose dates lack them.
void add_date_options(Verb& verb, condor::ReadLogOptions& dates);

/// Opens a file in the user's browser if there is a screen, and reports it. Otherwise does nothing.
void open_in_browser(fs::path const& file);

/// The input and requests of the scenario's jobs, and the limits of access point and strategy.
condor::EventLogOptions event_log_options(scenario::Scenario const& scenario,
                                          scenario::Strategy const& strategy);

/// A simulated campaign with only the facts in its event log, as a user has them: written as a log,
/// to the second unless the options are finer, and read back.
history::JobHistory logged_again(history::JobHistory const& simulated,
                                 condor::EventLogOptions const& options);

// A temporary folder of a verb. It is removed at the end of its scope, and when a signal ends the
// program.

class ScratchFolder {
 public:
  /// gridcast-VERB-XXXXXX in $TMPDIR, else in /tmp; one at a time. ResourceError if it cannot be
  /// created.
  explicit ScratchFolder(std::string_view verb);
  ScratchFolder(ScratchFolder const&) = delete;
  ScratchFolder& operator=(ScratchFolder const&) = delete;
  ~ScratchFolder();

  /// Without symbolic links, because files in it may name other files by relative paths.
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
  std::map<int, struct sigaction> actions_before_;  // by signal
};

}  // namespace gridcast::cli
