#include "sim/ledger/accountant.hpp"

#include <algorithm>

#include "sim/base/statistics.hpp"

namespace gridcast {

Accountant::Life& Accountant::life_of(Id<Job> job) {
  if (job.index() >= lives_.size()) lives_.resize(job.index() + 1);
  return lives_[job.index()];
}

LedgerLines& Accountant::lines_at(Id<Site> site) {
  std::size_t const index = site.valid() ? site.index() + 1 : 0;
  if (index >= lines_.size()) lines_.resize(index + 1);
  return lines_[index];
}

void Accountant::spend(Life& life, Seconds until) {
  Seconds const elapsed = until - life.since;
  life.since = until;
  switch (life.phase) {
    case Phase::idle:
      break;
    case Phase::overhead:
      lines_at(life.site).overhead += elapsed;
      break;
    case Phase::transfer:
      life.transfer += elapsed;
      break;
    case Phase::execution:
      life.execution += elapsed;
      break;
  }
}

void Accountant::lose_execution(Life& life) {
  if (!life.has_execution) return;
  lines_at(life.execution_site).compute_evicted += life.execution;
  life.has_execution = false;
}

void Accountant::begin_claim(Life& life, JobEvent const& event) {
  lose_execution(life);
  if (!life.matched) life.first_match = event.at;
  life.matched = true;
  life.site = event.site;
  life.phase = Phase::overhead;
}

void Accountant::begin_transfer(Life& life) {
  if (life.has_transfer) {
    retries_.push_back({life.transfer_site, life.transfer, life.newest_retry});
    life.newest_retry = static_cast<std::uint32_t>(retries_.size() - 1);
    life.retried += life.transfer;
  }
  life.has_transfer = true;
  life.transfer = Seconds();
  life.transfer_site = life.site;
  life.phase = Phase::transfer;
}

void Accountant::begin_execution(Life& life) {
  lose_execution(life);
  life.has_execution = true;
  life.execution = Seconds();
  life.execution_site = life.site;
  life.phase = Phase::execution;
}

void Accountant::end_claim(Life& life, JobEvent const& event) {
  if (life.phase == Phase::transfer) {
    lines_at(life.transfer_site).transfer_retried_evicted_compute += event.executed;
  }
  // Within a claim, an execution that is not settled is this claim's.
  bool const claimed = life.phase != Phase::idle;
  if (claimed && event.kind == EventKind::evicted) lose_execution(life);
  life.hold_ended_execution = claimed && event.kind == EventKind::held;
  life.phase = Phase::idle;
}

void Accountant::count(Life& life, JobEvent const& event) {
  switch (event.kind) {
    case EventKind::evicted:
      ++lines_at(life.site).evictions;
      break;
    case EventKind::shadow_exception:
      if (event.reason != Reason::transfer_stalled) break;
      ++lines_at(life.site).stalls;
      ++life.stalls;
      break;
    case EventKind::held:
      ++lines_at(life.site).holds;
      break;
    case EventKind::released:
      ++lines_at(life.site).releases;
      break;
    default:
      break;
  }
}

Accountant::Standing Accountant::standing_after(JobEvent const& event, Standing before) {
  switch (event.kind) {
    case EventKind::terminated:
      return event.useful ? Standing::succeeded : Standing::wrong_output;
    case EventKind::held:
      return Standing::held;
    case EventKind::released:
      return Standing::unfinished;
    case EventKind::aborted:
      return Standing::removed;
    default:
      return before;
  }
}

void Accountant::add(JobEvent const& event) {
  Life& life = life_of(event.job);
  first_ = std::min(first_, event.at);
  last_ = std::max(last_, event.at);
  life.seen = true;
  spend(life, event.at);
  count(life, event);
  switch (event.kind) {
    case EventKind::submitted:
    case EventKind::released:
      break;
    case EventKind::matched:
      begin_claim(life, event);
      break;
    case EventKind::transfer_input_started:
      if (life.phase == Phase::idle) begin_claim(life, event);
      begin_transfer(life);
      break;
    case EventKind::executing:
      if (life.phase == Phase::idle) begin_claim(life, event);
      begin_execution(life);
      break;
    case EventKind::transfer_input_finished:
    case EventKind::transfer_output_started:
    case EventKind::transfer_output_finished:
      life.phase = Phase::overhead;
      break;
    case EventKind::terminated:
    case EventKind::evicted:
    case EventKind::shadow_exception:
    case EventKind::held:
    case EventKind::aborted:
      end_claim(life, event);
      break;
  }
  life.standing = standing_after(event, life.standing);
}

void Accountant::settle_execution(Life& life) {
  if (!life.has_execution) return;
  LedgerLines& lines = lines_at(life.execution_site);
  switch (life.standing) {
    case Standing::succeeded:
      lines.compute_success += life.execution;
      break;
    case Standing::wrong_output:
      lines.compute_wrong_output += life.execution;
      break;
    case Standing::held:
      (life.hold_ended_execution ? lines.compute_held : lines.compute_evicted) += life.execution;
      break;
    case Standing::removed:
    case Standing::unfinished:
      lines.compute_unfinished += life.execution;
      break;
  }
}

void Accountant::settle(Life& life) {
  static constexpr std::size_t LedgerLines::*ended[] = {
      &LedgerLines::unfinished, &LedgerLines::succeeded, &LedgerLines::wrong_output,
      &LedgerLines::held, &LedgerLines::removed};
  static constexpr Seconds LedgerLines::*last_transfer[] = {
      &LedgerLines::transfer_unfinished, &LedgerLines::transfer_success,
      &LedgerLines::transfer_wrong_output, &LedgerLines::transfer_held,
      &LedgerLines::transfer_unfinished};

  auto const standing = static_cast<std::size_t>(life.standing);
  LedgerLines& home = lines_at(life.site);
  ++home.jobs;
  ++(home.*ended[standing]);
  if (life.has_transfer) lines_at(life.transfer_site).*last_transfer[standing] += life.transfer;
  for (auto retry = life.newest_retry; retry != no_retry; retry = retries_[retry].older) {
    LedgerLines& lines = lines_at(retries_[retry].site);
    (life.standing == Standing::succeeded ? lines.transfer_retried
                                          : lines.transfer_retried_unsuccessful) +=
        retries_[retry].time;
  }
  settle_execution(life);
}

JobAccount Accountant::account_of(Life const& life, bool dated) const {
  JobAccount account;
  account.succeeded = life.standing == Standing::succeeded;
  account.stalls = life.stalls;
  account.retried = life.retried;
  account.last_site = life.site;
  if (account.succeeded) account.match_to_done = life.since - life.first_match;
  if (dated && life.seen) account.ended_at = life.since;
  if (life.has_execution) account.final_execution = life.execution;
  if (life.has_transfer) account.last_transfer = life.transfer;
  return account;
}

Ledger Accountant::finish(JobHistory const& source) {
  lives_.resize(std::max(lives_.size(), source.jobs.size()));
  // Before any reference into it is taken: a line for each site.
  lines_.resize(std::max(lines_.size(), source.sites.size() + 1));

  Ledger ledger;
  ledger.retries_opaque = source.retries_opaque;
  ledger.site_names = source.sites;
  std::vector<double> match_to_done;
  for (Life& life : lives_) {
    // A slot in use when the record ends was in use until then.
    if (source.dated && life.phase != Phase::idle) spend(life, last_);
    settle(life);
    ledger.jobs.push_back(account_of(life, source.dated));
    if (auto const time = ledger.jobs.back().match_to_done) match_to_done.push_back(time->value());
  }

  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].is_empty()) continue;
    ledger.total += lines_[i];
    ledger.sites[i == 0 ? std::string() : source.sites[i - 1]] += lines_[i];
  }
  if (!match_to_done.empty()) {
    ledger.match_to_done_mean = Seconds(mean(match_to_done));
    ledger.match_to_done_median = Seconds(median(match_to_done));
  }
  if (source.dated && first_ <= last_) ledger.makespan = last_ - first_;
  return ledger;
}

}  // namespace gridcast
