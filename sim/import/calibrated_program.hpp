// The contents of a calibration file besides its draws: the profile of its jobs, the pool they
// ran on, and their program. A submit file of the same program then needs no option for its
// work.
#pragma once

#include <filesystem>
#include <string>

#include "sim/history/job_history.hpp"
#include "sim/import/submit_campaign.hpp"
#include "sim/scenario/calibration_file.hpp"
#include "sim/scenario/pool.hpp"

namespace gridcast::import {

using scenario::ProgramVariant;
using scenario::WorkByNumber;

/// When the starter's stall timer acted on the recorded transfers, as `stall_timer_s` has it.
struct RecordedTimer {
  Seconds acts_after;      // the start of a transfer
  std::size_t ended = 0;   // that it ended; 0: stated
  std::size_t longer = 0;  // that arrived and had lasted longer
};

/// Time without a byte after which clients of the recorded campaign tried the next cache, in the
/// form of `client_timeout_s`.
struct RecordedClient {
  Seconds gives_up_after;
  std::size_t asked_next = 0;  // tries that were given up so
};

/// Crashes of recorded jobs with and without the files of transfer_output_files, in the form of
/// `crash_held`.
struct RecordedCrashes {
  std::size_t held = 0;  // as their output was missing
  std::size_t others = 0;

  bool are_held() const { return held >= others; }
};

/// The most slots of a site that ran jobs at one time.
struct SeenSlots {
  std::string site;
  int seen = 0;
  bool are_all = true;  // jobs waited while all of them were busy
  bool drawn = false;   // and if there may be more, draws have more
};

struct CalibratedProgram {
  std::string profile;
  std::filesystem::path pool;                 // as a path from here; empty: the file names none
  std::vector<history::RanProgram> ran = {};  // by its jobs; empty: unknown
  int epochs = 0;                             // 0: unknown
  bool from_event_log = false;  // fitted to logs, which know work and checkpoints, but no protocols
  bool has_jobs = false;        // it has the record's jobs, which a forecast can repeat
  bool one_transfer = false;  // it does not know how many URLs its jobs fetched: one stands for all
  std::optional<Seconds> plugin_lifetime = {};    // of the pool, where transfers ran into it
  std::optional<Seconds> job_lease = {};          // of its jobs, which most leave to the pool
  std::optional<RecordedTimer> stall_timer = {};  // none where it ended nothing, or versions decide
  /// How long its jobs cool down after a failed input transfer; none where they were held, or
  /// versions decide.
  std::optional<TimeRange> cool_down = {};
  std::optional<RecordedClient> client = {};  // none where none went on so, or versions decide
  KnownSizes sizes = {};                      // of its jobs' URLs, where they are known
  std::vector<ProgramVariant> variants = {};  // more than one, or none
  std::optional<WorkByNumber> work_by_number = {};
  std::optional<RecordedCrashes> crashes = {};  // none where none is on record, or without evidence
  std::vector<SeenSlots> slots = {};
  std::optional<double> crash = {};  // share of its executions that crash: the mean over sites

  /// All URLs together: at least as much as one job fetched.
  Bytes recorded_input() const {
    Bytes sum;
    for (auto const& [url, size] : sizes) sum += size;
    return sum;
  }
};

/// InputError if it is no calibration file.
CalibratedProgram read_calibrated_program(std::filesystem::path const& calibration);

/// The command line's options on the work of a job.
struct WorkOptions {
  std::string profile = {};          // --work
  std::string program = {};          // --program
  std::optional<double> scale = {};  // --work-scale
  std::optional<FactorRange> crash_odds = {};
  int epochs = 0;  // 0: not given
};

/// Takes out the parts that a calibration of this kind does not know, with a note, and puts in the
/// rules of the pool that its record shows: plugins' lifetime, lease, cool-downs, the starter's
/// stall timer, the client's.
void fit_to_calibration(SubmitImport& import, CalibratedProgram const& program,
                        std::filesystem::path const& submit_file);

/// A note where the campaign has more jobs than slots were seen, and sites may have more than
/// those. A pool with another number of slots than the record states the slots itself.
void note_slots(SubmitImport& import, CalibratedProgram const& program, scenario::Pool const& pool,
                std::filesystem::path const& submit_file);

/// Requests of the jobs that the pool does not list, as a record may not, are taken for met, with a
/// note: GPUs where it lists none, their capability and memory.
void fit_to_pool(SubmitImport& import, scenario::Pool const& pool,
                 std::filesystem::path const& submit_file);

/// The odds of a crash of a program that has not run, as a multiple of those of the calibrated one:
/// a sixteenth to sixteen times, but at most two of three executions crash, as worse programs are
/// not submitted (docs/model.md, A-PROGRAM).
FactorRange odds_of_another_program(std::optional<double> const& crash);

/// Sets the campaign's work, with a note where it had to be guessed. InputError for options
/// that the calibration knows nothing of.
void set_work(SubmitImport& import, CalibratedProgram const& program, WorkOptions const& options,
              std::filesystem::path const& submit_file);

// How far a campaign lies beyond the record of a calibration, in words. A forecast within the
// record is tested by other campaigns; one with 47 times the input rests on the form of the model.

/// Input, work and jobs at a time that are twice the record's or more, and GPU models on which no
/// recorded job ran; empty if none is. A record that does not show one of them implies nothing
/// about it. The slots of the pool limit the jobs
/// at a time.
///   "input 47 times the record's (137 GB, not 2.9 GB), work of a job 3 times the record's"
std::string beyond_record(CalibratedProgram const& program, scenario::Campaign const& campaign,
                          scenario::Pool const& pool);

}  // namespace gridcast::import
