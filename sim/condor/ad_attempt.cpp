#include "sim/condor/ad_attempt.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "sim/condor/ad_facts.hpp"
#include "sim/condor/log_reason.hpp"

namespace gridcast::condor {
namespace {

constexpr int first_vacate_code = 1000;  // below are hold codes
constexpr int reconnect_failed_code = 1008;

bool is_status(JobAdFacts const& job, JobStatus status) {
  return job.job_status == static_cast<int>(status);
}

std::int16_t narrow(int code) {
  return static_cast<std::int16_t>(std::clamp<int>(code, std::numeric_limits<std::int16_t>::min(),
                                                   std::numeric_limits<std::int16_t>::max()));
}

void tell_exit(history::JobEvent& event, std::optional<int> code, std::optional<int> signal) {
  if (signal) event.exit_code = narrow(-*signal);
  if (code) event.exit_code = narrow(*code);
}

history::JobEvent vacated(AttemptAdFacts const& attempt) {
  history::JobEvent event;
  int const code = attempt.vacate_code.value_or(0);
  event.code = narrow(code);
  event.subcode = attempt.vacate_subcode.value_or(0);
  event.reason = vacate_reason(code, event.subcode, attempt.vacate_reason);
  event.kind = history::EventKind::evicted;
  if (code > 0 && code < first_vacate_code) event.kind = history::EventKind::held;
  if (code == reconnect_failed_code) event.kind = history::EventKind::reconnect_failed;
  return event;
}

// The program ended and nothing took the job from its slot: it is done or will be tried again.
history::JobEvent exited(JobAdFacts const& job, AttemptAdFacts const& attempt, bool done) {
  history::JobEvent event;
  event.kind = done ? history::EventKind::terminated : history::EventKind::requeued;
  tell_exit(event, attempt.exit_code, attempt.exit_signal);
  if (done) tell_exit(event, job.exit_code, job.exit_signal);
  event.useful = event.exit_code == 0;
  if (event.exit_code != 0) {
    event.reason =
        event.exit_code < 0 ? history::Reason::killed_by_signal : history::Reason::exit_code;
  }
  return event;
}

history::JobEvent end_of(JobAdFacts const& job, AttemptAdFacts const& attempt, bool last) {
  if (attempt.vacate_code.value_or(0) != 0) return vacated(attempt);
  bool const completed = last && !job.from_epoch && is_status(job, JobStatus::completed);
  bool const exit_told = attempt.exit_code || attempt.exit_signal;
  // Without the job's own ad, an exit with 0 is what completes a job.
  bool const seems_completed = last && job.from_epoch && attempt.exit_code == 0;
  if (completed || seems_completed) return exited(job, attempt, true);
  if (last && !job.from_epoch && is_status(job, JobStatus::removed)) {
    history::JobEvent event;
    event.kind = history::EventKind::aborted;
    event.reason = decision_reason(job.remove_reason);
    return event;
  }
  if (last && !job.from_epoch && is_status(job, JobStatus::held)) {
    AttemptAdFacts held;
    held.vacate_code = job.hold_reason_code;
    held.vacate_subcode = job.hold_reason_subcode;
    held.vacate_reason = job.hold_reason;
    history::JobEvent event = vacated(held);
    event.kind = history::EventKind::held;
    return event;
  }
  if (exit_told && attempt.executing) return exited(job, attempt, false);
  return vacated(attempt);
}

AttemptAdFacts last_attempt(JobAdFacts const& job) {
  AttemptAdFacts attempt;
  attempt.number = job.num_shadow_starts.value_or(0);
  attempt.start = job.job_current_start_date;
  attempt.host = job.last_remote_host;
  if (!job.sites.empty()) attempt.site = job.sites.front();
  if (is_status(job, JobStatus::completed)) attempt.end = job.completion_date;
  if (is_status(job, JobStatus::running)) return attempt;
  if (!attempt.end && attempt.start) {
    // Idle, held or removed since: it ended when its time was up, if that is told.
    if (job.last_remote_wall_clock_time) {
      attempt.end =
          *attempt.start + static_cast<std::int64_t>(job.last_remote_wall_clock_time->value());
    } else {
      attempt.end = job.entered_current_status;
    }
  }
  return attempt;
}

}  // namespace

std::vector<AttemptAdFacts> attempts_of(JobAd const& job) {
  std::vector<AttemptAdFacts> attempts;
  for (AttemptAdFacts const& attempt : job.attempts) {
    if (attempt.start) attempts.push_back(attempt);
  }
  AttemptAdFacts const last = last_attempt(job.facts);
  bool const known = std::any_of(attempts.begin(), attempts.end(), [&](auto const& attempt) {
    return (last.number != 0 && attempt.number == last.number) ||
           (last.number == 0 && attempt.start == last.start);
  });
  if (!job.facts.from_epoch && last.start && !known) attempts.push_back(last);
  std::stable_sort(attempts.begin(), attempts.end(), [](auto const& a, auto const& b) {
    return std::tie(*a.start, a.number) < std::tie(*b.start, b.number);
  });
  // A shadow that took over from another keeps its start: one attempt, with the later one's end.
  std::vector<AttemptAdFacts> once;
  for (AttemptAdFacts& attempt : attempts) {
    bool const took_over = attempt.shadow_start && *attempt.shadow_start > *attempt.start;
    if (!once.empty() && once.back().start == attempt.start && took_over) {
      once.back() = std::move(attempt);
    } else {
      once.push_back(std::move(attempt));
    }
  }
  return once;
}

std::vector<AdEvent> events_of_attempt(JobAdFacts const& job, AttemptAdFacts const& attempt,
                                       bool last) {
  std::vector<AdEvent> events;
  std::int64_t at = attempt.start.value_or(0);
  auto add = [&](history::EventKind kind, UnixDate const& date) {
    if (!date) return;
    at = std::max(at, *date);
    events.push_back({at, {}});
    events.back().event.kind = kind;
  };
  add(history::EventKind::matched, attempt.start);
  add(history::EventKind::transfer_input_queued, attempt.input_queued);
  add(history::EventKind::transfer_input_started, attempt.input_started);
  if (attempt.input_started && attempt.executing) {
    add(history::EventKind::transfer_input_finished,
        attempt.input_finished ? attempt.input_finished : attempt.executing);
  }
  add(history::EventKind::executing, attempt.executing);
  history::JobEvent end = end_of(job, attempt, last);
  bool const exited =
      end.kind == history::EventKind::terminated || end.kind == history::EventKind::requeued;
  if (attempt.executing && exited) {
    add(history::EventKind::transfer_output_started, attempt.output_started);
    add(history::EventKind::transfer_output_finished, attempt.output_finished);
  }
  if (end.kind == history::EventKind::reconnect_failed)
    add(history::EventKind::disconnected, attempt.disconnected);
  if (attempt.end) events.push_back({std::max(at, *attempt.end), end});
  return events;
}

}  // namespace gridcast::condor
