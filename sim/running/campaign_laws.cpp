#include "sim/running/campaign_laws.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

constexpr std::size_t blocks = 4, least_in_block = 2;
constexpr double expected_change = 0.9, most_change = 1.5;

/// Of the logarithms of their mean lengths. Logs have whole seconds.
double variance_of_blocks(std::vector<EndedExecution> const& executions) {
  constexpr double least = 1;
  std::array<double, blocks> logs{};
  for (std::size_t block = 0; block < blocks; ++block) {
    std::size_t const begin = block * executions.size() / blocks;
    std::size_t const end = (block + 1) * executions.size() / blocks;
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += executions[i].length.value();
    logs[block] = std::log(std::max(least, sum / count(end - begin)));
  }
  double const middle = mean(logs);
  double squares = 0;
  for (double const log : logs) squares += square(log - middle);
  return squares / (blocks - 1);
}

using history::AfterHold;
using history::EventKind;
using history::RecordedAttempt;
using history::RecordedEnd;
using history::RecordedJob;

constexpr double jobs_of_earlier = 10;  // as evidence, all together

bool ends_job(RecordedAttempt const& attempt) {
  return attempt.exits() || attempt.ended_by == EventKind::aborted;
}

Seconds before_execution(RecordedAttempt const& attempt) {
  return attempt.lead + attempt.transfer + attempt.setup;
}

Seconds execution(RecordedAttempt const& attempt) { return attempt.execution + attempt.teardown; }

/// The steps of a record, by the law that they are evidence of.
struct Evidence {
  std::vector<SeenStep> before, last, repeated, wait, hold;
  std::vector<AttemptRef> attempts;
  std::vector<JobRepeats> repeats;
  std::vector<FirstWait> waits;
};

/// `saved`: by the executions before. `scale`: of its program.
void add_attempt(Evidence& evidence, RecordedAttempt const& attempt, Seconds saved, double scale,
                 double weight, std::uint32_t of) {
  bool const over = !attempt.open || attempt.executed;
  evidence.before.push_back({before_execution(attempt), over, weight, of});
  if (!attempt.executed || attempt.open) return;
  if (ends_job(attempt)) {
    evidence.last.push_back({(saved + execution(attempt)) / scale, true, weight, of});
  } else {
    evidence.repeated.push_back({execution(attempt) / scale, true, weight, of});
  }
}

/// `so_far`: of a hold that continues.
void add_hold(Evidence& evidence, RecordedAttempt const& attempt, Seconds so_far, double weight,
              std::uint32_t of) {
  if (attempt.ended_by != EventKind::held) return;
  bool const stays = attempt.after_hold == AfterHold::stays;
  evidence.hold.push_back({stays ? so_far : attempt.held_for, !stays, weight, of});
}

/// Newer attempts are better evidence: the weight falls from 1 to e^-2 with the share of the
/// attempts that ended later.
class Newer {
 public:
  explicit Newer(RunningCampaign const& campaign) {
    for (auto const& job : campaign.places) {
      for (AttemptPlace const& attempt : job) ends_.push_back(attempt.end);
    }
    std::sort(ends_.begin(), ends_.end());
  }

  double weight(Seconds end) const {
    if (ends_.empty()) return 1;
    auto const later = ends_.end() - std::upper_bound(ends_.begin(), ends_.end(), end);
    return std::exp(-2 * static_cast<double>(later) / count(ends_.size()));
  }

 private:
  std::vector<Seconds> ends_;
};

/// The attempts of a job, as far as `counts(attempt)`. The executions among them that were
/// repeated.
std::size_t add_job(Evidence& evidence, std::size_t number, RecordedJob const& job, double scale,
                    Seconds so_far, auto const& weight, auto const& counts) {
  std::size_t repeats = 0;
  Seconds saved;
  for (std::size_t i = 0; i < job.attempts.size(); ++i) {
    RecordedAttempt const& attempt = job.attempts[i];
    auto const of = static_cast<std::uint32_t>(evidence.attempts.size());
    evidence.attempts.push_back(
        {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(i)});
    if (i > 0) evidence.wait.push_back({attempt.wait, true, weight(i), of});
    add_hold(evidence, attempt, so_far, 1, of);
    if (attempt.in_queue) continue;
    if (counts(i)) add_attempt(evidence, attempt, saved, scale, weight(i), of);
    if (!attempt.executed || attempt.open || ends_job(attempt)) continue;
    saved += saved_by(attempt);
    if (counts(i)) ++repeats;
  }
  return repeats;
}

/// The jobs of the earlier campaign, with the weight of ten. Its odds of repetition always count.
/// The lengths of its steps belong to its own work and trouble, so they stand for those of this
/// campaign only as long as none has ended here.
void add_earlier(Evidence& evidence, RunningCampaign const& campaign) {
  if (campaign.earlier.empty()) return;
  double const weight = std::min(1.0, jobs_of_earlier / count(campaign.earlier.size()));
  Evidence earlier;
  earlier.attempts = std::move(evidence.attempts);
  std::size_t number = campaign.jobs.size();
  for (RecordedJob const& job : campaign.earlier) {
    auto const repeats = add_job(
        earlier, number++, job, 1, Seconds(), [&](std::size_t) { return weight; },
        [](std::size_t) { return true; });
    auto const end = job.end();
    bool const over = end != RecordedEnd::unfinished && end != RecordedEnd::held;
    evidence.repeats.push_back({repeats, over, weight});
  }
  evidence.attempts = std::move(earlier.attempts);
  auto const add = [weight](std::vector<SeenStep> const& from, std::vector<SeenStep>& to) {
    if (std::any_of(to.begin(), to.end(), [](SeenStep const& step) { return step.ended; })) return;
    for (SeenStep step : from) {
      step.weight = weight;
      step.earlier = true;
      to.push_back(step);
    }
  };
  add(earlier.before, evidence.before);
  add(earlier.last, evidence.last);
  add(earlier.repeated, evidence.repeated);
  add(earlier.wait, evidence.wait);
  add(earlier.hold, evidence.hold);
}

Evidence evidence_of(RunningCampaign const& campaign, std::vector<std::string> const& without) {
  Evidence evidence;
  Newer const newer(campaign);
  for (std::size_t j = 0; j < campaign.jobs.size(); ++j) {
    RunningJob const& job = campaign.jobs[j];
    auto const& recorded = campaign.record.jobs[j];
    auto const& places = campaign.places[j];
    auto const repeats = add_job(
        evidence, j, recorded, job.scale, campaign.now - job.since,
        [&](std::size_t i) { return newer.weight(places[i].end); },
        [&](std::size_t i) {
          return std::find(without.begin(), without.end(), places[i].host) == without.end();
        });
    if (job.stand == Stand::idle) evidence.wait.push_back({campaign.now - job.since, false});
    bool const over = job.stand == Stand::over;
    evidence.repeats.push_back({repeats, over, over ? newer.weight(job.since) : 1});
    bool const waits = job.stand == Stand::fresh;
    evidence.waits.push_back({recorded.submitted, recorded.submitted + recorded.first_wait, waits});
  }
  add_earlier(evidence, campaign);
  return evidence;
}

std::vector<EndedExecution> ended_executions(RunningCampaign const& campaign) {
  std::vector<EndedExecution> ended;
  for (std::size_t j = 0; j < campaign.jobs.size(); ++j) {
    auto const& attempts = campaign.record.jobs[j].attempts;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
      if (!attempts[i].executed || attempts[i].open) continue;
      Seconds const scaled = execution(attempts[i]) / campaign.jobs[j].scale;
      ended.push_back({campaign.places[j][i].end, scaled});
    }
  }
  return ended;
}

ShareOfRepeats share_of_repeats(Evidence const& evidence, RunningCampaign const& campaign,
                                EndingOdds const& odds) {
  std::vector<ShareOfRepeats::Execution> executions;
  double const chance = 1 - odds.mean(0);
  auto const add = [&executions](std::vector<SeenStep> const& steps, double repeated) {
    for (SeenStep const& step : steps) {
      executions.push_back({step.length, repeated, step.earlier ? step.weight : 1});
    }
  };
  add(evidence.last, 0);
  add(evidence.repeated, 1);
  for (RunningJob const& job : campaign.jobs) {
    if (job.stand != Stand::executing) continue;
    Seconds const age = (job.saved + campaign.now - job.since) / job.scale;
    executions.push_back({age, 1 - odds.mean(job.repeats)});
  }
  return ShareOfRepeats(std::move(executions), chance);
}

/// Executions that continue are evidence of both laws, by the probability that they are the last.
void add_running(Evidence& evidence, RunningCampaign const& campaign, EndingOdds const& odds,
                 ShareOfRepeats const& repeats) {
  for (RunningJob const& job : campaign.jobs) {
    if (job.stand != Stand::executing) continue;
    Seconds const age = (campaign.now - job.since) / job.scale, saved = job.saved / job.scale;
    double const share = repeats.of(saved + age, 1 - odds.mean(job.repeats));
    evidence.last.push_back({saved + age, false, 1 - share});
    evidence.repeated.push_back({age, false, share});
  }
}

}  // namespace

double pace_change(std::vector<EndedExecution> executions) {
  if (executions.size() < blocks * least_in_block) return expected_change;
  std::sort(executions.begin(), executions.end(),
            [](auto const& a, auto const& b) { return a.end < b.end; });
  constexpr double freedom = blocks - 1;
  double const variance =
      (square(expected_change) + freedom * variance_of_blocks(executions)) / (1 + freedom);
  return std::min(most_change, std::sqrt(variance));
}

CampaignLaws campaign_laws(RunningCampaign const& campaign,
                           std::vector<std::string> const& without) {
  Evidence evidence = evidence_of(campaign, without);
  EndingOddsPosterior ending(evidence.repeats);
  ShareOfRepeats repeats = share_of_repeats(evidence, campaign, ending.middle());
  add_running(evidence, campaign, ending.middle(), repeats);
  return {StepLaw(std::move(evidence.before), minutes(1)),
          StepLaw(std::move(evidence.last)),
          StepLaw(std::move(evidence.repeated)),
          std::move(repeats),
          StepLaw(std::move(evidence.wait), minutes(5)),
          StepLaw(std::move(evidence.hold), days(1)),
          std::move(ending),
          StartLaw(evidence.waits, campaign.now),
          slot_use(campaign),
          pace_change(ended_executions(campaign)),
          std::move(evidence.attempts)};
}

}  // namespace gridcast::running
