#include "sim/engine/other_rules.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/classad/expression.hpp"
#include "sim/engine/longer_limits.hpp"

namespace gridcast::engine {
namespace {

using history::EventKind;
using history::RecordedAttempt;
using history::RecordedJob;
using scenario::JobPolicy;

/// A job whose program exited with a code, and nothing else.
class ExitScope final : public classad::Scope {
 public:
  explicit ExitScope(int code) : code_(code) {}

  classad::Value lookup(std::string_view attribute) const override {
    if (same_ignoring_case(attribute, "ExitCode")) return classad::Value(std::int64_t{code_});
    if (same_ignoring_case(attribute, "ExitBySignal")) return classad::Value(false);
    return {};
  }

 private:
  int code_;
};

bool holds_exit(classad::Expression const& rule, int code) {
  ExitScope const my(code);
  return classad::holds(classad::evaluate(rule, {my, nullptr, 0}));
}

/// A code that the rule holds: one that the record shows, if it can be. 1 if the rule asks for more
/// than codes.
int code_held_by(classad::Expression const& rule, history::RecordedJobs const& recorded) {
  constexpr int most = 255;
  for (RecordedJob const& job : recorded.jobs) {
    for (RecordedAttempt const& attempt : job.attempts) {
      if (attempt.exit_code > 0 && holds_exit(rule, attempt.exit_code)) return attempt.exit_code;
    }
  }
  for (int code = 1; code <= most; ++code) {
    if (holds_exit(rule, code)) return code;
  }
  return 1;
}

bool by_rule(RecordedAttempt const& attempt, EventKind how) {
  return attempt.ended_by == how && attempt.reason == history::Reason::policy;
}

bool is_exit_hold(RecordedAttempt const& attempt, JobPolicy const& recorded) {
  bool const ended = attempt.executed && (attempt.stores || !recorded.periodic_hold);
  return !attempt.in_queue && by_rule(attempt, EventKind::held) && ended;
}

/// They have an exit code, and count as failed.
void mark_exits(history::RecordedJobs& jobs, JobPolicy const& recorded) {
  if (!recorded.on_exit_hold) return;
  int const code = code_held_by(*recorded.on_exit_hold, jobs);
  for (RecordedJob& job : jobs.jobs) {
    for (RecordedAttempt& attempt : job.attempts) {
      if (!is_exit_hold(attempt, recorded)) continue;
      attempt.useful = false;
      attempt.exit_code = code;
    }
  }
}

/// Without the acts of a periodic rule of the record: holds or removals.
history::RecordedJobs without_rule(history::RecordedJobs jobs, EventKind how,
                                   RandomStreams const& streams) {
  for (RecordedJob& job : jobs.jobs) {
    std::erase_if(job.attempts, [how](RecordedAttempt const& attempt) {
      return attempt.in_queue && by_rule(attempt, how);
    });
  }
  auto const cut_short = [how](RecordedAttempt const& attempt) {
    return attempt.executed && attempt.useful && by_rule(attempt, how);
  };
  return continued_beyond(std::move(jobs), cut_short, std::nullopt, streams);
}

}  // namespace

bool same_exit_rules(JobPolicy const& a, JobPolicy const& b) {
  return a.max_retries == b.max_retries && a.retry_until == b.retry_until &&
         a.success_exit_code == b.success_exit_code && a.on_exit_hold == b.on_exit_hold &&
         a.on_exit_remove == b.on_exit_remove;
}

history::RecordedJobs under_other_rules(history::RecordedJobs jobs, JobPolicy const& recorded,
                                        JobPolicy const& now, RandomStreams const& streams) {
  bool const same = same_exit_rules(recorded, now) && recorded.periodic_hold == now.periodic_hold &&
                    recorded.periodic_release == now.periodic_release &&
                    recorded.periodic_remove == now.periodic_remove;
  if (same) return jobs;
  mark_exits(jobs, recorded);
  if (recorded.periodic_hold && recorded.periodic_hold != now.periodic_hold)
    jobs = without_rule(std::move(jobs), EventKind::held, streams);
  if (recorded.periodic_remove && recorded.periodic_remove != now.periodic_remove)
    jobs = without_rule(std::move(jobs), EventKind::aborted, streams);
  return jobs;
}

}  // namespace gridcast::engine
