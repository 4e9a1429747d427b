#include "sim/ledger/accountant.hpp"

#include <algorithm>

#include "sim/base/statistics.hpp"

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

using enum history::EventKind;

Standing standing_after(history::JobEvent const& event, Standing before) {
  switch (event.kind) {
    case terminated:
      return event.useful ? Standing::succeeded : Standing::wrong_output;
    case held:
      return Standing::held;
    case released:
      return Standing::unfinished;
    case aborted:
      return Standing::removed;
    default:
      return before;
  }
}

/// The program had come to its end: contact was not lost before it.
bool by_its_program(history::EventKind kind) { return kind == terminated || kind == requeued; }

/// Held for the transfer of its output (hold code 12): the program had come to its end.
bool held_for_output(history::JobEvent const& event) {
  constexpr int transfer_output_error = 12;
  return event.kind == held &&
         (event.reason == history::Reason::output_missing ||
          event.reason == history::Reason::output_failed || event.code == transfer_output_error);
}

bool is_unknown(history::GpuShare const& gpus) {
  return gpus.count.value_or(0) == 0 && gpus.model.empty();
}

void set_match_to_done(Ledger& ledger) {
  std::vector<double> match_to_done;
  for (JobOutcome const& job : ledger.outcomes) {
    if (job.match_to_done) match_to_done.push_back(job.match_to_done->value());
  }
  if (match_to_done.empty()) return;
  ledger.match_to_done_mean = Seconds(mean(match_to_done));
  ledger.match_to_done_median = Seconds(median(std::move(match_to_done)));
}

}  // namespace

EndingTable::Row EndingTable::row_of(history::Ending const& ending) {
  auto const found = std::ranges::find_if(
      rows_, [&](EndingAccount const& account) { return account.ending == ending; });
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
  if (event.job.index() >= met.size()) met.resize(2 * event.job.index() + 1);
  if (!met[event.job.index()]) ++account.jobs;
  met[event.job.index()] = true;
  return row;
}

std::vector<EndingAccount> EndingTable::accounts() const {
  auto sorted = rows_;
  std::ranges::stable_sort(sorted, [](EndingAccount const& a, EndingAccount const& b) {
    Seconds const cost_a = a.slot_time_lost + a.held;
    Seconds const cost_b = b.slot_time_lost + b.held;
    return cost_a != cost_b ? cost_a > cost_b : a.times > b.times;
  });
  return sorted;
}

void Books::meet(std::uint32_t index) {
  known_ = index + 1;
  sites_.resize(known_);
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

void Books::lose_checkpointed(OpenAccount& life, Seconds LedgerLines::*line) {
  enter(life.checkpointed, line);
  forget(life.checkpointed);
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
  // Held while idle: the hold did not end the execution.
  bool const cut_off = life.standing == Standing::held && !life.hold_ended_execution;
  lines_at(life.execution_site).*(cut_off ? &LedgerLines::compute_evicted : as.execution) +=
      life.execution;
}

JobAccount Books::account_of(OpenAccount const& life, bool dated) const {
  constexpr std::uint32_t most_stalls = (1U << 24) - 1;  // a job lives shorter than that takes
  JobAccount account;
  account.standing = life.standing;
  account.stalls = std::min(life.stalls, most_stalls) & most_stalls;
  account.attempts = life.attempts;
  account.executions = life.executions;
  account.holds = life.holds;
  account.classes = life.classes;
  account.retried = life.retried / life.slots;
  account.last_site = life.site;
  if (account.succeeded() && life.matched) account.match_to_done = life.since - life.first_match;
  if (dated && life.seen) account.ended_at = life.since;
  if (life.has_transfer) account.last_transfer = life.transfer / life.slots;
  if (life.has_execution) {
    Seconds sum = life.execution;
    for (SpanList list = life.checkpointed; list != no_spans; list = spans_[list].older) {
      sum += spans_[list].time;
    }
    account.final_execution = sum / life.slots;
  }
  return account;
}

void Books::close(history::JobHistory const& source, Ledger& ledger) const {
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    ledger.total += sites_[i].lines;
    ledger.classes += sites_[i].classes;
    std::string const name = i == 0 ? std::string() : source.sites[i - 1];
    for (std::size_t gpus = 0; gpus < sites_[i].claimed.size(); ++gpus) {
      Seconds const time = sites_[i].claimed[gpus] * source.gpus_in_slot(gpus);
      ledger.gpu_time += time;
      if (time > Seconds()) ledger.site_gpu_time[name] += time;
    }
    if (!sites_[i].lines.is_empty()) ledger.sites[name] += sites_[i].lines;
    if (sites_[i].classes.total() != Seconds()) ledger.site_classes[name] += sites_[i].classes;
  }
  ledger.endings = endings_.accounts();
}

Seconds* Accountant::line_of(OpenAccount& life, TimeClass doing) {
  switch (doing) {
    case TimeClass::matched:
    case TimeClass::transfer_output:
      return &books_.lines_at(life.site).overhead;
    case TimeClass::checkpoint:
      return &books_.lines_at(life.site).checkpoint;
    case TimeClass::transfer_input:
      return &life.transfer;
    case TimeClass::execute:
      return &life.execution;
    case TimeClass::suspended:
      return &books_.lines_at(life.site).suspended;
    case TimeClass::disconnected:
      return line_of(life, life.working);
    case TimeClass::idle:
    case TimeClass::held:
    case TimeClass::cool_down:
      break;
  }
  return nullptr;
}

void Accountant::spend(OpenAccount& life, Seconds until) {
  Seconds const passed = until - life.since;
  Seconds const elapsed = passed * life.slots;
  if (life.on_slot()) life.claimed += elapsed;
  if (Seconds* const line = line_of(life, life.doing)) *line += elapsed;
  if (life.doing == TimeClass::transfer_output) life.output += elapsed;
  if (life.doing == TimeClass::disconnected) life.away += elapsed;
  bool const held = life.doing == TimeClass::held && !options_.lines_alone;
  if (held) books_.endings().add_held(life.hold_row, passed);
}

void Accountant::lose_earlier_execution(OpenAccount& life) {
  books_.lose_execution(
      life, life.program_ended ? &LedgerLines::compute_retried : &LedgerLines::compute_evicted);
}

// A job that had ended, with its node of a DAG: all of it is done again, including the part that
// checkpoints had saved.
void Accountant::begin_again(OpenAccount& life) {
  bool const over = life.standing != Standing::unfinished && life.standing != Standing::held;
  if (!over || life.on_slot()) return;
  auto const line =
      life.program_ended ? &LedgerLines::compute_retried : &LedgerLines::compute_evicted;
  books_.lose_execution(life, line);
  books_.lose_checkpointed(life, line);
  life.program_ended = false;
  life.standing = Standing::unfinished;
}

void Accountant::begin_claim(OpenAccount& life, history::JobEvent const& event) {
  lose_earlier_execution(life);
  books_.enter_claimed(life);
  if (!life.matched) life.first_match = event.at;
  life.matched = true;
  life.site = event.site;
  life.safe_since = event.at;
  ++life.attempts;
  ++books_.lines_at(life.site).attempts;
}

void Accountant::begin_transfer(OpenAccount& life) {
  if (life.has_transfer) {
    books_.push(life.earlier_transfers, life.transfer_site, life.transfer, false);
    life.retried += life.transfer;
  }
  life.has_transfer = true;
  life.transfer = Seconds();
  life.transfer_site = life.site;
}

void Accountant::begin_execution(OpenAccount& life) {
  lose_earlier_execution(life);
  life.has_execution = true;
  life.execution = Seconds();
  life.execution_site = life.site;
}

void Accountant::save_checkpoint(OpenAccount& life, history::AttemptStep const& step) {
  if (step.saves_output()) {
    LedgerLines& lines = books_.lines_at(life.site);
    lines.overhead -= life.output;
    lines.checkpoint += life.output;
    for (TimeClasses* classes : {&life.classes, &books_.classes_at(life.site)}) {
      (*classes)[TimeClass::transfer_output] -= life.output / life.slots;
      (*classes)[TimeClass::checkpoint] += life.output / life.slots;
    }
  }
  life.output = Seconds();
  life.safe_since = step.event.at;
  // Its 001 is missing: the execution before is not known, and from here it is.
  if (!life.has_execution) return begin_execution(life);
  books_.push(life.checkpointed, life.execution_site, life.execution, true);
  life.execution = Seconds();
}

void Accountant::lose_contact(OpenAccount& life) {
  if (Seconds* const line = line_of(life, life.working)) *line -= life.away;
  books_.lines_at(life.site).contact_lost += life.away;
}

void Accountant::end_claim(OpenAccount& life, history::AttemptStep const& step) {
  history::JobEvent const& event = step.event;
  if (life.doing == TimeClass::disconnected && !by_its_program(event.kind)) lose_contact(life);
  if (life.doing == TimeClass::transfer_input) {
    books_.lines_at(life.transfer_site).transfer_retried_evicted_compute +=
        event.executed * life.slots;
  }
  // Within a claim, an execution that is not settled is this claim's.
  if (step.ends && (event.kind == evicted || event.kind == reconnect_failed)) {
    books_.lose_execution(life, &LedgerLines::compute_evicted);
  }
  if (step.ends && event.kind == requeued) {
    books_.lose_execution(life, &LedgerLines::compute_retried);
  }
  life.hold_ended_execution = step.ends && event.kind == held;
  if (step.ends) life.program_ended = held_for_output(event) || event.kind == terminated;
  if ((event.kind != terminated || !event.useful) && !options_.lines_alone) {
    Seconds const lost = step.ends ? (event.at - life.safe_since) * life.slots : Seconds();
    auto const row = books_.endings().add(event, lost);
    if (event.kind == held) life.hold_row = row;
  }
}

void Accountant::count_loss(OpenAccount& life, history::JobEvent const& event) {
  LedgerLines& lines = books_.lines_at(life.site);
  if (!history::end_is_recorded(event.reason)) {
    ++lines.ends_unrecorded;
  } else if (history::ended_by_stall_timer(event)) {
    ++lines.stalls;
    ++life.stalls;
  } else if (event.kind == evicted) {
    ++lines.evictions;
  }
}

void Accountant::count(OpenAccount& life, history::JobEvent const& event) {
  LedgerLines& lines = books_.lines_at(life.site);
  switch (event.kind) {
    case evicted:
    case shadow_exception:
      return count_loss(life, event);
    case reconnect_failed:
      ++lines.evictions;
      break;
    case held:
      ++lines.holds;
      ++life.holds;
      break;
    case released:
      ++lines.releases;
      break;
    case executing:
      ++lines.executions;
      ++life.executions;
      break;
    case requeued:
      ++lines.requeues;
      break;
    case checkpointed:
      ++lines.checkpoints;
      break;
    case disconnected:
      ++lines.disconnects;
      break;
    default:
      break;
  }
}

void Accountant::enter(OpenAccount& life, history::AttemptStep const& step) {
  if (step.begins != history::Sign::none) begin_claim(life, step.event);
  // The record begins in the middle of an execution.
  if (step.begins == history::Sign::execution) begin_execution(life);
  if (step.begins_output()) life.output = Seconds();
  if (step.event.gpus > 0) {
    // The time claimed so far had the other GPUs.
    if (step.event.kind == unsuspended) books_.enter_claimed(life);
    life.gpus = step.event.gpus;
  }
  switch (step.event.kind) {
    case submitted:
      begin_again(life);
      break;
    case transfer_input_started:
      begin_transfer(life);
      break;
    case executing:
      begin_execution(life);
      break;
    case checkpointed:
      save_checkpoint(life, step);
      break;
    case disconnected:
      if (step.passed != history::Phase::disconnected) life.away = Seconds();
      break;
    default:
      if (history::ends_attempt(step.event.kind)) end_claim(life, step);
      break;
  }
  if (step.was != history::Phase::disconnected) life.working = time_class_of(step.was);
  life.doing = time_class_of(step.now);
}

// Most jobs of a large campaign wait for long, and only the start of the wait matters.
bool Accountant::only_submits(history::JobEvent const& event) {
  if (event.kind != submitted || lives_.find(event.job)) return false;
  if (event.job.index() >= outcomes_.size()) outcomes_.resize(event.job.index() + 1);
  JobOutcome& outcome = outcomes_[event.job.index()];
  if (outcome.ended_at) return false;
  outcome.ended_at = event.at;
  return true;
}

OpenAccount& Accountant::life_of(Id<history::Job> job) {
  return lives_.get(job, [&](OpenAccount& life) {
    life.slots = options_.occupied.of(job);
    if (job.index() >= outcomes_.size()) return;
    KnownTime const submitted = outcomes_[job.index()].ended_at;
    life.seen = bool(submitted);
    if (life.seen) life.since = *submitted;
  });
}

void Accountant::pass_time(OpenAccount& life, Seconds until) {
  spend(life, until);
  if (!options_.lines_alone) {
    Seconds const elapsed = until - life.since;
    life.classes[life.doing] += elapsed;
    books_.classes_at(life.on_slot() ? life.site : Id<history::Site>())[life.doing] += elapsed;
  }
  life.since = until;
}

void Accountant::add(history::AttemptStep const& step) {
  history::JobEvent const& event = step.event;
  first_ = std::min(first_, event.at);
  last_ = std::max(last_, event.at);
  if (only_submits(event)) return;
  OpenAccount& life = life_of(event.job);
  if (!life.seen) life.since = event.at;
  life.seen = true;
  pass_time(life, event.at);
  enter(life, step);
  count(life, event);
  life.standing = standing_after(event, life.standing);
}

void Accountant::settle(Id<history::Job> job) {
  order_.settled(job, [this](Id<history::Job> next) { close(next); });
}

void Accountant::close(Id<history::Job> job) {
  OpenAccount& life = life_of(job);
  books_.enter_claimed(life);
  books_.settle(life);
  JobAccount const account = books_.account_of(life, options_.dated);
  if (job.index() >= outcomes_.size()) outcomes_.resize(job.index() + 1);
  outcomes_[job.index()] = account;
  if (options_.each_job) {
    accounts_.resize(outcomes_.size());
    accounts_[job.index()] = account;
  }
  books_.forget(life);
  lives_.forget(job);
}

bool Accountant::slots_in_use() const {
  for (std::size_t job = 0; job < lives_.jobs(); ++job) {
    OpenAccount const* const life = lives_.find(Id<history::Job>(job));
    if (life && life->on_slot()) return true;
  }
  return false;
}

Ledger Accountant::finish(history::JobHistory const& source) {
  std::size_t const jobs = std::max({lives_.jobs(), outcomes_.size(), source.jobs.size()});
  outcomes_.reserve(jobs);
  if (source.seen_until && slots_in_use()) last_ = std::max(last_, *source.seen_until);
  order_.finish(jobs, [&](Id<history::Job> job) {
    OpenAccount& life = life_of(job);
    // A slot in use when the record ends was in use until then.
    if (options_.dated && life.on_slot()) {
      Seconds const end = job.index() < source.ends.size() ? source.ends[job.index()] : last_;
      pass_time(life, end);
    }
    close(job);
  });
  Ledger ledger;
  ledger.retries_opaque = source.retries_opaque;
  ledger.dated = options_.dated;
  ledger.site_names = source.sites;
  ledger.gpus_per_job = source.gpus_per_job;
  ledger.gpus_assumed =
      ledger.dated && source.gpus_per_job == 1 && std::ranges::all_of(source.gpus, is_unknown);
  ledger.batch_system = source.batch_system;
  if (options_.each_job) {
    ledger.job_names = source.jobs;
    ledger.own_names = source.own_names;
  }
  for (JobOutcome& job : outcomes_) {
    if (job.ended_at) job.ended_at = *job.ended_at - first_;
  }
  ledger.outcomes = std::move(outcomes_);
  ledger.jobs = std::move(accounts_);
  books_.close(source, ledger);
  for (std::uint32_t const attempts : source.unrecorded)
    ledger.total.attempts_unrecorded += attempts;
  set_match_to_done(ledger);
  if (options_.dated && first_ <= last_) ledger.makespan = last_ - first_;
  return ledger;
}

}  // namespace gridcast::ledger
