#include "sim/history/attempts.hpp"

#include <algorithm>

namespace gridcast::history {
namespace {

/// An attempt's end also ends its open phases.
void close(Attempt& attempt, JobEvent const& event) {
  attempt.ended = event.at;
  attempt.end = event.kind;
  attempt.reason = event.reason;
  attempt.code = event.code;
  attempt.useful = event.useful;
  if (attempt.transfer_started && !attempt.transfer_ended) attempt.transfer_ended = event.at;
  if (attempt.execute_started && !attempt.execute_ended) attempt.execute_ended = event.at;
  if (attempt.output_started && !attempt.output_ended) attempt.output_ended = event.at;
}

// The output transfer was a checkpoint, and the execution continues.
void save_checkpoint(Attempt& attempt, JobEvent const& event) {
  if (attempt.output_started) attempt.checkpoints.push_back({*attempt.output_started, event.at});
  attempt.execute_ended.reset();
  attempt.output_started.reset();
  attempt.output_ended.reset();
}

void follow(Attempt& attempt, JobEvent const& event) {
  using enum EventKind;
  EventKind const kind = event.kind;
  if (kind == transfer_input_started) attempt.transfer_started = event.at;
  if (kind == transfer_input_finished) attempt.transfer_ended = event.at;
  if (kind == executing) attempt.execute_started = event.at;
  if (kind == transfer_output_started) attempt.execute_ended = attempt.output_started = event.at;
  if (kind == transfer_output_finished) attempt.output_ended = event.at;
  if (kind == checkpointed) save_checkpoint(attempt, event);
}

/// The spans of one job.
class JobSpans {
 public:
  JobSpans(Id<Job> job, std::vector<PhaseSpan>& spans) : job_(job), spans_(spans) {}

  void add(AttemptStep const& step) {
    JobEvent const& event = step.event;
    if (!seen_) since_ = event.at;
    seen_ = true;
    spend(event.at);
    if (step.begins != Sign::none) begin_attempt(step.attempt);
    if (step.begins_output()) output_since_ = spans_.size();
    if (step.saves_output()) rename_output();
    if (step.passed == Phase::held && step.now == Phase::waiting) cause_.reset();
    if (ends_attempt(event.kind)) end(step);
    note_place(step);
    doing_ = step.now;
    over_ = ends_job(event.kind);
  }

  /// The record ends.
  void finish(Seconds at) {
    if (!seen_ || over_) return;
    std::size_t const before = spans_.size();
    spend(at);
    if (spans_.size() > before) spans_.back().open = true;
  }

 private:
  void spend(Seconds until) {
    if (!(since_ < until)) return;
    bool const slot = has_slot(doing_);
    spans_.push_back({job_, doing_, since_, until, slot ? site_ : Id<Site>(), slot ? slot_ : 0,
                      slot ? attempt_ : 0, false, slot ? std::nullopt : cause_});
    since_ = until;
  }

  void begin_attempt(std::uint32_t number) {
    attempt_ = number;
    first_span_ = output_since_ = spans_.size();
    site_ = {};
    slot_ = 0;
  }

  void rename_output() {
    for (std::size_t i = output_since_; i < spans_.size(); ++i) {
      if (spans_[i].phase == Phase::output) spans_[i].phase = Phase::checkpoint;
    }
  }

  void end(AttemptStep const& step) {
    cause_ = ending_of(step.event);
    if (!step.ends || spans_.size() <= first_span_) return;
    PhaseSpan& last = spans_.back();
    last.cause = cause_;
    last.succeeded = step.event.kind == EventKind::terminated && step.event.useful;
    bool const stalled = step.event.reason == Reason::transfer_stalled;
    if (stalled && last.phase == Phase::transfer) last.phase = Phase::stalled;
  }

  /// Some records name an attempt's site only in its middle.
  void note_place(AttemptStep const& step) {
    JobEvent const& event = step.event;
    bool const located = has_slot(step.now) || ends_attempt(event.kind);
    if (!located || attempt_ == 0) return;
    if (!site_.valid() && event.site.valid()) {
      site_ = event.site;
      for (std::size_t i = first_span_; i < spans_.size(); ++i) spans_[i].site = site_;
    }
    if (slot_ == 0 && event.slot != 0) {
      slot_ = event.slot;
      for (std::size_t i = first_span_; i < spans_.size(); ++i) spans_[i].slot = slot_;
    }
  }

  Id<Job> job_;
  std::vector<PhaseSpan>& spans_;
  Seconds since_;
  Phase doing_ = Phase::waiting;
  Id<Site> site_;
  std::uint32_t slot_ = 0, attempt_ = 0;
  std::size_t first_span_ = 0, output_since_ = 0;  // of the attempt; of its output transfer
  std::optional<Ending> cause_;
  bool seen_ = false, over_ = false;
};

}  // namespace

std::optional<Seconds> Attempt::execution() const {
  if (!execute_started || !execute_ended) return std::nullopt;
  return *execute_ended - *execute_started;
}

void AttemptFollower::add(AttemptStep const& step) {
  if (step.begun_by != Sign::match) return;
  JobEvent const& event = step.event;
  JobAttempts& job = jobs_[event.job];
  if (step.begins == Sign::match) {
    // A match without an end before it: that attempt was broken off.
    if (job.open) waiting_[*job.open - first_].over = true;
    job.open = first_ + waiting_.size();
    Attempt& attempt = waiting_.emplace_back().attempt;
    attempt.job = event.job;
    attempt.number = ++job.number;
    attempt.site = event.site;
    attempt.slot = event.slot;
    attempt.matched = event.at;
  } else if (job.open) {
    Followed& followed = waiting_[*job.open - first_];
    history::follow(followed.attempt, event);
    followed.over = step.ends;
    if (step.ends) {
      close(followed.attempt, event);
      job.open.reset();
    }
  }
  hand_on();
}

void AttemptFollower::forget(Id<Job> job) {
  JobAttempts const* const attempts = jobs_.find(job);
  if (!attempts) return;
  if (attempts->open) waiting_[*attempts->open - first_].over = true;
  jobs_.forget(job);
  hand_on();
}

void AttemptFollower::hand_on() {
  for (; !waiting_.empty() && waiting_.front().over; ++first_) {
    use_(waiting_.front().attempt);
    waiting_.pop_front();
  }
}

void AttemptFollower::finish() {
  for (Followed const& followed : waiting_) use_(followed.attempt);
  waiting_.clear();
}

std::vector<Attempt> attempts_of(JobHistory const& history) {
  std::vector<Attempt> attempts;
  AttemptFollower follower([&](Attempt const& attempt) { attempts.push_back(attempt); });
  each_step(history.events, [&](AttemptStep const& step) { follower.add(step); });
  follower.finish();
  return attempts;
}

std::vector<PhaseSpan> phases_of(JobHistory const& history) {
  std::vector<PhaseSpan> spans;
  Seconds last{};
  for (JobEvent const& event : history.events) last = std::max(last, event.at);
  AttemptStream stream(AttemptRule::as_recorded);
  auto const events = events_by_job(history);
  for (std::size_t j = 0; j < events.size(); ++j) {
    JobSpans job(Id<Job>(j), spans);
    for (std::uint32_t const index : events[j]) job.add(stream.next(history.events[index]));
    if (history.dated) job.finish(last);
  }
  return spans;
}

std::vector<AttemptSpan> attempt_spans(std::vector<JobEvent> const& events) {
  std::vector<AttemptSpan> spans;
  AttemptStream stream(AttemptRule::any_trace);
  for (std::size_t i = 0; i < events.size(); ++i) {
    JobEvent const& event = events[i];
    AttemptStep const step = stream.next(event);
    if (!step.in_attempt()) continue;
    if (step.begins != Sign::none)
      spans.push_back({.first = i, .last = i, .begin = event.at, .end = event.at});
    AttemptSpan& span = spans.back();
    span.last = i;
    span.end = event.at;
    if (event.site.valid()) span.site = event.site;
    if (event.kind == EventKind::executing) span.executed = true;
    span.open = !step.ends;
  }
  return spans;
}

}  // namespace gridcast::history
