// How attempts end, which the log tells in pieces.
#include <algorithm>

#include "sim/condor/job_life.hpp"
#include "sim/condor/log_reason.hpp"

namespace gridcast::condor {
namespace {

// Stamps of one second can be one apart for what happened at once.
constexpr std::int64_t at_once_ms = 1000;

}  // namespace

// Whether a hold or a removal is that of the eviction before: at once, or in the same words, or
// announced by the eviction's code, which is then below 1000.
bool JobLife::same_loss(LogNote const& note) const {
  Pending const& end = pending_.back();
  if (latest_ms_ - end.at_ms <= at_once_ms) return true;
  return (end.event.code > 0 && end.event.code == note.code && end.event.code < 1000) ||
         (end_words_ != 0 && end_words_ == note.words);
}

// The shadow of an evicted job can say that it executes after it has said that it is evicted.
bool JobLife::execution_told_late(LogNote const& note) {
  if (note.kind != NoteKind::executing || attempt_.executing || !attempt_.input_finished) {
    return false;
  }
  if (latest_ms_ - pending_.back().at_ms > unremarkable_ms) return false;
  learn_place(note);
  attempt_.executing = true;
  Pending executing = pending_.back();
  executing.event = {};
  executing.event.job = job_;
  executing.event.kind = history::EventKind::executing;
  pending_.insert(pending_.end() - 1, executing);
  return true;
}

// What was logged of an end can be the first half of what is to be known of it. False if the note
// is of what came after.
bool JobLife::amend_end(LogNote const& note) {
  if (note.kind == NoteKind::hint || note.kind == NoteKind::alive) {
    learn_place(note);
    return true;
  }
  if (execution_told_late(note)) return true;
  Pending& end = pending_.back();
  bool const eviction = note.kind == NoteKind::evicted || note.kind == NoteKind::requeued;
  bool const by_shadow = ended_by_ == NoteKind::evicted || ended_by_ == NoteKind::requeued ||
                         ended_by_ == NoteKind::shadow_exception;
  if (by_shadow && (note.kind == NoteKind::held || note.kind == NoteKind::aborted) &&
      same_loss(note)) {
    learn_place(note);
    bool const held = note.kind == NoteKind::held;
    history::Reason const first = end.event.reason;
    note.tell(end.event);
    if (note.reason == history::Reason::unknown) end.event.reason = first;
    end.event.kind = held ? history::EventKind::held : history::EventKind::aborted;
    status_ = held ? Status::held : Status::ended;
    ended_by_ = note.kind;
    return true;
  }
  if (eviction &&
      (ended_by_ == NoteKind::shadow_exception || ended_by_ == NoteKind::reconnect_failed)) {
    learn_place(note);
    if (end.event.reason == history::Reason::unknown) end.event.reason = note.reason;
    end.at_ms = latest_ms_;
    end_words_ = note.words;
    ended_by_ = NoteKind::hint;  // one 004 belongs to it, not two
    return true;
  }
  return eviction && (ended_by_ == NoteKind::held || ended_by_ == NoteKind::aborted) &&
         latest_ms_ - end.at_ms <= at_once_ms;
}

void JobLife::end_attempt(history::EventKind kind, LogNote const& note, Status status) {
  put(kind, &note);
  if (pending_.back().event.reason == history::Reason::unknown &&
      attempt_.hint != history::Reason::none) {
    pending_.back().event.reason = attempt_.hint;
  }
  status_ = status;
  ended_by_ = note.kind;
  end_words_ = note.words;
  end_open_ = true;
}

void JobLife::settle_end(LifeContext& context) {
  if (!end_open_) return;
  end_open_ = false;
  context.startds.saw(attempt_.place.slot, attempt_.place.site);
  Pending const end = pending_.back();
  pending_.pop_back();
  settle_output_at_end(end);
  if (input_failed(end.event.reason, end.event.code) && !attempt_.executing) {
    drop_last(history::EventKind::transfer_input_finished);
  }
  pending_.push_back(end);
}

// Whether the last output transfer brought home the result, or a checkpoint of a job that went on.
// One that checkpoints can be evicted in the very second of a checkpoint.
void JobLife::settle_output_at_end(Pending const& end) {
  if (attempt_.output != Output::finished) return;
  if (output_failed(end.event.reason, end.event.code)) {
    return drop_last(history::EventKind::transfer_output_finished);
  }
  bool const exited = end.event.kind == history::EventKind::terminated ||
                      end.event.kind == history::EventKind::requeued;
  bool const later = second_of(end.at_ms) > second_of(attempt_.output_finished_ms);
  if (!exited && (later || checkpoints_)) output_was_checkpoint();
}

void JobLife::drop_last(history::EventKind kind) {
  auto const found = std::find_if(pending_.rbegin(), pending_.rend(), [kind](auto const& pending) {
    return pending.event.kind == kind;
  });
  if (found != pending_.rend()) pending_.erase(std::next(found).base());
}

}  // namespace gridcast::condor
