#include "sim/report/attempts.hpp"

namespace gridcast::report {
namespace {

std::optional<Seconds> between(std::optional<Seconds> from, std::optional<Seconds> to) {
  if (!from || !to) return std::nullopt;
  return *to - *from;
}

/// What an attempt's end cuts short ends with it.
void close(Attempt& attempt, history::JobEvent const& event) {
  attempt.ended = event.at;
  attempt.end = event.kind;
  attempt.reason = event.reason;
  attempt.useful = event.useful;
  if (attempt.transfer_started && !attempt.transfer_ended) attempt.transfer_ended = event.at;
  if (attempt.execute_started && !attempt.execute_ended) attempt.execute_ended = event.at;
  if (attempt.output_started && !attempt.output_ended) attempt.output_ended = event.at;
}

void follow(Attempt& attempt, history::JobEvent const& event) {
  switch (event.kind) {
    case history::EventKind::transfer_input_started:
      attempt.transfer_started = event.at;
      break;
    case history::EventKind::transfer_input_finished:
      attempt.transfer_ended = event.at;
      break;
    case history::EventKind::executing:
      attempt.execute_started = event.at;
      break;
    case history::EventKind::transfer_output_started:
      attempt.execute_ended = event.at;
      attempt.output_started = event.at;
      break;
    case history::EventKind::transfer_output_finished:
      attempt.output_ended = event.at;
      break;
    default:
      if (history::ends_attempt(event.kind)) close(attempt, event);
      break;
  }
}

}  // namespace

std::optional<Seconds> Attempt::transfer() const {
  return between(transfer_started, transfer_ended);
}

std::optional<Seconds> Attempt::execution() const {
  return between(execute_started, execute_ended);
}

void AttemptFollower::add(history::JobEvent const& event) {
  bool const begins = event.kind == history::EventKind::matched;
  if (!begins && !jobs_.find(event.job)) return;
  JobAttempts& job = jobs_[event.job];
  if (begins) {
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
    follow(followed.attempt, event);
    followed.over = followed.attempt.ended.has_value();
    if (followed.over) job.open.reset();
  }
  hand_on();
}

void AttemptFollower::forget(Id<history::Job> job) {
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

std::vector<Attempt> attempts_of(history::JobHistory const& history) {
  std::vector<Attempt> attempts;
  AttemptFollower follower([&](Attempt const& attempt) { attempts.push_back(attempt); });
  for (auto const& event : history.events) follower.add(event);
  follower.finish();
  return attempts;
}

}  // namespace gridcast::report
