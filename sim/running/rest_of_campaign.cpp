#include "sim/running/rest_of_campaign.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

using history::AfterHold;
using history::EventKind;
using history::RecordedAttempt;
using history::RecordedEnd;

// Streams of a future that belong to no job.
enum Entity : std::uint32_t { of_laws = 0xffff0000U, of_starts, of_factors, of_slots };
constexpr std::uint32_t first_attempt = 16;  // attempts of a job, after the streams of other uses

constexpr double factor_sd = 0.75;
constexpr double rescue_index = 1, removal_index = 0.4;
constexpr Seconds shortest_stay = minutes(1);    // logs have whole seconds
constexpr Seconds shortest_patience = hours(2);  // people look at their jobs now and then

bool ends_job(RecordedAttempt const& attempt) {
  return attempt.exits() || attempt.ended_by == EventKind::aborted;
}

Seconds before_execution(RecordedAttempt const& attempt) {
  return attempt.lead + attempt.transfer + attempt.setup;
}

Seconds execution(RecordedAttempt const& attempt) { return attempt.execution + attempt.teardown; }

/// The laws of one future.
struct FutureLaws {
  StepLaw before_execution, last, repeated, wait, hold;
  EndingOdds ending;
  double factor;          // of all that is to come
  Seconds stay = {};      // so far, of the job that has been there for longest
  Seconds patience = {};  // after now
  bool rescued = true;    // the jobs that are there for longer succeed
  bool releases = true;   // somebody releases held jobs
};

FutureLaws future_laws(CampaignLaws const& laws, Seconds stay, RandomStreams const& streams) {
  std::uint32_t number = 0;
  auto const next = [&] { return streams.stream(Purpose::bootstrap, of_laws, number++); };
  FutureLaws future{laws.before_execution.redrawn(next()),
                    laws.last.redrawn(next()),
                    laws.repeated.redrawn(next()),
                    laws.wait.redrawn(next()),
                    laws.hold.redrawn(next()),
                    laws.ending.draw(next()),
                    1};
  RandomStream stream = streams.stream(Purpose::bootstrap, of_factors);
  future.factor = std::exp(factor_sd * normal_quantile(stream.uniform()));
  future.stay = stay;
  auto const lomax = [&](Seconds scale, double index) {
    return scale * (std::pow(stream.uniform(), -1 / index) - 1);
  };
  Seconds const rescue = lomax(std::max(stay, shortest_stay), rescue_index);
  Seconds const removal = lomax(std::max(stay, shortest_patience), removal_index);
  future.patience = std::min(rescue, removal);
  future.rescued = rescue < removal;
  future.releases = laws.hold.any_ended() || stream.chance(0.5);
  return future;
}

/// Follows one job from now to its end.
class JobWalk {
 public:
  JobWalk(RunningCampaign const& campaign, CampaignLaws const& evidence, FutureLaws const& laws,
          FutureOptions const& options, RandomStreams const& streams, std::size_t job)
      : campaign_(campaign),
        evidence_(evidence),
        laws_(laws),
        options_(options),
        streams_(streams),
        number_(static_cast<std::uint32_t>(job)),
        job_(campaign.jobs[job]),
        stand_(job_.stand),
        age_(std::max(Seconds(), campaign.now - job_.since)),
        at_(campaign.now),
        stuck_after_(campaign.now + laws.stay),
        given_up_(campaign.now + std::min(laws.patience, options.horizon)),
        until_(std::max(stuck_after_, given_up_)),
        repeats_(job_.repeats),
        saved_(job_.saved) {
    rest_.at = job_.since;
    next_attempt();
  }

  /// `start`: after now, of a job that has never had a slot.
  JobRest walk(Seconds start = {}) {
    if (stand_ == Stand::fresh) first_start(start);
    constexpr int most_steps = 400;
    for (int step = 0; step < most_steps && !done_ && at_ < until_; ++step) go_on();
    if (!done_ && at_ < until_) skip_repeats();
    bool const stuck = !done_ || rest_.at > stuck_after_;
    if (stuck && (!done_ || rest_.at > given_up_)) end_at_last();
    return rest_;
  }

 private:
  void next_attempt() {
    stream_ = streams_.stream(Purpose::bootstrap, number_, first_attempt + attempt_++);
  }

  void first_start(Seconds after) {
    begin_attempt(after);
    stuck_after_ += after;
    given_up_ += after;
    until_ += after;
  }

  JobRest over(RecordedEnd end) {
    rest_.end = end;
    done_ = true;
    return rest_;
  }

  /// Somebody ends the trouble. A held job may stay held; its last event is the hold.
  void end_at_last() {
    bool const held = stand_ == Stand::held;
    if (held && !(laws_.rescued && laws_.releases)) {
      over(RecordedEnd::held);
      return;
    }
    double const used = (given_up_ - campaign_.now) / std::max(at_ - campaign_.now, Seconds(1));
    rest_.slot_time = rest_.slot_time * std::min(1.0, used);
    rest_.gpu_seconds *= std::min(1.0, used);
    rest_.at = given_up_;
    over(laws_.rescued ? RecordedEnd::succeeded : RecordedEnd::removed);
  }

  void go_on() {
    switch (stand_) {
      case Stand::starting:
        return start();
      case Stand::executing:
        return execute();
      case Stand::idle:
        return wait();
      case Stand::held:
        return hold();
      case Stand::fresh:
      case Stand::over:
        done_ = true;
    }
  }

  /// The rest of a step passes: all of it, or what is beyond its present age.
  Seconds pass(Seconds length) {
    Seconds const rest = (length - age_) * laws_.factor;
    at_ += rest;
    age_ = Seconds();
    return rest;
  }

  void occupy(Seconds time) {
    rest_.slot_time += time;
    rest_.gpu_seconds += time.value() * job_.gpus;
  }

  RecordedAttempt const& attempt(std::uint32_t of) const {
    AttemptRef const& ref = evidence_.attempts[of];
    return campaign_.record.jobs[ref.job].attempts[ref.attempt];
  }

  void begin_attempt(Seconds after) {
    at_ += after;
    next_attempt();
    stand_ = Stand::starting;
    age_ = Seconds();
  }

  void start() {
    auto const drawn = laws_.before_execution.draw(age_, stream_);
    occupy(pass(drawn.length));
    rest_.at = at_;
    if (drawn.of && !attempt(*drawn.of).executed) return leave_slot(attempt(*drawn.of));
    stand_ = Stand::executing;
  }

  void execute() {
    double const chance = laws_.ending.mean(repeats_);
    bool const is_last = !stream_.chance(evidence_.repeats.of(saved_ + age_, 1 - chance));
    auto const drawn = is_last ? last_execution() : repeated_execution();
    auto const limit = options_.longest_execution;
    if (limit && drawn.length > *limit) {
      occupy(pass(std::max(*limit, age_)));
      return repeat();
    }
    occupy(pass(drawn.length));
    rest_.at = at_;
    if (!is_last) ++repeats_;
    if (!is_last && drawn.of) saved_ += saved_by(attempt(*drawn.of));
    if (!is_last && drawn.of) return leave_slot(attempt(*drawn.of));
    if (!is_last) return repeat();
    bool const useful = !drawn.of || attempt(*drawn.of).useful;
    bool const removed = drawn.of && attempt(*drawn.of).ended_by == EventKind::aborted;
    over(removed ? RecordedEnd::removed
                 : (useful ? RecordedEnd::succeeded : RecordedEnd::wrong_output));
  }

  /// It continues from the last checkpoint.
  StepLaw::Drawn last_execution() {
    auto drawn = laws_.last.draw(saved_ + age_, stream_);
    drawn.length -= saved_;
    return drawn;
  }

  /// Without a recorded repetition, executions are cut short at a uniform point.
  StepLaw::Drawn repeated_execution() {
    if (laws_.repeated.any_ended()) return laws_.repeated.draw(age_, stream_);
    Seconds const length = laws_.last.draw(age_, stream_).length;
    return {age_ + (length - age_) * stream_.uniform(), std::nullopt};
  }

  void repeat() {
    rest_.at = at_;
    stand_ = Stand::idle;
    age_ = Seconds();
  }

  /// The attempt, or the wait, ended as the recorded one did.
  void leave_slot(RecordedAttempt const& as) {
    repeat();
    if (as.ended_by == EventKind::held) stand_ = Stand::held;
    if (as.ended_by == EventKind::aborted) over(RecordedEnd::removed);
  }

  void wait() {
    auto const drawn = laws_.wait.draw(age_, stream_);
    pass(drawn.length);
    if (drawn.of && attempt(*drawn.of).in_queue) return leave_slot(attempt(*drawn.of));
    begin_attempt(Seconds());
  }

  void hold() {
    auto const drawn = laws_.hold.draw(age_, stream_);
    at_ += drawn.length - age_;
    if (!laws_.releases) at_ = until_;
    if (at_ >= until_) return;
    rest_.at = at_;
    bool const removed = drawn.of && attempt(*drawn.of).after_hold == AfterHold::removed;
    if (removed) {
      over(RecordedEnd::removed);
    } else {
      repeat();
    }
  }

  /// A job that repeats its execution hundreds of times goes on at the pace that it had so far.
  void skip_repeats() {
    double const chance = laws_.ending.draw(repeats_, stream_);
    double const more = std::floor(std::log(stream_.uniform()) / std::log1p(-chance));
    Seconds const so_far = at_ - campaign_.now;
    double const times = more / std::max(1.0, count(attempt_));
    at_ += so_far * times;
    occupy(rest_.slot_time * times);
    auto const drawn = laws_.last.draw(Seconds(), stream_);
    occupy(pass(drawn.length));
    rest_.at = at_;
    over(RecordedEnd::succeeded);
  }

  RunningCampaign const& campaign_;
  CampaignLaws const& evidence_;
  FutureLaws const& laws_;
  FutureOptions const& options_;
  RandomStreams const& streams_;
  std::uint32_t number_;
  RunningJob const& job_;
  Stand stand_;
  Seconds age_, at_, stuck_after_, given_up_, until_;
  std::size_t repeats_;
  Seconds saved_;
  std::uint32_t attempt_ = 0;
  RandomStream stream_ = RandomStream(0, Purpose::bootstrap, 0, 0);
  JobRest rest_;
  bool done_ = false;
};

/// Since the submission of the oldest job that is there.
Seconds longest_stay(RunningCampaign const& campaign) {
  Seconds stay;
  for (std::size_t i = 0; i < campaign.jobs.size(); ++i) {
    if (campaign.jobs[i].stand == Stand::over) continue;
    stay = std::max(stay, campaign.now - campaign.record.jobs[i].submitted);
  }
  return stay;
}

/// Jobs that wait for their first slot, in the order in which they were submitted.
std::vector<std::size_t> fresh_jobs(RunningCampaign const& campaign) {
  std::vector<std::size_t> fresh;
  for (std::size_t i = 0; i < campaign.jobs.size(); ++i) {
    if (campaign.jobs[i].stand == Stand::fresh) fresh.push_back(i);
  }
  std::stable_sort(fresh.begin(), fresh.end(), [&](std::size_t a, std::size_t b) {
    return campaign.jobs[a].since < campaign.jobs[b].since;
  });
  return fresh;
}

/// The steps of a record, by the law that they are evidence of.
struct Evidence {
  std::vector<SeenStep> before, last, repeated, wait, hold;
  std::vector<AttemptRef> attempts;
  std::vector<JobRepeats> repeats;
  std::vector<FirstWait> waits;
};

/// `saved`: by the executions before.
void add_attempt(Evidence& evidence, RecordedAttempt const& attempt, Seconds saved, double weight,
                 std::uint32_t of) {
  bool const over = !attempt.open || attempt.executed;
  evidence.before.push_back({before_execution(attempt), over, weight, of});
  if (!attempt.executed || attempt.open) return;
  if (ends_job(attempt)) {
    evidence.last.push_back({saved + execution(attempt), true, weight, of});
  } else {
    evidence.repeated.push_back({execution(attempt), true, weight, of});
  }
}

void add_hold(Evidence& evidence, RecordedAttempt const& attempt, RunningJob const& job,
              Seconds now, std::uint32_t of) {
  if (attempt.ended_by != EventKind::held) return;
  bool const stays = attempt.after_hold == AfterHold::stays;
  evidence.hold.push_back({stays ? now - job.since : attempt.held_for, !stays, 1, of});
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

Evidence evidence_of(RunningCampaign const& campaign, std::string const& without) {
  Evidence evidence;
  Newer const newer(campaign);
  for (std::size_t j = 0; j < campaign.jobs.size(); ++j) {
    RunningJob const& job = campaign.jobs[j];
    auto const& recorded = campaign.record.jobs[j];
    std::size_t repeats = 0;
    Seconds saved;
    for (std::size_t i = 0; i < recorded.attempts.size(); ++i) {
      RecordedAttempt const& attempt = recorded.attempts[i];
      auto const of = static_cast<std::uint32_t>(evidence.attempts.size());
      evidence.attempts.push_back({static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i)});
      double const weight = newer.weight(campaign.places[j][i].end);
      if (i > 0) evidence.wait.push_back({attempt.wait, true, weight, of});
      add_hold(evidence, attempt, job, campaign.now, of);
      if (attempt.in_queue) continue;
      bool const is_evidence = without.empty() || campaign.places[j][i].host != without;
      if (is_evidence) add_attempt(evidence, attempt, saved, weight, of);
      if (!attempt.executed || attempt.open || ends_job(attempt)) continue;
      saved += saved_by(attempt);
      if (is_evidence) ++repeats;
    }
    if (job.stand == Stand::idle) evidence.wait.push_back({campaign.now - job.since, false});
    bool const over = job.stand == Stand::over;
    evidence.repeats.push_back({repeats, over, over ? newer.weight(job.since) : 1});
    bool const waits = job.stand == Stand::fresh;
    evidence.waits.push_back({recorded.submitted, recorded.submitted + recorded.first_wait, waits});
  }
  return evidence;
}

ShareOfRepeats share_of_repeats(Evidence const& evidence, RunningCampaign const& campaign,
                                EndingOdds const& odds) {
  std::vector<ShareOfRepeats::Execution> executions;
  double const chance = 1 - odds.mean(0);
  for (SeenStep const& step : evidence.last) executions.push_back({step.length, 0});
  for (SeenStep const& step : evidence.repeated) executions.push_back({step.length, 1});
  for (RunningJob const& job : campaign.jobs) {
    if (job.stand != Stand::executing) continue;
    executions.push_back({job.saved + campaign.now - job.since, 1 - odds.mean(job.repeats)});
  }
  return ShareOfRepeats(std::move(executions), chance);
}

/// Executions that continue are evidence of both laws, by the probability that they are the last.
void add_running(Evidence& evidence, RunningCampaign const& campaign, EndingOdds const& odds,
                 ShareOfRepeats const& repeats) {
  for (RunningJob const& job : campaign.jobs) {
    if (job.stand != Stand::executing) continue;
    Seconds const age = campaign.now - job.since;
    double const share = repeats.of(job.saved + age, 1 - odds.mean(job.repeats));
    evidence.last.push_back({job.saved + age, false, 1 - share});
    evidence.repeated.push_back({age, false, share});
  }
}

}  // namespace

CampaignLaws campaign_laws(RunningCampaign const& campaign, std::string const& without) {
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
          std::move(evidence.attempts)};
}

std::vector<JobRest> rest_of_campaign(RunningCampaign const& campaign, CampaignLaws const& laws,
                                      FutureOptions const& options, RandomStreams const& streams) {
  FutureLaws const future = future_laws(laws, longest_stay(campaign), streams);
  auto const walk = [&](std::size_t job) {
    return JobWalk(campaign, laws, future, options, streams, job);
  };
  std::vector<JobRest> rest(campaign.jobs.size());
  std::vector<Seconds> ends;
  for (std::size_t job = 0; job < rest.size(); ++job) {
    RunningJob const& state = campaign.jobs[job];
    if (state.stand == Stand::over) rest[job] = {state.end, state.since};
    if (state.stand == Stand::over || state.stand == Stand::fresh) continue;
    rest[job] = walk(job).walk();
    ends.push_back(rest[job].at - campaign.now);
  }
  auto const fresh = fresh_jobs(campaign);
  if (laws.slots.full()) {
    SlotQueue slots(laws.slots, std::move(ends), streams.stream(Purpose::bootstrap, of_slots));
    for (std::size_t const job : fresh) {
      rest[job] = walk(job).walk(slots.next_start());
      slots.give_back(rest[job].at - campaign.now);
    }
    return rest;
  }
  auto const starts = laws.starts.draw(fresh.size(), streams.stream(Purpose::bootstrap, of_starts));
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    rest[fresh[i]] = walk(fresh[i]).walk(starts[i] * future.factor);
  }
  return rest;
}

}  // namespace gridcast::running
