#include "sim/engine/unseen_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gridcast::engine {
namespace {

using history::AfterHold;
using history::EventKind;
using history::RecordedAttempt;
using history::RecordedJob;

bool any_attempt(history::RecordedJobs const& recorded, auto const& holds) {
  for (RecordedJob const& job : recorded.jobs) {
    if (std::any_of(job.attempts.begin(), job.attempts.end(), holds)) return true;
  }
  return false;
}

bool any_job_ends(history::RecordedJobs const& recorded, history::RecordedEnd end) {
  return std::any_of(recorded.jobs.begin(), recorded.jobs.end(),
                     [end](RecordedJob const& job) { return job.end() == end; });
}

bool ended_by(history::RecordedJobs const& recorded, EventKind kind) {
  return any_attempt(recorded,
                     [kind](RecordedAttempt const& attempt) { return attempt.ended_by == kind; });
}

/// The attempt, ended during its execution at the share `part` of it.
RecordedAttempt cut_at(RecordedAttempt attempt, double part, EventKind kind,
                       history::Reason reason) {
  attempt.execution = attempt.execution * part;
  attempt.teardown = Seconds();
  attempt.stores = false;
  attempt.during.clear();
  attempt.ended_by = kind;
  attempt.reason = reason;
  return attempt;
}

/// Lets a job succeed only after this attempt.
void insert_before_last(RecordedJob& job, RecordedAttempt const& attempt) {
  RecordedAttempt& last = job.attempts.back();
  RecordedAttempt first = attempt;
  first.wait = last.wait;
  last.wait = Seconds();
  job.attempts.insert(job.attempts.end() - 1, first);
}

class Inserter {
 public:
  Inserter(UnseenLaw const& law, RandomStream stream, history::RecordedJobs& next)
      : law_(law), stream_(stream), next_(next) {}

  /// `change` is called for each job that the kind meets, with a uniform random number.
  void add(double share, bool seen, auto const& change) {
    bool const occurs = stream_.chance(share);
    double const size = stream_.uniform();
    if (seen || !occurs) return;
    double const most = std::max(1.0, law_.most_jobs * static_cast<double>(next_.jobs.size()));
    auto const jobs = static_cast<std::size_t>(std::ceil(std::pow(most, size)));
    for (std::size_t i = 0; i < jobs; ++i) {
      if (RecordedJob* const job = any_success()) change(*job, stream_.uniform());
    }
  }

 private:
  /// Null if a few tries find none.
  RecordedJob* any_success() {
    constexpr int tries = 20;
    for (int i = 0; i < tries; ++i) {
      RecordedJob& job = next_.jobs[stream_.below(static_cast<std::uint32_t>(next_.jobs.size()))];
      if (job.succeeded() && job.attempts.back().executed) return &job;
    }
    return nullptr;
  }

  UnseenLaw const& law_;
  RandomStream stream_;
  history::RecordedJobs& next_;
};

}  // namespace

void add_unseen_events(history::RecordedJobs const& recorded, UnseenLaw const& law,
                       RandomStream stream, history::RecordedJobs& next) {
  using history::Reason;
  using history::RecordedEnd;
  Inserter inserter(law, stream, next);
  inserter.add(law.wrong_output, any_job_ends(recorded, RecordedEnd::wrong_output),
               [](RecordedJob& job, double) {
                 job.attempts.back().useful = false;
                 job.attempts.back().reason = Reason::exit_code;
               });
  bool const holds = ended_by(recorded, EventKind::held);
  inserter.add(law.held, any_job_ends(recorded, RecordedEnd::held), [](RecordedJob& job, double u) {
    job.attempts.back() = cut_at(job.attempts.back(), u, EventKind::held, Reason::unknown);
  });
  inserter.add(
      law.removed, any_job_ends(recorded, RecordedEnd::removed), [](RecordedJob& job, double u) {
        job.attempts.back() = cut_at(job.attempts.back(), u, EventKind::aborted, Reason::manual);
      });
  inserter.add(law.holds, holds, [](RecordedJob& job, double u) {
    auto held = cut_at(job.attempts.back(), u, EventKind::held, Reason::unknown);
    held.after_hold = AfterHold::released;
    held.held_for = job.attempts.back().execution;
    insert_before_last(job, held);
  });
  inserter.add(law.evictions, ended_by(recorded, EventKind::evicted),
               [](RecordedJob& job, double u) {
                 insert_before_last(
                     job, cut_at(job.attempts.back(), u, EventKind::evicted, Reason::vacated));
               });
  inserter.add(law.lost_contacts, ended_by(recorded, EventKind::reconnect_failed),
               [](RecordedJob& job, double u) {
                 insert_before_last(job, cut_at(job.attempts.back(), u, EventKind::reconnect_failed,
                                                Reason::lost_contact));
               });
}

}  // namespace gridcast::engine
