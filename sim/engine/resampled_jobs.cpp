#include "sim/engine/resampled_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/engine/campaign_variation.hpp"
#include "sim/engine/completed_jobs.hpp"
#include "sim/history/recorded_jobs.hpp"

namespace gridcast::engine {
namespace {

using history::AfterHold;
using history::EventKind;
using history::RecordedAttempt;
using history::RecordedJob;

// Kinds of events that a record does not show. A campaign can have its first eviction, hold or lost
// contact, often in several jobs at once. Each such kind occurs in a share of the campaigns; the
// number of its jobs is log-uniform from one to a share of all jobs (UnseenLaw).

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

/// Changes jobs of `next` that succeed. Each event comes at a random point of the last attempt.
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

using history::EventKind;
using history::RecordedAttempt;
using history::RecordedJob;

constexpr int bootstrap_shape = 4;

std::vector<double> weights_of(std::vector<RecordedJob> const& jobs, CampaignFactors const& factors,
                               RandomStream stream) {
  std::vector<double> weights;
  weights.reserve(jobs.size());
  for (RecordedJob const& job : jobs) {
    double const odds = factors.odds.at(static_cast<std::size_t>(job.end()));
    double weight = 0;
    for (int i = 0; i < bootstrap_shape; ++i) weight -= std::log(stream.uniform());
    weights.push_back(weight * odds);
  }
  return weights;
}

/// Indices of recorded jobs, `n` of them, in random order.
std::vector<std::size_t> drawn_jobs(std::vector<double> const& weights, std::size_t n,
                                    RandomStream stream) {
  double const all = std::accumulate(weights.begin(), weights.end(), 0.0);
  double const first = stream.uniform();
  std::vector<std::size_t> drawn;
  drawn.reserve(n);
  double below = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    below += weights[i] / all * static_cast<double>(n);
    bool const last = i + 1 == weights.size();
    while (drawn.size() < n && (last || first + static_cast<double>(drawn.size()) < below)) {
      drawn.push_back(i);
    }
  }
  for (std::size_t i = n; i > 1; --i) {
    std::swap(drawn[i - 1], drawn[stream.below(static_cast<std::uint32_t>(i))]);
  }
  return drawn;
}

/// How often an attempt occurs that was not the job's last one.
double occurrences(RecordedAttempt const& attempt, CampaignFactors const& factors) {
  return attempt.ended_by == EventKind::held ? factors.holds : factors.repeats;
}

void scale(RecordedAttempt& attempt, CampaignFactors const& factors) {
  using history::RecordedStep;
  attempt.wait = attempt.wait * factors.waiting;
  attempt.held_for = attempt.held_for * factors.waiting;
  attempt.lead = attempt.lead * factors.transfers;
  attempt.transfer = attempt.transfer * factors.transfers;
  attempt.setup = attempt.setup * factors.transfers;
  attempt.teardown = attempt.teardown * factors.transfers;
  attempt.execution = attempt.execution * factors.computing;
  attempt.computed = attempt.computed * factors.computing;
  for (history::RecordedMoment& moment : attempt.during) {
    bool const computing = moment.step == RecordedStep::execution;
    moment.at = moment.at * (computing ? factors.computing : factors.transfers);
  }
}

RecordedJob repeated(RecordedJob const& job, CampaignFactors const& factors, RandomStream stream) {
  RecordedJob next;
  next.cluster = job.cluster;
  next.first_wait = job.first_wait * factors.waiting;
  for (std::size_t i = 0; i < job.attempts.size(); ++i) {
    RecordedAttempt attempt = job.attempts[i];
    bool const last = i + 1 == job.attempts.size();
    double const often = last ? 1 : std::floor(occurrences(attempt, factors) + stream.uniform());
    scale(attempt, factors);
    next.attempts.insert(next.attempts.end(), static_cast<std::size_t>(often), attempt);
  }
  if (!next.attempts.empty()) {
    RecordedAttempt& first = next.attempts.front();
    first.wait = first.in_queue ? next.first_wait : Seconds();
  }
  return next;
}

}  // namespace

history::RecordedJobs resampled_jobs(history::RecordedJobs const& recorded, std::size_t jobs,
                                     CampaignFactors const& factors, UnseenLaw const& unseen,
                                     RandomStreams const& streams) {
  history::RecordedJobs next;
  next.names = recorded.names;
  next.usual_wait = recorded.usual_wait * factors.waiting;
  auto const weights = weights_of(recorded.jobs, factors, streams.stream(Purpose::bootstrap, 0));
  next.jobs.reserve(jobs);
  Donors const donors(recorded);
  for (std::size_t const i : drawn_jobs(weights, jobs, streams.stream(Purpose::bootstrap, 1))) {
    auto const number = static_cast<std::uint32_t>(next.jobs.size());
    auto const job =
        donors.completed(recorded.jobs[i], streams.stream(Purpose::bootstrap, 5, number));
    next.jobs.push_back(repeated(job, factors, streams.stream(Purpose::bootstrap, 2, number)));
  }
  add_unseen_events(recorded, unseen, streams.stream(Purpose::bootstrap, 3), next);
  return next;
}

}  // namespace gridcast::engine
