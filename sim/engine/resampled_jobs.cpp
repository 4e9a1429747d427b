#include "sim/engine/resampled_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/statistics.hpp"

namespace gridcast::engine {
namespace {

// Recorded jobs that were still in the queue when the record ended, drawn to their end.
//
// A job that was executing after t seconds continues as a recorded execution that lasted t seconds
// or more, chosen at random, and so does a job in its input transfer. The rest of its history is
// that of the same donor job. A job that was idle continues as a donor that had as many attempts
// before, or with attempts of any jobs if none had. If no recorded step lasted as long, the step
// ends now, as the longest one did.

/// Attempts that end within the record. Refers to the recorded jobs, which outlive it.
class Donors {
 public:
  explicit Donors(history::RecordedJobs const& recorded);

  /// The job, unchanged if the record contains its end or if there is no donor.
  history::RecordedJob completed(history::RecordedJob const& job, RandomStream stream) const;

 private:
  struct Donor {
    Seconds length;  // of the step
    history::RecordedJob const* job;
    std::size_t attempt;
  };

  Donor const* longer_than(std::vector<Donor> const& donors, Seconds elapsed,
                           RandomStream& stream) const;
  void continue_step(history::RecordedJob& job, RandomStream& stream) const;
  void continue_idle(history::RecordedJob& job, RandomStream& stream) const;
  void continue_alone(history::RecordedJob& job, RandomStream& stream) const;

  std::vector<Donor> executions_, transfers_;      // by length, ascending
  std::vector<history::RecordedJob const*> jobs_;  // that ended, by number of attempts, ascending
};

using history::RecordedAttempt;
using history::RecordedEnd;
using history::RecordedJob;

std::size_t attempts_of(RecordedJob const* job) { return job->attempts.size(); }

void append_from(RecordedJob& job, RecordedJob const& donor, std::size_t attempt) {
  auto const first = donor.attempts.begin() + static_cast<std::ptrdiff_t>(attempt);
  job.attempts.insert(job.attempts.end(), first, donor.attempts.end());
}

Donors::Donors(history::RecordedJobs const& recorded) {
  for (RecordedJob const& job : recorded.jobs) {
    for (std::size_t i = 0; i < job.attempts.size(); ++i) {
      RecordedAttempt const& attempt = job.attempts[i];
      if (attempt.open || attempt.in_queue) continue;
      if (attempt.executed) executions_.push_back({attempt.execution, &job, i});
      if (attempt.fetches) transfers_.push_back({attempt.transfer, &job, i});
    }
    if (job.end() != RecordedEnd::unfinished) jobs_.push_back(&job);
  }
  for (auto* donors : {&executions_, &transfers_}) {
    std::ranges::stable_sort(*donors, {}, &Donor::length);
  }
  std::stable_sort(jobs_.begin(), jobs_.end(),
                   [](auto const* a, auto const* b) { return attempts_of(a) < attempts_of(b); });
}

RecordedJob Donors::completed(RecordedJob const& job, RandomStream stream) const {
  RecordedJob complete = job;
  if (job.end() != RecordedEnd::unfinished) return complete;
  bool const in_slot = !job.attempts.empty() && job.attempts.back().open;
  if (in_slot) {
    continue_step(complete, stream);
  } else {
    continue_idle(complete, stream);
  }
  return complete;
}

Donors::Donor const* Donors::longer_than(std::vector<Donor> const& donors, Seconds elapsed,
                                         RandomStream& stream) const {
  if (donors.empty()) return nullptr;
  auto const first = std::ranges::lower_bound(donors, elapsed, {}, &Donor::length);
  auto const longer = static_cast<std::uint32_t>(donors.end() - first);
  return longer == 0 ? &donors.back() : &*(first + stream.below(longer));
}

void Donors::continue_step(RecordedJob& job, RandomStream& stream) const {
  RecordedAttempt const cut = job.attempts.back();
  bool const executes = cut.executed;
  Seconds const elapsed = executes ? cut.execution : cut.transfer;
  Donor const* const donor = longer_than(executes ? executions_ : transfers_, elapsed, stream);
  if (!donor) return;
  RecordedAttempt& attempt = job.attempts.back();
  attempt = donor->job->attempts[donor->attempt];
  attempt.site = cut.site;
  attempt.gpus = cut.gpus;
  attempt.wait = cut.wait;
  attempt.lead = cut.lead;
  if (executes) {
    attempt.transfer = cut.transfer;
    attempt.setup = cut.setup;
    attempt.execution = std::max(attempt.execution, elapsed);
  } else {
    attempt.transfer = std::max(attempt.transfer, elapsed);
  }
  append_from(job, *donor->job, donor->attempt + 1);
}

void Donors::continue_idle(RecordedJob& job, RandomStream& stream) const {
  auto const more = std::upper_bound(
      jobs_.begin(), jobs_.end(), job.attempts.size(),
      [](std::size_t attempts, auto const* donor) { return attempts < attempts_of(donor); });
  auto const donors = static_cast<std::uint32_t>(jobs_.end() - more);
  if (donors > 0) return append_from(job, **(more + stream.below(donors)), job.attempts.size());
  continue_alone(job, stream);
}

// No job had as many attempts: one attempt of any job after the other, until one ends the job.
void Donors::continue_alone(RecordedJob& job, RandomStream& stream) const {
  constexpr int most_attempts = 1000;
  if (executions_.empty()) return;
  for (int i = 0; i < most_attempts; ++i) {
    Donor const& donor = executions_[stream.below(static_cast<std::uint32_t>(executions_.size()))];
    job.attempts.push_back(donor.job->attempts[donor.attempt]);
    bool const ends_job = donor.attempt + 1 == attempts_of(donor.job);
    if (ends_job && donor.job->end() != RecordedEnd::unfinished) return;
  }
}

// Kinds of events that a record does not show. A campaign can have its first eviction, hold or lost
// contact, often in several jobs at once. Each such kind occurs in a share of the campaigns; the
// number of its jobs is log-uniform from one to a share of all jobs (UnseenLaw).

using history::AfterHold;
using history::EventKind;

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

/// How often an attempt occurs that was not the job's last one. A rule limits how often a program
/// that failed is requeued, and the odds of each ending vary.
double occurrences(RecordedAttempt const& attempt, CampaignFactors const& factors) {
  if (attempt.fails()) return 1;
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

/// The attempt continues work that earlier ones saved, as if nothing had ended them.
void prepend(RecordedAttempt& attempt, RecordedAttempt const& before) {
  Seconds const saved = before.saved();
  auto moments = before.during;
  std::erase_if(moments, [&](history::RecordedMoment const& moment) {
    return moment.step != history::RecordedStep::execution || moment.at > saved;
  });
  for (history::RecordedMoment& moment : attempt.during) {
    if (moment.step == history::RecordedStep::execution) moment.at += saved;
  }
  auto const first = std::ranges::find(attempt.during, history::RecordedStep::execution,
                                       &history::RecordedMoment::step);
  attempt.during.insert(first, moments.begin(), moments.end());
  attempt.execution += saved;
}

/// The attempt without the work that it saved: it only loses time.
RecordedAttempt without_saved(RecordedAttempt attempt) {
  Seconds const saved = attempt.saved();
  std::erase_if(attempt.during, [&](history::RecordedMoment const& moment) {
    return moment.step == history::RecordedStep::execution && moment.at <= saved;
  });
  for (history::RecordedMoment& moment : attempt.during) {
    if (moment.step == history::RecordedStep::execution) moment.at -= saved;
  }
  attempt.execution -= saved;
  return attempt;
}

/// The job with more or fewer attempts before its last one. The work that attempts save is the
/// job's, so it stays: the next attempt does that of one that does not occur, and only one of
/// several does its own.
RecordedJob repeated(RecordedJob const& job, CampaignFactors const& factors, RandomStream stream) {
  RecordedJob next;
  next.cluster = job.cluster;
  next.first_wait = job.first_wait * factors.waiting;
  std::optional<RecordedAttempt> left_to_do;  // the work that this attempt saved
  for (std::size_t i = 0; i < job.attempts.size(); ++i) {
    RecordedAttempt attempt = job.attempts[i];
    bool const last = i + 1 == job.attempts.size();
    double const often = last ? 1 : std::floor(occurrences(attempt, factors) + stream.uniform());
    scale(attempt, factors);
    if (attempt.executed && left_to_do) prepend(attempt, *std::exchange(left_to_do, std::nullopt));
    bool const saves = !last && attempt.saved() > Seconds();
    if (often < 1 && saves) left_to_do = attempt;
    for (int copy = 0; copy < often; ++copy) {
      next.attempts.push_back(copy > 0 && saves ? without_saved(attempt) : attempt);
    }
  }
  if (!next.attempts.empty()) {
    RecordedAttempt& first = next.attempts.front();
    first.wait = first.in_queue ? next.first_wait : Seconds();
  }
  return next;
}

}  // namespace

double FactorLaw::quantile(double u) const {
  // The mean of a lognormal variable is exp(mean + sd^2 / 2).
  auto const mean_one = [](double x, double sd) {
    return sd > 0 ? normal_cdf(x / sd + sd / 2) : (x < 0 ? 0.0 : 1.0);
  };
  auto const cdf = [&](double x) {
    double const usual = same * mean_one(x, same_sd) + (1 - same) * mean_one(x, changed_sd);
    double const log_uniform = (x / std::log(most_upheaval) + 1) / 2;
    return (1 - upheaval) * usual + upheaval * std::clamp(log_uniform, 0.0, 1.0);
  };
  constexpr double most = 40;  // e^40: beyond any factor
  constexpr int halvings = 60;
  double low = -most, high = most;
  for (int i = 0; i < halvings; ++i) {
    double const middle = (low + high) / 2;
    (cdf(middle) < u ? low : high) = middle;
  }
  // A law with an atom at zero ends within rounding of it.
  constexpr double rounding = 1e-12;
  return std::abs(high) < rounding ? 1 : std::exp(high);
}

double FactorLaw::log_sd() const {
  // ln f of a lognormal law with mean one is normal with the mean -sd^2 / 2.
  auto const square = [](double sd) { return sd * sd + std::pow(sd, 4) / 4; };
  double const usual = 1 - upheaval, changed = 1 - same;
  double const mean = -usual * (same * same_sd * same_sd + changed * changed_sd * changed_sd) / 2;
  double const of_upheavals = std::pow(std::log(most_upheaval), 2) / 3;
  double const mean_square =
      usual * (same * square(same_sd) + changed * square(changed_sd)) + upheaval * of_upheavals;
  return std::sqrt(mean_square - mean * mean);
}

CampaignVariation usual_variation() {
  CampaignVariation variation;
  variation.computing = {0.6, 0.1, 0.7, 0.15};
  variation.transfers = {0.5, 0.25, 0.8, 0.15};
  variation.repeats = {0.35, 0.6, 1.3, 0.15};
  variation.holds = {0.35, 0.6, 1.3, 0.15};
  variation.waiting = {0.35, 0.3, 1.3, 0.15};
  variation.odds = {0.5, 0.5, 2, 0.15};
  variation.unseen = {.wrong_output = 0.02,
                      .held = 0.02,
                      .removed = 0.02,
                      .holds = 0.02,
                      .evictions = 0.04,
                      .lost_contacts = 0.05,
                      .most_jobs = 0.02};
  return variation;
}

CampaignFactors campaign_factors(CampaignVariation const& variation, std::uint64_t seed,
                                 std::uint32_t replica) {
  EvenPoint point(RandomStreams(seed, 0).stream(Purpose::bootstrap, 4), replica);
  CampaignFactors factors;
  factors.computing = variation.computing.quantile(point.next());
  factors.transfers = variation.transfers.quantile(point.next());
  factors.repeats = variation.repeats.quantile(point.next());
  factors.holds = variation.holds.quantile(point.next());
  factors.waiting = variation.waiting.quantile(point.next());
  for (double& odds : factors.odds) odds = variation.odds.quantile(point.next());
  // Success is the most frequent ending, and its odds scale those of all others. They keep the
  // median one.
  factors.odds[static_cast<std::size_t>(history::RecordedEnd::succeeded)] /=
      variation.odds.quantile(0.5);
  return factors;
}

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
