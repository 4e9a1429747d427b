// How attempts end, which the log reports in pieces.
#include "sim/condor/log/job_life.hpp"

#include <algorithm>
#include <utility>

namespace gridcast::condor {
namespace {

// Stamps of one second can be one apart for events at the same time.
constexpr std::int64_t at_once_ms = 1000;
// A job that never saves a checkpoint and is taken away so soon after an output transfer had its
// files brought home because of that (ON_EXIT_OR_EVICT). Seen: 0 to 1 s.
constexpr std::int64_t at_eviction_s = 0;
// From a result that came home to 005. Seen: 0 to 28 s.
constexpr std::int64_t until_end_s = 60;

EventKind event_kind(NoteKind kind) {
  if (kind == NoteKind::terminated) return EventKind::terminated;
  if (kind == NoteKind::requeued) return EventKind::requeued;
  if (kind == NoteKind::shadow_exception) return EventKind::shadow_exception;
  return kind == NoteKind::reconnect_failed ? EventKind::reconnect_failed : EventKind::evicted;
}

bool any(history::MovedBytes const& moved) {
  return moved.received > Bytes() || moved.sent > Bytes();
}

}  // namespace

bool JobLife::is_of_later_job(LogNote const& note, LifeContext& context) {
  if (note.kind != NoteKind::submitted) return false;
  settle_old_second(note, context);
  return (status_ == Status::ended || submitted_) && second_.empty() &&
         second_of(note.at_ms) > second_of(latest_ms_);
}

void JobLife::abandon(LifeContext& context) {
  if (status_ == Status::claimed) {
    LogNote lost;
    lost.kind = NoteKind::evicted;
    lost.at_ms = latest_ms_;
    lost.file = latest_file_;
    apply(lost, false, context);
  }
  finish(latest_ms_, context);
}

void JobLife::settle_old_second(LogNote const& note, LifeContext& context) {
  if (second_.empty() || second_of(second_.back().at_ms) == second_of(note.at_ms)) return;
  settle_second(context);
}

bool JobLife::add(LogNote const& note, LifeContext& context) {
  settle_old_second(note, context);
  second_.push_back(note);
  return note.kind == NoteKind::terminated || note.kind == NoteKind::aborted ||
         note.kind == NoteKind::skipped;
}

void JobLife::finish(std::int64_t record_ends_ms, LifeContext& context) {
  settle_second(context);
  settle_end(context);
  if (status_ == Status::claimed) settle_output_of_open(record_ends_ms);
  undecided_ = false;
  flush(context);
  std::vector<LogNote>().swap(second_);
  std::vector<Pending>().swap(pending_);
}

std::optional<JobLife::LastWord> JobLife::last_word_in_slot() const {
  if (status_ != Status::claimed) return std::nullopt;
  return LastWord{latest_ms_, latest_file_};
}

std::optional<std::int64_t> JobLife::latest_in(std::uint32_t file) const {
  bool const pending = !second_.empty();
  if (!pending && status_ == Status::unseen) return std::nullopt;
  if ((pending ? second_.back().file : latest_file_) != file) return std::nullopt;
  if (!pending) return latest_ms_;
  std::int64_t const last = second_.back().at_ms;
  return status_ == Status::unseen ? last : std::max(latest_ms_, last);
}

void JobLife::settle_second(LifeContext& context) {
  order_within_second(second_);
  auto const last_end = std::find_if(second_.rbegin(), second_.rend(),
                                     [](LogNote const& note) { return is_end(note.kind); });
  auto const notes_to_end = static_cast<std::size_t>(second_.rend() - last_end);
  for (std::size_t i = 0; i < second_.size(); ++i) apply(second_[i], i < notes_to_end, context);
  second_.clear();
  bool const placed = attempt_.executing && attempt_.output == Output::none && !attempt_.bare;
  if (!end_open_ && (status_ != Status::claimed || placed)) flush(context);
}

void JobLife::apply(LogNote const& note, bool end_follows, LifeContext& context) {
  if (note.at_ms < latest_ms_ - unremarkable_ms && status_ != Status::unseen) {
    context.warn("a job's events go back in time; no time passes for it until it has caught up",
                 note);
  }
  latest_file_ = note.file;
  latest_ms_ = status_ == Status::unseen ? note.at_ms : std::max(latest_ms_, note.at_ms);
  if (note.kind == NoteKind::submitted) {
    if (status_ != Status::unseen) return context.warn("a job is submitted twice", note);
    status_ = Status::idle;
    submitted_ = true;
    return put(EventKind::submitted);
  }
  if (status_ == Status::unseen) {
    status_ = Status::idle;
    context.warn("a job's submission is not in the log; its history begins later", note);
  }
  if (end_open_) {
    if (amend_end(note)) return;
    settle_end(context);
    flush(context);
  }
  if (note.kind == NoteKind::hint || note.kind == NoteKind::alive) {
    if (status_ == Status::claimed) {
      learn(note);
      apply_sign_of_life(note, end_follows);
    } else if (note.site.valid()) {
      // 028 behind an end: the ad still has the site of the last match.
      context.execution_points.saw(attempt_.place.slot, note.site);
    }
    return;
  }
  if (status_ == Status::ended) return warn_of_late(note, context);
  using enum NoteKind;
  bool const decided = history::is_one_of(note.kind, {held, released, aborted, skipped});
  return decided ? apply_decision(note, context) : apply_to_attempt(note, context);
}

void JobLife::warn_of_late(LogNote const& note, LifeContext& context) const {
  if (note.kind == NoteKind::terminated && ended_by_ == NoteKind::terminated) {
    return context.warn("a job's end is logged twice; the first one counts", note);
  }
  if (any(note.moved)) context.moved(note.moved, nullptr);
  context.warn("an event after the job's end", note);
}

void JobLife::apply_to_attempt(LogNote const& note, LifeContext& context) {
  if (is_input_step(note.kind)) return apply_input(note, context);
  if (note.kind == NoteKind::executing) return apply_execution(note, context);
  if (is_output_step(note.kind)) return apply_output(note, context);
  if (status_ != Status::claimed) {
    claim(note, context);
    // All that was logged of it before was lost with the contact.
    attempt_.bare = note.kind == NoteKind::reconnect_failed || note.kind == NoteKind::terminated ||
                    note.kind == NoteKind::requeued;
  }
  learn(note);
  if (is_end(note.kind)) return apply_end(note, context);
  output_was_checkpoint();
  if (note.kind == NoteKind::disconnected) {
    if (!attempt_.disconnected) put(EventKind::disconnected, &note);
    attempt_.disconnected = true;
    return;
  }
  revive();
  if (note.kind == NoteKind::suspended) put(EventKind::suspended);
  if (note.kind == NoteKind::unsuspended) put(EventKind::unsuspended);
  if (note.kind == NoteKind::checkpointed) put(EventKind::checkpointed);
}

void JobLife::apply_input(LogNote const& note, LifeContext& context) {
  bool const begins = note.kind != NoteKind::input_finished;
  if (status_ == Status::claimed && begins && attempt_.input_started) lose_attempt(note, context);
  if (status_ != Status::claimed) {
    claim(note, context);
    if (note.kind == NoteKind::input_queued) return learn(note);
  }
  learn(note);
  revive();
  switch (note.kind) {
    case NoteKind::input_queued:
      return put(EventKind::transfer_input_queued);
    case NoteKind::input_started:
      attempt_.input_started = true;
      return put(EventKind::transfer_input_started);
    default:
      if (!attempt_.input_finished) put(EventKind::transfer_input_finished);
      attempt_.input_finished = true;
      return;
  }
}

void JobLife::apply_execution(LogNote const& note, LifeContext& context) {
  if (status_ == Status::claimed && attempt_.executing) lose_attempt(note, context);
  if (status_ != Status::claimed) {
    claim(note, context);
    attempt_.bare = true;
  }
  learn(note);
  revive();
  // It runs: its input is there, even if the shadow reports it later.
  if (attempt_.input_started && !attempt_.input_finished) put(EventKind::transfer_input_finished);
  attempt_.input_finished = true;
  attempt_.executing = true;
  attempt_.gpus_known = note.gpus > 0 && !note.without_gpus;
  had_gpus_ = had_gpus_ || attempt_.gpus_known;
  context.execution_points.saw(attempt_.place.slot, attempt_.place.site);
  put(EventKind::executing, &note);
}

void JobLife::apply_output(LogNote const& note, LifeContext& context) {
  if (status_ != Status::claimed) claim(note, context);
  learn(note);
  revive();
  if (note.kind == NoteKind::output_finished) {
    put(EventKind::transfer_output_finished);
    attempt_.output = Output::finished;
    attempt_.output_finished_ms = latest_ms_;
    return;
  }
  output_was_checkpoint();
  attempt_.output = Output::started;
  put(note.kind == NoteKind::output_queued ? EventKind::transfer_output_queued
                                           : EventKind::transfer_output_started);
}

void JobLife::apply_end(LogNote const& note, LifeContext& context) {
  if (note.kind == NoteKind::terminated || note.kind == NoteKind::requeued) revive();
  if (note.checkpointed) {
    output_was_checkpoint();
    put(EventKind::checkpointed);
  }
  if (note.kind == NoteKind::terminated && !note.useful && note.reason == Reason::unknown) {
    // Its text is cut, and the program may have succeeded.
    context.warn("a termination does not contain how the job ended: it counts as unfinished", note);
    LogNote cut = note;
    cut.reason = Reason::end_not_recorded;
    return end_attempt(EventKind::shadow_exception, cut, Status::idle);
  }
  bool const done = note.kind == NoteKind::terminated;
  end_attempt(event_kind(note.kind), note, done ? Status::ended : Status::idle);
  if (done && !attempt_.executing) {
    context.warn("nothing shows when a program that ended began; no execution is counted", note);
  }
}

// A hold, a release, a removal: by the schedd, of a job in a slot or not.
void JobLife::apply_decision(LogNote const& note, LifeContext& context) {
  bool const hold = note.kind == NoteKind::held;
  if (note.kind == NoteKind::released) {
    if (status_ != Status::held && has_put_) {
      return context.warn("a release of a job that is not held", note);
    }
    status_ = Status::idle;
    return put(EventKind::released, &note);
  }
  if (status_ == Status::held && hold) return context.warn("a job is held twice", note);
  if (status_ == Status::claimed && note.kind != NoteKind::skipped) {
    learn(note);
    return end_attempt(hold ? EventKind::held : EventKind::aborted, note,
                       hold ? Status::held : Status::ended);
  }
  status_ = hold ? Status::held : Status::ended;
  if (note.kind == NoteKind::skipped) return put(EventKind::terminated, &note);
  put(hold ? EventKind::held : EventKind::aborted, &note);
}

void JobLife::apply_sign_of_life(LogNote const& note, bool end_follows) {
  if (note.kind == NoteKind::hint) {
    if (note.reason != Reason::none && note.reason != Reason::unknown) attempt_.hint = note.reason;
    return;
  }
  if (end_follows) return;
  revive();
  bool const later = second_of(note.at_ms) > second_of(attempt_.output_finished_ms);
  if (attempt_.output == Output::finished && later) output_was_checkpoint();
}

// The job gets a slot. Events before the first note of an attempt, except its waiting for the
// transfer, are not in the log.
void JobLife::claim(LogNote const& note, LifeContext& context) {
  if (status_ == Status::held) {
    context.warn("a held job runs without a release", note);
    put(EventKind::released);
    pending_.back().event.reason = Reason::unknown;
  }
  flush(context);
  status_ = Status::claimed;
  attempt_ = {};
  std::int64_t const now = latest_ms_;
  attempt_.before_ms = has_put_ ? put_ms_ : now;
  latest_ms_ = has_put_ ? std::max(put_ms_, now - note.queued_ms) : now - note.queued_ms;
  put(EventKind::matched);
  latest_ms_ = now;
}

// An attempt begins without an end of the last one.
void JobLife::lose_attempt(LogNote const& note, LifeContext& context) {
  context.warn("an attempt has no end before the next one begins", note);
  LogNote end;
  end.reason = attempt_.disconnected ? Reason::lost_contact : Reason::unknown;
  end_attempt(attempt_.disconnected ? EventKind::reconnect_failed : EventKind::evicted, end,
              Status::idle);
  settle_end(context);
  flush(context);
}

// Facts of the note about its attempt: where it is, and the bytes that it moved.
void JobLife::learn(LogNote const& note) {
  attempt_.place.slot.complete(note.place);
  if (note.site.valid()) attempt_.place.site = note.site;
  attempt_.moved += note.moved;
}

void JobLife::revive() {
  if (!attempt_.disconnected) return;
  attempt_.disconnected = false;
  put(EventKind::reconnected);
}

void JobLife::output_was_checkpoint() {
  if (attempt_.output != Output::finished) return;
  attempt_.output = Output::none;
  auto const output = last_pending(EventKind::transfer_output_finished);
  if (output == pending_.end()) return;
  output->event.kind = EventKind::checkpointed;
  checkpoints_ = true;
  undecided_ = false;
  for (auto& [earlier, place] : waiting_) {
    if (earlier.perhaps_checkpoint) earlier.event.kind = EventKind::checkpointed;
  }
}

void JobLife::put(EventKind kind, LogNote const* note) {
  Pending pending{{}, latest_ms_, status_ == Status::claimed};
  pending.event.job = job_;
  pending.event.kind = kind;
  if (note != nullptr) note->set_fields(pending.event);
  put_ms_ = latest_ms_;
  has_put_ = true;
  pending_.push_back(pending);
}

void JobLife::flush(LifeContext& context) {
  if (undecided_) {
    for (auto const& pending : pending_) waiting_.push_back({pending, attempt_.place});
  } else {
    for (auto const& [pending, place] : waiting_) emit(pending, place, context);
    std::vector<Waiting>().swap(waiting_);
    for (auto const& pending : pending_) emit(pending, attempt_.place, context);
  }
  pending_.clear();
  if (any(attempt_.moved)) context.moved(std::exchange(attempt_.moved, {}), &attempt_.place);
}

void JobLife::emit(Pending const& pending, AttemptPlace const& place, LifeContext& context) {
  context.emit(pending.event, pending.at_ms, pending.in_slot ? &place : nullptr);
}

// How attempts end, which the log reports in pieces.

// True if a hold or a removal is that of the eviction before: at once, or in the same words, or
// announced by the eviction's code, which is then below 1000.
bool JobLife::same_loss(LogNote const& note) const {
  Pending const& end = pending_.back();
  if (latest_ms_ - end.at_ms <= at_once_ms) return true;
  return (end.event.code > 0 && end.event.code == note.code && end.event.code < 1000) ||
         (end_reason_hash_ != 0 && end_reason_hash_ == note.reason_hash);
}

// The shadow of an evicted job can report its execution after it has reported the eviction.
bool JobLife::late_execution(LogNote const& note) {
  bool const started = attempt_.executing && !attempt_.without_start;
  if (note.kind != NoteKind::executing || started || !attempt_.input_finished) return false;
  if (latest_ms_ - pending_.back().at_ms > unremarkable_ms) return false;
  learn(note);
  if (std::exchange(attempt_.without_start, false)) return true;
  attempt_.executing = true;
  Pending executing = pending_.back();
  executing.event = {};
  executing.event.job = job_;
  executing.event.kind = EventKind::executing;
  executing.event.gpus = note.gpus;
  if (note.gpus > 0 && !note.without_gpus) pending_.back().event.gpus = 0;
  pending_.insert(pending_.end() - 1, executing);
  return true;
}

// The logged part of an end can be the first half of its facts. False if the note is of a later
// event.
bool JobLife::amend_end(LogNote const& note) {
  using enum NoteKind;
  if (note.kind == hint || note.kind == alive) {
    learn(note);
    return true;
  }
  if (late_execution(note)) return true;
  Pending& end = pending_.back();
  bool const eviction = note.kind == evicted || note.kind == requeued;
  bool const by_shadow = history::is_one_of(ended_by_, {evicted, requeued, shadow_exception});
  if (by_shadow && history::is_one_of(note.kind, {held, aborted}) && same_loss(note)) {
    learn(note);
    Reason const first = end.event.reason;
    std::uint16_t const gpus = end.event.gpus;
    note.set_fields(end.event);
    end.event.gpus = gpus;
    if (note.reason == Reason::unknown) end.event.reason = first;
    end.event.kind = note.kind == held ? EventKind::held : EventKind::aborted;
    status_ = note.kind == held ? Status::held : Status::ended;
    ended_by_ = note.kind;
    return true;
  }
  if (eviction && history::is_one_of(ended_by_, {shadow_exception, reconnect_failed})) {
    learn(note);
    begin_as_busy(note);
    if (end.event.reason == Reason::unknown) end.event.reason = note.reason;
    end.event.gpus = gpus_at_end(note);
    end.at_ms = latest_ms_;
    end_reason_hash_ = note.reason_hash;
    ended_by_ = hint;  // one 004 belongs to it, not two
    return true;
  }
  bool const by_schedd = ended_by_ == held || ended_by_ == aborted;
  if (!eviction || !by_schedd || latest_ms_ - end.at_ms > at_once_ms) return false;
  learn(note);
  return true;
}

// DAGMan's nodes log has no 040: TimeSlotBusy shows when the slot was claimed.
void JobLife::begin_as_busy(LogNote const& end) {
  if (!attempt_.bare || end.busy_ms <= 0) return;
  auto const matched = std::ranges::find_if(
      pending_, [](Pending const& pending) { return pending.event.kind == EventKind::matched; });
  if (matched == pending_.end()) return;
  std::int64_t const begin = std::max(attempt_.before_ms, latest_ms_ - end.busy_ms);
  matched->at_ms = std::min(matched->at_ms, begin);
}

// True if a program ran, though its 001 is missing: it exited, or its output was transferred. The
// table of resources of an attempt that failed early is that of the attempt before.
bool JobLife::ran(LogNote const& end) const {
  using enum EventKind;
  if (end.kind == NoteKind::terminated || end.kind == NoteKind::requeued) return true;
  // A newer starter sends files home after a failed input as well.
  if (input_failed(end.reason, end.code)) return false;
  return std::ranges::any_of(pending_, [](Pending const& pending) {
    return history::is_one_of(pending.event.kind,
                              {transfer_output_queued, transfer_output_started, checkpointed});
  });
}

// Its execution is from the end of its input, or for the time in the table of resources, or else as
// long as the slot was claimed.
void JobLife::begin_execution_of_exit(LogNote const& end) {
  if (attempt_.executing || pending_.empty() || !ran(end)) return;
  using enum EventKind;
  auto const begin = std::find_if(pending_.rbegin(), pending_.rend(), [](Pending const& pending) {
    return history::is_one_of(pending.event.kind, {transfer_input_finished, transfer_input_started,
                                                   transfer_input_queued, matched});
  });
  if (begin == pending_.rend()) return;
  Pending execution = *begin;
  execution.event.kind = executing;
  bool const at_end = begin == pending_.rbegin();
  if (at_end && end.executed_ms > 0) {
    execution.at_ms = std::max(execution.at_ms, latest_ms_ - end.executed_ms);
  }
  if (at_end && execution.at_ms == latest_ms_) return;
  pending_.insert(begin.base(), execution);
  attempt_.executing = attempt_.without_start = true;
}

// The shadow may come to log an end long after the program's, which is no computing. An execution
// without its 001 has the same clock at both ends, so that seconds count.
void JobLife::end_execution_in_time(LogNote const& end) {
  std::int64_t const usual_ms = attempt_.without_start ? 0 : 300'000;
  std::int64_t const ended_ms = latest_ms_ - end.late_ms;
  bool const late = end.late_ms > usual_ms && ended_ms > put_ms_;
  if (!late || !attempt_.executing || attempt_.output != Output::none) return;
  std::int64_t const now = std::exchange(latest_ms_, ended_ms);
  put(EventKind::transfer_output_started);
  latest_ms_ = now;
}

void JobLife::end_attempt(EventKind kind, LogNote const& note, Status status) {
  begin_as_busy(note);
  begin_execution_of_exit(note);
  end_execution_in_time(note);
  put(kind, &note);
  pending_.back().event.gpus = gpus_at_end(note);
  if (pending_.back().event.reason == Reason::unknown && attempt_.hint != Reason::none) {
    pending_.back().event.reason = attempt_.hint;
  }
  status_ = status;
  ended_by_ = note.kind;
  end_reason_hash_ = note.reason_hash;
  end_open_ = true;
}

// The additions of the table of resources. A shadow that took over a running job writes one without
// the GPUs.
std::uint16_t JobLife::gpus_at_end(LogNote const& end) {
  if (attempt_.gpus_known || (end.without_gpus && had_gpus_)) return 0;
  had_gpus_ = had_gpus_ || (end.gpus > 0 && !end.without_gpus);
  return end.gpus;
}

void JobLife::settle_end(LifeContext& context) {
  if (!end_open_) return;
  end_open_ = false;
  context.execution_points.saw(attempt_.place.slot, attempt_.place.site);
  Pending const end = pending_.back();
  pending_.pop_back();
  settle_output_at_end(end);
  if (input_failed(end.event.reason, end.event.code) && !attempt_.executing) {
    drop_last(EventKind::transfer_input_finished);
  }
  pending_.push_back(end);
}

// True if the last output transfer brought home the result, or a checkpoint of a job that went on.
// One that checkpoints can be evicted in the very second of a checkpoint.
void JobLife::settle_output_at_end(Pending const& end) {
  if (attempt_.output != Output::finished) return;
  if (output_failed(end.event.reason, end.event.code)) {
    return drop_last(EventKind::transfer_output_finished);
  }
  bool const exited =
      end.event.kind == EventKind::terminated || end.event.kind == EventKind::requeued;
  std::int64_t const gap = second_of(end.at_ms) - second_of(attempt_.output_finished_ms);
  if (exited) return;
  if (gap > at_eviction_s || checkpoints_) return output_was_checkpoint();
  auto const output = last_pending(EventKind::transfer_output_finished);
  if (output != pending_.end()) output->perhaps_checkpoint = undecided_ = true;
}

// Nothing shows the later events: a result is followed by 005 at once.
void JobLife::settle_output_of_open(std::int64_t record_ends_ms) {
  if (attempt_.output != Output::finished) return;
  std::int64_t const gap = second_of(record_ends_ms) - second_of(attempt_.output_finished_ms);
  if (checkpoints_ || gap > until_end_s) output_was_checkpoint();
}

std::vector<JobLife::Pending>::iterator JobLife::last_pending(EventKind kind) {
  auto const found = std::find_if(pending_.rbegin(), pending_.rend(), [kind](auto const& pending) {
    return pending.event.kind == kind;
  });
  return found == pending_.rend() ? pending_.end() : std::prev(found.base());
}

void JobLife::drop_last(EventKind kind) {
  auto const last = last_pending(kind);
  if (last != pending_.end()) pending_.erase(last);
}

}  // namespace gridcast::condor
