// Event logs as flat records for the fits: times and events of each attempt, the outcome of each
// hold, and when a job was waiting. Nothing is dropped: an attempt that still runs at the end of
// the log is a record of one that lasted at least so long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/history/attempt_stream.hpp"

namespace gridcast::calibration {

struct Disconnection {
  Seconds at;
  std::optional<Seconds> back;
};

struct AttemptRecord {
  Id<history::Job> job;
  std::uint32_t number = 0;  // NumShadowStarts, from 1
  Id<history::Site> site;    // may be unknown where nothing was executed
  std::uint32_t slot = 0;
  bool slot_known = false;
  bool placed = true;  // false: the record names slots, but not the one of its site that it was in
  Seconds start;
  std::optional<Seconds> input_started, input_finished;  // 040
  std::optional<Seconds> executing;
  bool times_known = true;      // false: its job's ad gives only the sum of several attempts' times
  std::optional<Seconds> exit;  // the program's, as the output transfer's start
  std::vector<Seconds> epochs;  // compute time up to each checkpoint, since the one before
  std::vector<Seconds> stores;  // duration of each checkpoint's storing
  int epochs_before = 0;        // stored by earlier attempts, as far as the log shows
  int epochs_recorded = 0;      // done in all, as a table counts them; 0: it does not
  bool unheard = false;         // contact was lost: nothing is known of epochs from then on
  Seconds tail;                 // compute time since the last checkpoint, or of all
  Seconds suspended;
  std::vector<Seconds> suspensions;  // those that ended
  std::size_t suspensions_begun = 0;
  std::vector<Disconnection> disconnections;
  std::vector<Seconds> output_tries;  // each but the first, of one that lost its files
  Seconds end;
  std::optional<history::EventKind> end_kind;  // none: the log ends before the attempt
  history::Reason reason = history::Reason::none;
  bool useful = true;
  int exit_code = 0;
  int code = 0, subcode = 0;  // of the hold or vacate at its end; 0 where the log gives none
  int gpus = 0;               // that it executed on; 0: unknown
  bool hung = false;          // went on for longer than any that ends by itself (mark_hangs)
  bool ended_job = false;     // the job ended with its slot; no person decided it

  Seconds claimed() const { return end - start; }
  /// When its slot was lost to it: the end, or where contact was lost for good.
  Seconds slot_end() const;
};

struct HoldRecord {
  Id<history::Job> job;
  int count = 0;  // which hold of its job, from 1
  history::Reason reason = history::Reason::none;
  Seconds at;
  std::optional<Seconds> released, removed;  // by people
  std::optional<Seconds> by_policy = {};     // either, by an expression: until then people had not
};

struct Waiting {
  Id<history::Job> job;
  Seconds from, to;
  std::vector<Id<history::Site>> passed_over = {};  // sites that it did not fit (waits.hpp)
};

struct AttemptRecords {
  std::vector<AttemptRecord> attempts;  // ordered by job, number
  std::vector<HoldRecord> holds;
  std::vector<Waiting> waits;  // idle, from submission, release or a lost attempt to the next start
  Seconds end;                 // of the log: its last event of any kind
  std::vector<Seconds> ends = {};       // history::JobHistory::ends
  double tick = 1;                      // resolution of its stamps, seconds
  std::vector<double> log_scales = {};  // ln of each job's program's work over that of the first;
                                        // empty: all ran one program; NaN: unknown
  std::vector<double> crash_odds =
      {};  // of each job's program over those of all; empty: one program
  int epochs =
      1;  // of a job: as many as most that succeeded did, a checkpoint after each but the last

  /// How far the record goes that the job is in.
  Seconds end_of(Id<history::Job> job) const {
    return job.index() < ends.size() ? ends[job.index()] : end;
  }
  /// True if it did another part of a job's work than all of it, as a table counts it.
  bool differs(AttemptRecord const& attempt) const {
    return attempt.epochs_recorded > 0 && attempt.epochs_recorded != epochs;
  }
};

AttemptRecords make_attempt_records(history::JobHistory const& history);

/// Its slot did not come back: it was lost with its pilot, or the lease ran out.
bool ended_without_contact(AttemptRecord const& attempt);
/// The pilot ended by a message of its startd: vacate codes 1012 and 1013, "Startd was shutdown",
/// or in contact and in such words alone.
bool shut_down(AttemptRecord const& attempt);
/// A limit of the slot stopped the program while it ran: memory, disk or another of HTCondor's hold
/// codes that concerns neither files nor a person's decision (34, 21, ...). Also true if the job
/// was held while it ran and the record gives no reason.
bool stopped_by_slot(AttemptRecord const& attempt);
/// That, or the limit of the time that an execution may take.
bool stopped_by_limit(AttemptRecord const& attempt);
/// ... and its job was over with that: neither held nor queued again.
bool stopped_for_good(AttemptRecord const& attempt);
/// It was found again, its files did not come home, and it was evicted ("Repeated attempts to
/// transfer output failed").
bool lost_files(AttemptRecord const& attempt);
/// Crashed: the program ended by itself and not as wanted.
bool crashed(AttemptRecord const& attempt);
/// Its input did not arrive, through the transfer's own fault. For an attempt that never executed,
/// as far as the record shows, that is the likeliest cause.
bool input_failed(AttemptRecord const& attempt);
bool input_hung(AttemptRecord const& attempt);
/// Taken away by the site or its owner, and not as the last act of a lost contact.
bool vacated(AttemptRecord const& attempt);
/// ... and the slot is still there.
bool taken_from_slot(AttemptRecord const& attempt);

// Programs that hang: they compute, or wait for each other, and never end, until a limit, a person
// or the loss of the slot ends them. A record shows it where an execution went on for much longer
// than all that ended there by themselves.

/// Marks executions that something else ended, at a site where five or more ended by themselves:
/// those whose ln t is above the mean of these by five of their standard deviations, and by ln 1.25
/// at least (each relative to its program's work). Programs that checkpoint show it otherwise, and
/// are left out.
void mark_hangs(AttemptRecords& records);

// Records of several campaigns, or of several weeks of one, apart: the spread between the parts is
// the spread between campaigns.

/// A campaign's records, or a week's of the only campaign, and when its jobs could be removed.
struct Part {
  AttemptRecords records;
  std::optional<std::pair<Seconds, Seconds>> span = std::nullopt;  // none: all of the record
};

/// `campaigns`: the cluster numbers of each.
std::vector<Part> by_campaign(history::JobHistory const& history, AttemptRecords const& records,
                              std::vector<std::set<std::uint32_t>> const& campaigns);

/// True if the record has three weeks or more, which show how weeks differ.
bool shows_weeks(AttemptRecords const& records);
std::vector<Part> by_week(AttemptRecords const& records);

}  // namespace gridcast::calibration
