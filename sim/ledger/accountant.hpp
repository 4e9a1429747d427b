// Walks a campaign into a Ledger, step by step, so that a history need not be kept to be accounted
// for. A job whose last event is known can be settled at once: of it remain 32 bytes.
//
// Each job has one transfer and one execution that are not settled yet. A step moves the time since
// the job's last event into the class of what the job did, and into the line that goes with it:
//   idle, held, cool_down  no slot: nowhere
//   transfer_input         the job's transfer; earlier ones are retried time, late or never of use
//   execute                the job's execution since its last checkpoint; an earlier one was lost
//   transfer_output        `overhead`, and out of it into `checkpoint` if a checkpoint comes of it
//   suspended              `suspended`, at once
//   disconnected           as what it interrupted, for the slot works on; out of there into
//                          `contact_lost` when the attempt is given up
//   matched                `overhead`, at once
// How the job ended says which lines its last transfer and last execution belong to (books.hpp).
// What a checkpoint has saved is never lost to an eviction; it goes where the job's last execution
// goes.
#pragma once

#include <limits>
#include <vector>

#include "sim/history/attempt_stream.hpp"
#include "sim/history/per_job.hpp"
#include "sim/ledger/books.hpp"

namespace gridcast::ledger {

struct AccountingOptions {
  bool dated = true;      // as JobHistory::dated
  bool each_job = false;  // keep every job's account in full
  std::size_t jobs = 0;   // how many there will be, if that is known
};

class Accountant {
 public:
  explicit Accountant(AccountingOptions const& options = {}) : options_(options) {
    lives_.reserve(options.jobs);
    outcomes_.reserve(options.jobs);
  }

  /// Of a stream with the rule `slot_time`.
  void add(history::AttemptStep const& step);
  /// No further event of the job will come. (Sums are taken in the order of the jobs, as long as
  /// few wait for their turn, so that a ledger does not depend on who was settled when.)
  void settle(Id<history::Job> job);
  /// Of a job that is not settled, as of now.
  JobAccount account_so_far(Id<history::Job> job) const;

  /// The account of what was added. `source` gives names, dates and opacity; its events are not
  /// read.
  Ledger finish(history::JobHistory const& source);

 private:
  bool only_submits(history::JobEvent const& event);
  OpenAccount& life_of(Id<history::Job> job);
  void close(Id<history::Job> job);
  bool slots_in_use() const;
  void spend(OpenAccount& life, Seconds until);
  Seconds* line_of(OpenAccount& life, TimeClass doing);
  void enter(OpenAccount& life, history::AttemptStep const& step);
  void count(OpenAccount& life, history::JobEvent const& event);
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
