#include "calibration/records/attempt_record.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "calibration/records/waits.hpp"
#include "sim/base/statistics.hpp"

namespace gridcast::calibration {
namespace {

constexpr Seconds week = days(7);

std::int64_t week_of(AttemptRecord const& attempt) {
  return static_cast<std::int64_t>(std::floor(attempt.start / week));
}

// HTCondor 23.9.6 tries five times to bring files home (jic_shadow.cpp, transferOutput), and each
// try but the last ends by cutting the connection: of an execution that lost its files, the last
// four losses of contact are no fate of its slot's, and between them are the later four tries.
void set_tries_apart(AttemptRecord& attempt) {
  constexpr std::size_t cuts = 4;
  auto& all = attempt.disconnections;
  if (!lost_files(attempt) || all.size() <= cuts) return;
  Seconds until = attempt.end;
  for (std::size_t i = 0; i < cuts; ++i) {
    attempt.output_tries.push_back(until - all.back().at);
    until = all.back().at;
    all.pop_back();
  }
}

/// When an execution that tried in vain to bring its files home began to: before the first cut, by
/// as long as the next try took.
Seconds first_try(AttemptRecord const& attempt) {
  Seconds at = attempt.end;
  if (attempt.output_tries.empty()) return at;
  for (Seconds const& one : attempt.output_tries) at -= one;
  return at - attempt.output_tries.back();
}

/// "slot@host" is one of a machine's.
bool names_slot(history::JobHistory const& history, std::uint32_t slot) {
  if (slot >= history.slots.size()) return false;
  std::string const& name = history.slots[slot];
  return name != "unknown" && !name.starts_with("slot@");
}

/// Follows one job through its events.
class JobFollower {
 public:
  JobFollower(history::JobHistory const& history, AttemptRecords& records)
      : history_(history), records_(records) {}

  void follow(history::AttemptStep const& step) {
    history::JobEvent const& event = step.event;
    if (attempt_ && !attempt_->site.valid() && event.site.valid()) place(event);
    if (event.kind == history::EventKind::submitted || event.kind == history::EventKind::released) {
      released(event);
      idle_since_ = event.at;
    }
    if (step.begins != history::Sign::none) begin(step);
    if (step.in_attempt()) follow_attempt(event);
    if (history::ends_attempt(event.kind)) ended(event);
  }

  void finish() {
    Seconds const end = records_.end_of(job_);
    if (attempt_) close(end);
    if (idle_since_) records_.waits.push_back({job_, *idle_since_, end});
  }

 private:
  void place(history::JobEvent const& event) {
    attempt_->site = event.site;
    attempt_->slot = event.slot;
    attempt_->slot_known = !history_.slots.empty() && event.slot < history_.slots.size();
    attempt_->placed = history_.slots.empty() || names_slot(history_, event.slot);
  }

  void begin(history::AttemptStep const& step) {
    history::JobEvent const& event = step.event;
    attempt_.emplace();
    attempt_->job = job_ = event.job;
    attempt_->number = step.attempt;
    attempt_->start = event.at;
    attempt_->epochs_before = stored_;
    if (event.site.valid()) place(event);
    if (idle_since_) records_.waits.push_back({event.job, *idle_since_, event.at});
    idle_since_.reset();
    store_from_.reset();
    suspended_at_.reset();
    output_is_back_ = false;
  }

  void follow_attempt(history::JobEvent const& event) {
    switch (event.kind) {
      case history::EventKind::transfer_input_started:
        attempt_->input_started = event.at;
        break;
      case history::EventKind::transfer_input_finished:
        attempt_->input_finished = event.at;
        break;
      case history::EventKind::executing:
        execute(event);
        break;
      case history::EventKind::transfer_output_started:
        store_from_ = event.at;
        break;
      case history::EventKind::transfer_output_finished:
        output_is_back_ = true;
        break;
      case history::EventKind::checkpointed:
        checkpoint(event.at);
        break;
      case history::EventKind::suspended:
        suspended_at_ = event.at;
        ++attempt_->suspensions_begun;
        break;
      case history::EventKind::unsuspended:
        resume(event.at);
        break;
      case history::EventKind::disconnected:
        attempt_->disconnections.push_back({event.at, std::nullopt});
        attempt_->unheard = true;
        break;
      case history::EventKind::reconnected:
        if (!attempt_->disconnections.empty()) attempt_->disconnections.back().back = event.at;
        break;
      default:
        break;
    }
  }

  void execute(history::JobEvent const& event) {
    attempt_->executing = computing_since_ = event.at;
    suspended_in_epoch_ = Seconds();
    attempt_->times_known = history::end_is_recorded(event.reason);
    if (history::GpuShare const* const gpus = history_.gpus_of(event)) {
      attempt_->gpus = gpus->count.value_or(0);
    }
    attempt_->epochs_recorded = event.epochs;
  }

  Seconds computed(Seconds until) const {
    return std::max(Seconds(), until - computing_since_ - suspended_in_epoch_);
  }

  void checkpoint(Seconds at) {
    if (!attempt_->executing || attempt_->unheard) return;
    Seconds const stopped = store_from_.value_or(at);
    attempt_->epochs.push_back(computed(stopped));
    attempt_->stores.push_back(at - stopped);
    ++stored_;
    computing_since_ = at;
    suspended_in_epoch_ = Seconds();
    store_from_.reset();
  }

  void resume(Seconds at) {
    if (!suspended_at_) return;
    attempt_->suspensions.push_back(at - *suspended_at_);
    attempt_->suspended += at - *suspended_at_;
    suspended_in_epoch_ += at - *suspended_at_;
    suspended_at_.reset();
  }

  void ended(history::JobEvent const& event) {
    if (attempt_) {
      attempt_->end_kind = event.kind;
      attempt_->reason = event.reason;
      attempt_->useful = event.useful;
      attempt_->exit_code = event.exit_code;
      attempt_->code = event.code;
      attempt_->subcode = event.subcode;
      close(event.at);
    }
    job_ = event.job;
    if (event.kind == history::EventKind::held) {
      records_.holds.push_back({event.job, ++holds_, event.reason, event.at, {}, {}});
      held_ = true;
    } else if (event.kind == history::EventKind::aborted) {
      hold_ended(event);
      gone_with_slot(event);
      idle_since_.reset();
    } else if (event.kind != history::EventKind::terminated) {
      idle_since_ = event.at;
      return;
    }
    idle_since_.reset();
  }

  void close(Seconds at) {
    attempt_->end = at;
    set_tries_apart(*attempt_);
    if (attempt_->executing) {
      if (ended_by_itself()) attempt_->exit = store_from_.value_or(at);
      // Nothing is known of an execution after its contact is lost for good.
      Seconds const until =
          store_from_.value_or(std::min(first_try(*attempt_), attempt_->slot_end()));
      Seconds const stopped = suspended_at_ ? *suspended_at_ : until;
      attempt_->tail = computed(stopped);
    }
    if (stored_ > 0) attempt_->epochs_recorded = 0;  // the checkpoints record it with its time
    records_.attempts.push_back(*attempt_);
    attempt_.reset();
  }

  // An evicted or removed job can bring its files home first (ON_EXIT_OR_EVICT). A hold stops an
  // executing job, unless it is about the files that its program left.
  bool ended_by_itself() const {
    using enum history::Reason;
    if (attempt_->end_kind == history::EventKind::terminated ||
        attempt_->end_kind == history::EventKind::requeued) {
      return true;
    }
    if (attempt_->end_kind == history::EventKind::held) {
      return history::is_one_of(attempt_->reason,
                                {output_missing, output_failed, exit_code, killed_by_signal,
                                 checkpoint_failed, corrupt_input, site_network_down}) ||
             (attempt_->reason == policy && store_from_.has_value());
    }
    bool const taken = attempt_->end_kind == history::EventKind::evicted ||
                       attempt_->end_kind == history::EventKind::aborted;
    return store_from_.has_value() && !(taken && output_is_back_);
  }

  void released(history::JobEvent const& event) {
    job_ = event.job;
    if (event.kind == history::EventKind::released) hold_ended(event);
    held_ = false;
  }

  void hold_ended(history::JobEvent const& event) {
    if (!held_) return;
    held_ = false;
    HoldRecord& hold = records_.holds.back();
    bool const removed = event.kind == history::EventKind::aborted;
    bool const policy = event.reason == history::Reason::policy;
    (policy ? hold.by_policy : removed ? hold.removed : hold.released) = event.at;
  }

  void gone_with_slot(history::JobEvent const& removed) {
    if (records_.attempts.empty() || removed.reason != history::Reason::policy) return;
    AttemptRecord& last = records_.attempts.back();
    bool const taken = vacated(last) || ended_without_contact(last) ||
                       (last.end_kind == history::EventKind::evicted && stopped_by_limit(last));
    last.ended_job = last.job == removed.job && taken && last.end == removed.at;
  }

  history::JobHistory const& history_;
  AttemptRecords& records_;
  std::optional<AttemptRecord> attempt_;
  Id<history::Job> job_;
  int stored_ = 0, holds_ = 0;
  bool held_ = false, output_is_back_ = false;
  std::optional<Seconds> idle_since_, store_from_, suspended_at_;
  Seconds computing_since_, suspended_in_epoch_;
};

double tick_of(history::JobHistory const& history) {
  for (history::JobEvent const& event : history.events) {
    if (std::abs(event.at.value() - std::round(event.at.value())) > 1e-6) return 1e-3;
  }
  return 1;
}

// Most jobs' number, of those that were heard of all the time.
int epochs_of(AttemptRecords const& records) {
  std::map<int, std::size_t> jobs_with;
  std::set<std::uint32_t> unheard;
  for (AttemptRecord const& attempt : records.attempts) {
    auto const job = static_cast<std::uint32_t>(attempt.job.index());
    if (attempt.unheard) unheard.insert(job);
    if (attempt.end_kind != history::EventKind::terminated || !attempt.useful) continue;
    if (unheard.contains(job)) continue;
    int const stored = attempt.epochs_before + static_cast<int>(attempt.epochs.size());
    ++jobs_with[attempt.epochs_recorded > 0 ? attempt.epochs_recorded : stored + 1];
  }
  auto const usual =
      std::ranges::max_element(jobs_with, [](auto& a, auto& b) { return a.second < b.second; });
  if (usual != jobs_with.end()) return usual->first;
  int most = 0;
  for (AttemptRecord const& attempt : records.attempts) {
    most = std::max(most, attempt.epochs_before + static_cast<int>(attempt.epochs.size()));
  }
  return most + 1;
}

constexpr int no_contact = 1008;  // the vacate code of a job that its shadow did not find again
constexpr std::size_t enough = 5;
constexpr double deviations = 5;
constexpr double longer_by = 0.223;  // ln 1.25

double log_time(AttemptRecord const& attempt, AttemptRecords const& records) {
  std::size_t const job = attempt.job.index();
  double const scale = job < records.log_scales.size() ? records.log_scales[job] : 0;
  return std::log(std::max(attempt.tail.value(), 1.0)) - scale;
}

}  // namespace

std::vector<Part> by_campaign(history::JobHistory const& history, AttemptRecords const& records,
                              std::vector<std::set<std::uint32_t>> const& campaigns) {
  std::vector<Part> parts;
  for (std::set<std::uint32_t> const& clusters : campaigns) {
    AttemptRecords part = records;
    std::erase_if(part.attempts, [&](AttemptRecord const& attempt) {
      return !clusters.contains(history.jobs[attempt.job.index()].cluster);
    });
    parts.push_back({std::move(part)});
  }
  return parts;
}

bool shows_weeks(AttemptRecords const& records) {
  constexpr std::size_t enough = 3;
  std::set<std::int64_t> weeks;
  for (AttemptRecord const& attempt : records.attempts) weeks.insert(week_of(attempt));
  return weeks.size() >= enough;
}

std::vector<Part> by_week(AttemptRecords const& records) {
  AttemptRecords others = records;
  others.attempts.clear();
  std::map<std::int64_t, Part> weeks;
  for (AttemptRecord const& attempt : records.attempts) {
    auto const number = static_cast<double>(week_of(attempt));
    auto const week_found =
        weeks.try_emplace(week_of(attempt), others, std::pair(week * number, week * (number + 1)));
    week_found.first->second.records.attempts.push_back(attempt);
  }
  std::vector<Part> parts;
  for (auto& [number, part] : weeks) parts.push_back(std::move(part));
  return parts;
}

AttemptRecords make_attempt_records(history::JobHistory const& history) {
  AttemptRecords records;
  records.tick = tick_of(history);
  records.end = history.end();
  records.ends = history.ends;
  // The fits count from the start of an attempt: without it, there is nothing to count.
  history::AttemptStream stream(history::AttemptRule::start_seen);
  for (auto const& events : history::events_by_job(history)) {
    JobFollower follower(history, records);
    for (std::uint32_t const index : events) follower.follow(stream.next(history.events[index]));
    follower.finish();
  }
  records.epochs = epochs_of(records);
  mark_passed_over(history, records);
  return records;
}

bool shut_down(AttemptRecord const& attempt) {
  if (attempt.end_kind != history::EventKind::evicted) return false;
  if (attempt.reason != history::Reason::pilot_ended) return false;
  // The log of HTCondor 23.9 has no codes: its startd was heard where contact was not lost before.
  bool const in_contact =
      attempt.disconnections.empty() || attempt.disconnections.back().back.has_value();
  return attempt.code >= 1000 || in_contact;
}

bool stopped_by_slot(AttemptRecord const& attempt) {
  using enum history::Reason;
  if (!attempt.executing || attempt.exit || !attempt.end_kind) return false;
  // A batch system that does not queue the job again takes it out of the queue.
  if (*attempt.end_kind == history::EventKind::aborted) return attempt.reason == out_of_resources;
  bool const held_or_vacated = *attempt.end_kind == history::EventKind::held ||
                               *attempt.end_kind == history::EventKind::evicted;
  if (!held_or_vacated || attempt.code >= 1000) return false;
  bool const without_reason =
      attempt.reason == unknown && *attempt.end_kind == history::EventKind::held;
  return attempt.reason == out_of_resources || (attempt.reason == system && attempt.code > 0) ||
         without_reason;
}

bool stopped_by_limit(AttemptRecord const& attempt) {
  return stopped_by_slot(attempt) || (attempt.executing && attempt.end_kind &&
                                      attempt.reason == history::Reason::execution_too_long);
}

bool stopped_for_good(AttemptRecord const& attempt) {
  return stopped_by_limit(attempt) &&
         (attempt.ended_job || attempt.end_kind == history::EventKind::aborted);
}

bool ended_without_contact(AttemptRecord const& attempt) {
  if (shut_down(attempt)) return false;
  return attempt.end_kind == history::EventKind::reconnect_failed || attempt.code == no_contact ||
         attempt.reason == history::Reason::pilot_ended ||
         attempt.reason == history::Reason::lost_contact;
}

bool lost_files(AttemptRecord const& attempt) {
  return attempt.executing && attempt.end_kind == history::EventKind::evicted &&
         attempt.reason == history::Reason::output_failed && !attempt.disconnections.empty() &&
         attempt.disconnections.back().back.has_value();
}

bool crashed(AttemptRecord const& attempt) {
  using enum history::Reason;
  if (!attempt.executing || !attempt.end_kind) return false;
  switch (*attempt.end_kind) {
    case history::EventKind::requeued:
      return true;
    case history::EventKind::terminated:
      return !attempt.useful;
    case history::EventKind::held:
      return history::is_one_of(attempt.reason, {output_missing, exit_code, killed_by_signal});
    default:
      return false;
  }
}

bool input_failed(AttemptRecord const& attempt) {
  using enum history::Reason;
  return !attempt.executing && attempt.end_kind &&
         history::is_one_of(attempt.reason,
                            {transfer_failed, not_found, no_progress, transfer_stalled, not_begun});
}

bool input_hung(AttemptRecord const& attempt) {
  return !attempt.executing && attempt.end_kind &&
         attempt.reason == history::Reason::transfer_timeout;
}

bool vacated(AttemptRecord const& attempt) {
  using enum history::Reason;
  if (attempt.end_kind != history::EventKind::evicted || stopped_by_slot(attempt)) return false;
  if (shut_down(attempt)) return true;
  if (history::is_one_of(attempt.reason, {history::Reason::vacated, manual, policy})) return true;
  return attempt.disconnections.empty() && attempt.code != no_contact &&
         history::is_one_of(attempt.reason, {none, unknown, system});
}

bool taken_from_slot(AttemptRecord const& attempt) {
  return vacated(attempt) && !shut_down(attempt);
}

Seconds AttemptRecord::slot_end() const {
  bool const lost = ended_without_contact(*this);
  if (lost && !disconnections.empty() && !disconnections.back().back) {
    return disconnections.back().at;
  }
  return end;
}

void mark_hangs(AttemptRecords& records) {
  if (records.epochs > 1) return;
  std::map<std::size_t, std::vector<double>> ended;  // by site
  for (AttemptRecord const& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || !attempt.exit || crashed(attempt)) continue;
    if (records.differs(attempt)) continue;
    if (double const at = log_time(attempt, records); !std::isnan(at)) {
      ended[attempt.site.index()].push_back(at);
    }
  }
  std::map<std::size_t, double> beyond;
  for (auto const& [site, times] : ended) {
    if (times.size() < enough) continue;
    beyond[site] = mean(times) + std::max(longer_by, deviations * standard_deviation(times));
  }
  for (AttemptRecord& attempt : records.attempts) {
    if (!attempt.executing || !attempt.site.valid() || attempt.exit || attempt.unheard) continue;
    if (!history::end_is_recorded(attempt.reason) || !attempt.times_known) continue;
    auto const there = beyond.find(attempt.site.index());
    if (there != beyond.end()) attempt.hung = log_time(attempt, records) > there->second;
  }
}

}  // namespace gridcast::calibration
