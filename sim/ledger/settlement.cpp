#include "sim/ledger/settlement.hpp"

#include <algorithm>

namespace gridcast::ledger {
namespace {

// The lines of a job that stands like this, in the order of Standing.
struct StandingLines {
  std::size_t LedgerLines::*count;
  Seconds LedgerLines::*last_transfer;
  Seconds LedgerLines::*execution;
};

constexpr StandingLines standing_lines[] = {
    {&LedgerLines::unfinished, &LedgerLines::transfer_unfinished, &LedgerLines::compute_unfinished},
    {&LedgerLines::succeeded, &LedgerLines::transfer_success, &LedgerLines::compute_success},
    {&LedgerLines::wrong_output, &LedgerLines::transfer_wrong_output,
     &LedgerLines::compute_wrong_output},
    {&LedgerLines::held, &LedgerLines::transfer_held, &LedgerLines::compute_held},
    {&LedgerLines::removed, &LedgerLines::transfer_unfinished, &LedgerLines::compute_unfinished},
};

StandingLines const& lines_of(Standing standing) {
  return standing_lines[static_cast<std::size_t>(standing)];
}

}  // namespace

void lose_execution(OpenAccount& life, Seconds LedgerLines::*line, Books& books) {
  if (!life.has_execution) return;
  books.lines_at(life.execution_site).*line += life.execution;
  life.has_execution = false;
}

void settle(OpenAccount const& life, Books& books) {
  StandingLines const& as = lines_of(life.standing);
  LedgerLines& home = books.lines_at(life.site);
  ++home.jobs;
  ++(home.*as.count);
  if (life.has_transfer) books.lines_at(life.transfer_site).*as.last_transfer += life.transfer;
  auto const retried = life.standing == Standing::succeeded
                           ? &LedgerLines::transfer_retried
                           : &LedgerLines::transfer_retried_unsuccessful;
  books.for_each(life.earlier_transfers, [&](Id<history::Site> site, Seconds time) {
    books.lines_at(site).*retried += time;
  });
  books.for_each(life.checkpointed, [&](Id<history::Site> site, Seconds time) {
    books.lines_at(site).*as.execution += time;
  });
  if (!life.has_execution) return;
  // Held while idle: the hold is not what ended the execution.
  bool const cut_off = life.standing == Standing::held && !life.hold_ended_execution;
  books.lines_at(life.execution_site).*(cut_off ? &LedgerLines::compute_evicted : as.execution) +=
      life.execution;
}

JobOutcome outcome_of(JobAccount const& account) {
  constexpr std::size_t most_stalls = (1U << 24) - 1;  // a job lives shorter than that takes
  JobOutcome outcome;
  outcome.match_to_done = account.match_to_done;
  outcome.ended_at = account.ended_at;
  outcome.final_execution = account.final_execution;
  outcome.last_site = account.last_site;
  outcome.stalls = static_cast<std::uint32_t>(std::min(account.stalls, most_stalls)) & most_stalls;
  outcome.standing = account.standing;
  return outcome;
}

JobAccount account_of(OpenAccount const& life, Books const& books, bool dated) {
  JobAccount account;
  account.standing = life.standing;
  account.succeeded = life.standing == Standing::succeeded;
  account.stalls = life.stalls;
  account.attempts = life.attempts;
  account.executions = life.executions;
  account.holds = life.holds;
  account.classes = life.classes;
  account.retried = life.retried;
  account.last_site = life.site;
  if (account.succeeded && life.matched) account.match_to_done = life.since - life.first_match;
  if (dated && life.seen) account.ended_at = life.since;
  if (life.has_transfer) account.last_transfer = life.transfer;
  if (life.has_execution) {
    Seconds sum = life.execution;
    books.for_each(life.checkpointed, [&](Id<history::Site>, Seconds time) { sum += time; });
    account.final_execution = sum;
  }
  return account;
}

}  // namespace gridcast::ledger
