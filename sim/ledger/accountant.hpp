// Walks a campaign into a Ledger, step by step: a history need not be kept to be accounted for. A
// job whose last event is known can be settled at once; 32 bytes of it remain.
//
// Each job has one transfer and one execution that are not settled yet. A step moves the time since
// the job's last event into the class of the job's activity, and into the line that goes with it:
//   idle, held, cool_down  no slot: nowhere
//   transfer_input         the job's transfer; earlier ones are retried time, late or never of use
//   execute                the job's execution since its last checkpoint; an earlier one was lost
//   transfer_output        `overhead`, and out of it into `checkpoint` if a checkpoint comes of it
//   suspended              `suspended`, at once
//   disconnected           as the interrupted step, for the slot works on; out of there into
//                          `contact_lost` when the attempt is given up
//   matched                `overhead`, at once
// The ending of the job decides to which lines its last transfer and last execution belong. Work
// that a checkpoint has saved is never lost to an eviction; it goes where the job's last execution
// goes.
//
// The seconds are entered into Books: lines and classes of each site, the kinds of endings, and for
// each job the times whose line is not known before the job has ended. The job's standing at its
// end decides the lines of its last transfer and its last execution, including the part that the
// execution's checkpoints had saved before:
//   succeeded             transfer_success       compute_success
//   wrong_output          transfer_wrong_output  compute_wrong_output
//   held                  transfer_held          compute_held
//   removed, unfinished   transfer_unfinished    compute_unfinished
// Its transfers before the last are transfer_retried if it succeeded, transfer_retried_unsuccessful
// if not. An execution that was over before its job was held is compute_evicted: the hold did not
// end it. Units: seconds.
//
// A job that occupies several slots spends the time of each of them: lines and GPU time are slot
// time. Classes and the account of the job are its own time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sim/history/attempt_stream.hpp"
#include "sim/history/job_history.hpp"
#include "sim/history/per_job.hpp"
#include "sim/ledger/ledger.hpp"

namespace gridcast::ledger {

/// Why jobs lost their slots or were held, counted by kind and reason.
class EndingTable {
 public:
  using Row = std::uint16_t;

  /// Counts one; the row it is in, for held time to come.
  Row add(history::JobEvent const& event, Seconds slot_time_lost);
  void add_held(Row row, Seconds time) { rows_[row].held += time; }

  /// Dearest first: by slot time lost and held together, then by times.
  std::vector<EndingAccount> accounts() const;

 private:
  Row row_of(history::Ending const& ending);

  std::vector<EndingAccount> rows_;
  std::vector<std::vector<bool>> met_;  // a row: which jobs, by Id<Job>
};

/// A list of times, each at a site, all jobs' lists in one vector: the index of the newest entry.
using SpanList = std::uint32_t;
inline constexpr SpanList no_spans = static_cast<SpanList>(-1);

/// State of one job while its events pass: its step, and the times that have no line of the ledger
/// yet because it depends on how the job goes on.
struct OpenAccount {
  Seconds since;  // last event
  TimeClasses classes;

  // Not settled: the last transfer and the last execution, the latter since the last checkpoint.
  Seconds transfer, execution;
  SpanList earlier_transfers = no_spans;
  SpanList checkpointed = no_spans;  // execution that is safe
  Seconds claimed;                   // slot time whose GPUs are not entered
  Seconds retried;                   // sum of earlier_transfers

  Seconds first_match;
  Seconds safe_since;      // begin of the claim, or its last checkpoint
  Seconds output;          // of the output transfer under way: checkpoint or result, it will show
  Seconds away;            // of the disconnection under way
  Id<history::Site> site;  // of this claim, or the last one
  Id<history::Site> transfer_site, execution_site;
  std::uint32_t stalls = 0, attempts = 0, executions = 0, holds = 0;
  std::uint16_t gpus = 0;  // JobEvent::gpus of the last execution
  int slots = 1;           // that the job occupies: its times below `classes` count for each

  TimeClass doing = TimeClass::idle;
  TimeClass working = TimeClass::idle;  // in a disconnection: the slot's work meanwhile
  Standing standing = Standing::unfinished;
  EndingTable::Row hold_row = 0;  // while held
  bool seen = false, matched = false, has_transfer = false, has_execution = false;
  bool hold_ended_execution = false;
  bool program_ended =
      false;  // terminated, or held for its output: the program had come to its end

  bool on_slot() const { return has_slot(doing); }
};

class Books {
 public:
  /// At a site; without a site, the time that passed nowhere (idle, held). A reference is good
  /// until the next site is met.
  LedgerLines& lines_at(Id<history::Site> site) { return at(site).lines; }
  TimeClasses& classes_at(Id<history::Site> site) { return at(site).classes; }
  EndingTable& endings() { return endings_; }

  /// Adds a time to a job's list; to its newest entry if that is of the same site and `joined`.
  void push(SpanList& list, Id<history::Site> site, Seconds time, bool joined);

  /// Slot time of a claim, with the GPUs that its execution had, or the one before.
  void enter_claimed(OpenAccount& life);
  /// An execution that is lost is entered: started anew, evicted, out of contact.
  void lose_execution(OpenAccount& life, Seconds LedgerLines::*line);
  /// The same for work that its checkpoints had saved.
  void lose_checkpointed(OpenAccount& life, Seconds LedgerLines::*line);
  /// Enters all that is open of a job that has ended.
  void settle(OpenAccount const& life);
  /// The account of the job itself.
  JobAccount account_of(OpenAccount const& life, bool dated) const;
  /// The job's lists are of no more use.
  void forget(OpenAccount& life);

  /// Sums up into `ledger`: totals, sites by name, GPU time, endings.
  void close(history::JobHistory const& source, Ledger& ledger) const;

 private:
  struct SiteAccount {
    LedgerLines lines;
    TimeClasses classes;
    std::vector<Seconds> claimed = {};  // slot time, indexed by JobEvent::gpus
  };
  struct Span {
    Id<history::Site> site;
    Seconds time;
    SpanList older = no_spans;
  };

  // Several times for each step of a job: a call would cost as much as the look.
  [[gnu::always_inline]] SiteAccount& at(Id<history::Site> site) {
    std::uint32_t const index = site.number() + 1;  // 0 for none
    if (index >= known_) meet(index);
    return sites_[index];
  }
  void meet(std::uint32_t index);
  /// Enters each time of a list into a line of its site, newest first.
  void enter(SpanList list, Seconds LedgerLines::*line);
  void forget(SpanList& list);

  std::vector<SiteAccount> sites_;  // the first for no site, then indexed by Id<Site> + 1
  std::uint32_t known_ = 0;         // their number
  std::vector<Span> spans_;
  SpanList free_ = no_spans;  // entries of lists that were forgotten
  EndingTable endings_;
};

struct AccountingOptions {
  bool dated = true;         // as JobHistory::dated
  bool each_job = false;     // keep every job's account in full
  bool lines_alone = false;  // neither classes nor endings
  std::size_t jobs = 0;      // how many there will be, if that is known
  history::OccupiedSlots occupied = {};
};

class Accountant {
 public:
  explicit Accountant(AccountingOptions options = {}) : options_(std::move(options)) {
    lives_.reserve(options_.jobs);
    outcomes_.reserve(options_.jobs);
  }

  /// Adds a step of a stream with the rule `slot_time`.
  void add(history::AttemptStep const& step);
  /// No further event of the job will come. (Sums are taken in the order of the jobs, as long as
  /// few wait for their turn: a ledger does not depend on the order of the settlements.)
  void settle(Id<history::Job> job);

  /// The account of all added steps. `source` gives names, dates and opacity; its events are not
  /// read.
  Ledger finish(history::JobHistory const& source);

 private:
  bool only_submits(history::JobEvent const& event);
  OpenAccount& life_of(Id<history::Job> job);
  void close(Id<history::Job> job);
  bool slots_in_use() const;
  void spend(OpenAccount& life, Seconds until);
  void pass_time(OpenAccount& life, Seconds until);
  Seconds* line_of(OpenAccount& life, TimeClass doing);
  void enter(OpenAccount& life, history::AttemptStep const& step);
  void count(OpenAccount& life, history::JobEvent const& event);
  void count_loss(OpenAccount& life, history::JobEvent const& event);
  void begin_again(OpenAccount& life);
  void begin_claim(OpenAccount& life, history::JobEvent const& event);
  void begin_transfer(OpenAccount& life);
  void begin_execution(OpenAccount& life);
  void save_checkpoint(OpenAccount& life, history::AttemptStep const& step);
  void lose_earlier_execution(OpenAccount& life);
  void end_claim(OpenAccount& life, history::AttemptStep const& step);
  void lose_contact(OpenAccount& life);

  AccountingOptions options_;
  history::PerJob<OpenAccount> lives_;  // of the jobs that are not closed
  history::JobOrder order_;
  std::vector<JobOutcome> outcomes_;  // indexed by Id<Job>, of those that are closed or that have
                                      // only been submitted
  std::vector<JobAccount> accounts_;  // likewise, if they are kept
  Books books_;
  Seconds first_ = Seconds(std::numeric_limits<double>::infinity());
  Seconds last_ = Seconds(-std::numeric_limits<double>::infinity());
};

}  // namespace gridcast::ledger
