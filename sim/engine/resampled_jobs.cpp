#include "sim/engine/resampled_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/engine/completed_jobs.hpp"
#include "sim/engine/unseen_events.hpp"

namespace gridcast::engine {
namespace {

using history::EventKind;
using history::RecordedAttempt;
using history::RecordedJob;

std::vector<double> weights_of(std::vector<RecordedJob> const& jobs, CampaignFactors const& factors,
                               RandomStream stream) {
  std::vector<double> weights;
  weights.reserve(jobs.size());
  for (RecordedJob const& job : jobs) {
    double const odds = factors.odds.at(static_cast<std::size_t>(job.end()));
    weights.push_back(stream.bootstrap_weight() * odds);
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
