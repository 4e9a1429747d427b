#include "sim/engine/completed_jobs.hpp"

#include <algorithm>

namespace gridcast::engine {
namespace {

using history::RecordedAttempt;
using history::RecordedEnd;
using history::RecordedJob;

std::size_t attempts_of(RecordedJob const* job) { return job->attempts.size(); }

void append_from(RecordedJob& job, RecordedJob const& donor, std::size_t attempt) {
  auto const first = donor.attempts.begin() + static_cast<std::ptrdiff_t>(attempt);
  job.attempts.insert(job.attempts.end(), first, donor.attempts.end());
}

}  // namespace

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
    std::stable_sort(donors->begin(), donors->end(),
                     [](Donor const& a, Donor const& b) { return a.length < b.length; });
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
  auto const first =
      std::lower_bound(donors.begin(), donors.end(), elapsed,
                       [](Donor const& donor, Seconds length) { return donor.length < length; });
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

}  // namespace gridcast::engine
