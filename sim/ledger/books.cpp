#include "sim/ledger/books.hpp"

#include <algorithm>
#include <utility>

namespace gridcast::ledger {
namespace {

constexpr std::size_t most_endings = 500;

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

}  // namespace

EndingTable::Row EndingTable::row_of(history::Ending const& ending) {
  auto const found = std::find_if(rows_.begin(), rows_.end(), [&](EndingAccount const& account) {
    return account.ending == ending;
  });
  if (found != rows_.end()) return static_cast<Row>(found - rows_.begin());
  // Users and programs choose subcodes and exit codes; a broken log must not make rows without end.
  if (rows_.size() > most_endings) return static_cast<Row>(most_endings);
  bool const others = rows_.size() == most_endings;
  rows_.push_back({others ? history::Ending{.others = true} : ending, 0, 0, Seconds(), Seconds()});
  met_.emplace_back();
  return static_cast<Row>(rows_.size() - 1);
}

EndingTable::Row EndingTable::add(history::JobEvent const& event, Seconds slot_time_lost) {
  Row const row = row_of(history::ending_of(event));
  EndingAccount& account = rows_[row];
  ++account.times;
  account.slot_time_lost += slot_time_lost;
  auto& met = met_[row];
  if (event.job.index() >= met.size()) met.resize(event.job.index() + 1);
  if (!met[event.job.index()]) ++account.jobs;
  met[event.job.index()] = true;
  return row;
}

std::vector<EndingAccount> EndingTable::accounts() const {
  auto sorted = rows_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](EndingAccount const& a, EndingAccount const& b) {
                     Seconds const cost_a = a.slot_time_lost + a.held;
                     Seconds const cost_b = b.slot_time_lost + b.held;
                     return cost_a != cost_b ? cost_a > cost_b : a.times > b.times;
                   });
  return sorted;
}

void Books::push(SpanList& list, Id<history::Site> site, Seconds time, bool joined) {
  if (joined && list != no_spans && spans_[list].site == site) {
    spans_[list].time += time;
    return;
  }
  SpanList entry = free_;
  if (entry == no_spans) {
    entry = static_cast<SpanList>(spans_.size());
    spans_.emplace_back();
  } else {
    free_ = spans_[entry].older;
  }
  spans_[entry] = {site, time, list};
  list = entry;
}

void Books::enter(SpanList list, Seconds LedgerLines::*line) {
  for (; list != no_spans; list = spans_[list].older) {
    lines_at(spans_[list].site).*line += spans_[list].time;
  }
}

void Books::forget(SpanList& list) {
  while (list != no_spans) {
    SpanList const older = std::exchange(spans_[list].older, free_);
    free_ = std::exchange(list, older);
  }
}

void Books::forget(OpenAccount& life) {
  forget(life.earlier_transfers);
  forget(life.checkpointed);
}

void Books::lose_execution(OpenAccount& life, Seconds LedgerLines::*line) {
  if (!life.has_execution) return;
  lines_at(life.execution_site).*line += life.execution;
  life.has_execution = false;
}

void Books::enter_claimed(OpenAccount& life) {
  if (life.claimed == Seconds()) return;
  auto& claimed = at(life.site).claimed;
  if (life.gpus >= claimed.size()) claimed.resize(life.gpus + std::size_t{1});
  claimed[life.gpus] += std::exchange(life.claimed, Seconds());
}

void Books::settle(OpenAccount const& life) {
  StandingLines const& as = standing_lines[static_cast<std::size_t>(life.standing)];
  LedgerLines& home = lines_at(life.site);
  ++home.jobs;
  ++(home.*as.count);
  if (life.has_transfer) lines_at(life.transfer_site).*as.last_transfer += life.transfer;
  enter(life.earlier_transfers, life.standing == Standing::succeeded
                                    ? &LedgerLines::transfer_retried
                                    : &LedgerLines::transfer_retried_unsuccessful);
  enter(life.checkpointed, as.execution);
  if (!life.has_execution) return;
  // Held while idle: the hold is not what ended the execution.
  bool const cut_off = life.standing == Standing::held && !life.hold_ended_execution;
  lines_at(life.execution_site).*(cut_off ? &LedgerLines::compute_evicted : as.execution) +=
      life.execution;
}

JobAccount Books::account_of(OpenAccount const& life, bool dated) const {
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
    for (SpanList list = life.checkpointed; list != no_spans; list = spans_[list].older) {
      sum += spans_[list].time;
    }
    account.final_execution = sum;
  }
  return account;
}

void Books::close(history::JobHistory const& source, Ledger& ledger) const {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    ledger.total += sites_[i].lines;
    ledger.classes += sites_[i].classes;
    std::string const name = i == 0 ? std::string() : source.sites[i - 1];
    for (std::size_t gpus = 0; gpus < sites_[i].claimed.size(); ++gpus) {
      bool const told = gpus > 0 && gpus <= source.gpus.size() && source.gpus[gpus - 1].count > 0;
      Seconds const time =
          sites_[i].claimed[gpus] * (told ? source.gpus[gpus - 1].count : source.gpus_per_job);
      ledger.gpu_time += time;
      if (time > Seconds()) ledger.site_gpu_time[name] += time;
    }
    if (!sites_[i].lines.is_empty()) ledger.sites[name] += sites_[i].lines;
    if (sites_[i].classes.total() != Seconds()) ledger.site_classes[name] += sites_[i].classes;
  }
  ledger.endings = endings_.accounts();
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

}  // namespace gridcast::ledger
