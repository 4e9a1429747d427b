#include "sim/running/rest_of_campaign.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

// The order in which jobs that have never had a slot become ready to start.
//
// Jobs that are in the queue are ready now, in the order in which they were submitted. The jobs of
// a DAG's node that is not submitted yet are ready when all jobs of its parents have succeeded. If
// one of those does not succeed, they are never ready.
class StartOrder {
 public:
  explicit StartOrder(RunningCampaign const& campaign)
      : campaign_(campaign), nodes_(campaign.nodes.size()) {
    if (!nodes_.empty()) node_of_.resize(campaign.jobs.size());
    std::vector<bool> comes_later(campaign.jobs.size(), false);
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      CampaignNode const& node = campaign.nodes[n];
      nodes_[n].parents_left = node.parents.size();
      nodes_[n].jobs_left = node.jobs.size();
      for (std::size_t const parent : node.parents) nodes_[parent].children.push_back(n);
      for (std::size_t const job : node.jobs) {
        node_of_[job] = n;
        comes_later[job] = !node.submitted;
      }
    }
    for (std::size_t job = 0; job < campaign.jobs.size(); ++job) {
      if (campaign.jobs[job].stand == Stand::fresh && !comes_later[job]) push(job, Seconds());
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].parents_left == 0) make_ready(n);
    }
  }

  /// The job is over, at this time after now.
  void over(std::size_t job, Seconds at, bool succeeded) {
    if (node_of_.empty() || !node_of_[job]) return;
    Node& node = nodes_[*node_of_[job]];
    node.failed = node.failed || !succeeded;
    node.end = std::max(node.end, at);
    if (--node.jobs_left > 0 || node.failed) return;
    for (std::size_t const child : node.children) {
      nodes_[child].ready = std::max(nodes_[child].ready, node.end);
      if (--nodes_[child].parents_left == 0) make_ready(child);
    }
  }

  struct Ready {
    Seconds at;     // after now
    Seconds since;  // of RunningJob, for jobs that are ready at the same time
    std::size_t job = 0;

    bool operator>(Ready const& other) const;
  };
  /// The next job. None: no other job becomes ready before another one is over.
  std::optional<Ready> next() {
    if (ready_.empty()) return std::nullopt;
    Ready const first = ready_.top();
    ready_.pop();
    return first;
  }

 private:
  struct Node {
    std::size_t parents_left = 0, jobs_left = 0;
    bool failed = false;
    Seconds ready, end;
    std::vector<std::size_t> children = {};
  };
  void make_ready(std::size_t node) {
    if (campaign_.nodes[node].submitted) return;
    for (std::size_t const job : campaign_.nodes[node].jobs) push(job, nodes_[node].ready);
  }

  void push(std::size_t job, Seconds at) { ready_.push({at, campaign_.jobs[job].since, job}); }

  RunningCampaign const& campaign_;
  std::vector<Node> nodes_;
  std::vector<std::optional<std::size_t>> node_of_;  // by job; empty without nodes
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready_;
};

bool StartOrder::Ready::operator>(Ready const& other) const {
  return std::tie(at, since, job) > std::tie(other.at, other.since, other.job);
}

// Streams of a future that belong to no job.
enum Entity : std::uint32_t { of_laws = 0xffff0000U, of_starts, of_slots };
constexpr std::uint32_t first_attempt = 16;  // attempts of a job, after the streams of other uses

constexpr double rescue_index = 1, removal_index = 0.4;
constexpr Seconds shortest_stay = minutes(1);    // logs have whole seconds
constexpr Seconds shortest_patience = hours(2);  // people look at their jobs now and then

/// The laws of one future.
struct FutureLaws {
  StepLaw before_execution, last, repeated, wait, hold;
  EndingOdds ending;
  double factor;                              // of all that is to come
  Seconds stay = {};                          // so far, of the job that was or is there for longest
  Seconds patience = {};                      // after now
  bool rescued = true;                        // the jobs that are there for longer succeed
  bool releases = true;                       // somebody releases held jobs
  std::optional<StepLaw> interruptions = {};  // CampaignLaws
};

FutureLaws future_laws(CampaignLaws const& laws, Seconds stay, SharedDraws const& shared,
                       RandomStreams const& streams) {
  std::uint32_t number = 0;
  auto const next = [&] { return streams.stream(Purpose::bootstrap, of_laws, number++); };
  FutureLaws future{laws.before_execution.redrawn(next()),
                    laws.last.redrawn(next()),
                    laws.repeated.redrawn(next()),
                    laws.wait.redrawn(next()),
                    laws.hold.redrawn(next()),
                    laws.ending.draw(next()),
                    1};
  future.factor = std::exp(laws.pace_change * normal_quantile(shared.factor));
  future.stay = stay;
  auto const lomax = [](double u, Seconds scale, double index) {
    return scale * (std::pow(u, -1 / index) - 1);
  };
  Seconds const rescue = lomax(shared.rescue, std::max(stay, shortest_stay), rescue_index);
  Seconds const removal = lomax(shared.removal, std::max(stay, shortest_patience), removal_index);
  future.patience = std::min(rescue, removal);
  future.rescued = rescue < removal;
  future.releases = laws.hold.any_ended() || shared.release < 0.5;
  if (laws.interruptions) future.interruptions = laws.interruptions->redrawn(next());
  return future;
}

/// Follows one job from now to its end.
class JobWalk {
 public:
  JobWalk(RunningCampaign const& campaign, CampaignLaws const& evidence, FutureLaws const& laws,
          FutureOptions const& options, RandomStreams const& streams, RunningJob const& job,
          std::size_t number)
      : campaign_(campaign),
        evidence_(evidence),
        laws_(laws),
        options_(options),
        streams_(streams),
        number_(static_cast<std::uint32_t>(number)),
        job_(job),
        stand_(job_.stand),
        age_(std::max(Seconds(), campaign.now - job_.since)),
        begin_(campaign.now),
        at_(campaign.now),
        stuck_after_(campaign.now + laws.stay),
        given_up_(campaign.now + std::min(laws.patience, options.horizon)),
        until_(std::max(stuck_after_, given_up_)),
        repeats_(job_.repeats),
        failures_(job_.failures),
        retries_(job_.retries),
        program_retries_(options.rules.retries),
        saved_(job_.saved) {
    rest_.at = job_.since;
    next_attempt();
  }

  /// `start`: after now, of a job that has never had a slot.
  JobRest walk(Seconds start = {}) {
    for (Seconds* time : {&begin_, &at_, &stuck_after_, &given_up_, &until_}) *time += start;
    if (stand_ == Stand::fresh) begin_attempt();
    constexpr int most_steps = 400;
    for (int step = 0; step < most_steps && !done_ && at_ < until_; ++step) go_on();
    if (!done_ && at_ < until_) skip_repeats();
    if (done_ && !troubled_) return rest_;
    bool const stuck = !done_ || rest_.at > stuck_after_;
    if (stuck && (!done_ || rest_.at > given_up_)) end_at_last();
    return rest_;
  }

 private:
  void next_attempt() {
    stream_ = streams_.stream(Purpose::bootstrap, number_, first_attempt + attempt_++);
  }

  void over(RecordedEnd end) {
    rest_.end = end;
    done_ = true;
  }

  /// Somebody ends the trouble. A held job may stay held; its last event is the hold.
  void end_at_last() {
    bool const held = stand_ == Stand::held;
    if (held && !(laws_.rescued && laws_.releases)) {
      over(RecordedEnd::held);
      return;
    }
    double const used = (given_up_ - begin_) / std::max(at_ - begin_, Seconds(1));
    rest_.slot_time = rest_.slot_time * std::min(1.0, used);
    rest_.gpu_seconds *= std::min(1.0, used);
    rest_.at = given_up_;
    over(laws_.rescued && !limited_ ? RecordedEnd::succeeded : RecordedEnd::removed);
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
    auto const& own = campaign_.record.jobs;
    auto const& job = ref.job < own.size() ? own[ref.job] : campaign_.earlier[ref.job - own.size()];
    return job.attempts[ref.attempt];
  }

  void begin_attempt() {
    next_attempt();
    stand_ = Stand::starting;
    age_ = Seconds();
  }

  void start() {
    auto const drawn = laws_.before_execution.draw(age_, stream_);
    if (reaches(options_.rules.longest_start, drawn.length)) return;
    occupy(pass(drawn.length));
    rest_.at = at_;
    if (drawn.of && !attempt(*drawn.of).executed) return leave_slot(attempt(*drawn.of));
    stand_ = Stand::executing;
  }

  void execute() {
    bool const was_out = job_.stand == Stand::held || job_.stand == Stand::idle;
    bool const limited = evidence_.limits_hold_again && is_limit(job_.last);
    if (was_out && limited) return stay_held();
    auto const [drawn, is_last] =
        laws_.interruptions ? work_or_interruption() : execution_by_odds();
    if (reaches(options_.rules.longest_execution, drawn.length)) return;
    occupy(pass(drawn.length));
    rest_.at = at_;
    troubled_ = troubled_ || !is_last || !drawn.usual;
    if (!is_last) ++repeats_;
    if (!is_last && drawn.of) saved_ += attempt(*drawn.of).saved() * scale_over(*drawn.of);
    if (!is_last && drawn.of && fails_at_limit(attempt(*drawn.of))) return fail();
    if (!is_last && drawn.of) return leave_slot(attempt(*drawn.of));
    if (!is_last) return repeat();
    bool const useful = !drawn.of || attempt(*drawn.of).useful;
    bool const removed = drawn.of && attempt(*drawn.of).ended_by == EventKind::aborted;
    if (!removed && !useful) return fail();
    if (retries_ > 0 && removed) return start_over(retries_);
    over(removed ? RecordedEnd::removed : RecordedEnd::succeeded);
  }

  /// A program that failed is started again as often as the record shows.
  bool fails_at_limit(RecordedAttempt const& execution) {
    if (!evidence_.retries || !execution.fails()) return false;
    return ++failures_ > *evidence_.retries;
  }

  void fail() {
    if (program_retries_ > 0) return start_over(program_retries_);
    if (retries_ == 0) return over(RecordedEnd::wrong_output);
    failures_ = 0;
    start_over(retries_);
  }

  struct DrawnExecution {
    StepLaw::Drawn drawn;
    bool is_last;
  };

  DrawnExecution execution_by_odds() {
    double const chance = laws_.ending.mean(repeats_);
    Seconds const done = (saved_ + age_) / job_.scale;
    bool const is_last = !stream_.chance(evidence_.repeats.of(done, 1 - chance));
    return {is_last ? last_execution() : repeated_execution(), is_last};
  }

  /// A program that saves its work has less and less of it: the rest, or an interruption, comes
  /// first.
  DrawnExecution work_or_interruption() {
    if (!work_) work_ = execution(laws_.last, saved_ + age_);
    StepLaw::Drawn rest = *work_;
    rest.length = std::max(rest.length - saved_, age_);
    auto const cut = execution(*laws_.interruptions, age_);
    bool const is_last = !cut.of || rest.length <= cut.length;
    return {is_last ? rest : cut, is_last};
  }

  /// Of the job's program.
  StepLaw::Drawn execution(StepLaw const& law, Seconds age) {
    auto drawn = law.draw(age / job_.scale, stream_);
    drawn.length = drawn.length * job_.scale;
    return drawn;
  }

  /// The job's scale over that of the job of an attempt.
  double scale_over(std::uint32_t of) const {
    std::size_t const other = evidence_.attempts[of].job;
    return other < campaign_.jobs.size() ? job_.scale / campaign_.jobs[other].scale : 1;
  }

  /// It continues from the last checkpoint.
  StepLaw::Drawn last_execution() {
    auto drawn = execution(laws_.last, saved_ + age_);
    drawn.length -= saved_;
    return drawn;
  }

  /// Without a recorded repetition, executions are cut short at a uniform point.
  StepLaw::Drawn repeated_execution() {
    if (laws_.repeated.any_ended()) return execution(laws_.repeated, age_);
    Seconds const length = execution(laws_.last, age_).length;
    return {age_ + (length - age_) * stream_.uniform(), std::nullopt};
  }

  /// True if the rule ends the step, which is then repeated.
  bool reaches(std::optional<Seconds> const& limit, Seconds length) {
    limited_ = limit && age_ + (length - age_) * laws_.factor > *limit;
    if (!limited_) return false;
    Seconds const rest = std::max(Seconds(), *limit - age_);
    at_ += rest;
    occupy(rest);
    repeat();
    return true;
  }

  void repeat() {
    troubled_ = true;
    rest_.at = at_;
    stand_ = Stand::idle;
    age_ = Seconds();
  }

  /// It meets the limit that held it, until somebody ends the trouble.
  void stay_held() {
    troubled_ = true;
    stand_ = Stand::held;
    at_ = until_;
  }

  /// The program runs again, or DAGMan submits the node's job again.
  void start_over(int& retries) {
    --retries;
    repeats_ = 0;
    saved_ = Seconds();
    work_.reset();
    repeat();
  }

  /// The attempt, or the wait, ended as the recorded one did.
  void leave_slot(RecordedAttempt const& as) {
    repeat();
    if (as.ended_by == EventKind::held) stand_ = Stand::held;
    if (as.ended_by == EventKind::aborted) over(RecordedEnd::removed);
  }

  void wait() {
    troubled_ = true;
    auto const drawn = laws_.wait.draw(age_, stream_);
    pass(drawn.length);
    if (drawn.of && attempt(*drawn.of).in_queue) return leave_slot(attempt(*drawn.of));
    begin_attempt();
  }

  void hold() {
    troubled_ = true;
    auto const drawn = laws_.hold.draw(age_, stream_);
    auto const limit = options_.rules.longest_hold;
    bool const by_rule = limit && (!laws_.releases || drawn.endless || drawn.length > *limit);
    if (drawn.endless && !by_rule) return over(RecordedEnd::held);
    at_ += by_rule ? std::max(Seconds(), *limit - age_) : drawn.length - age_;
    if (!laws_.releases && !by_rule) at_ = until_;
    if (at_ >= until_) return;
    rest_.at = at_;
    bool const removed =
        !by_rule && drawn.of && attempt(*drawn.of).after_hold == AfterHold::removed;
    if (removed) return over(RecordedEnd::removed);
    if (held_again()) return stay_held();
    repeat();
  }

  /// A job that was held n times in the queue, without a start between, starts after its next
  /// release with a chance of 1 / (n + 2) (Laplace's rule of succession for none of n).
  bool held_again() {
    double const holds = count(job_.holds_in_queue);
    return holds > 0 && job_.stand == Stand::held && !stream_.chance(1 / (holds + 2));
  }

  /// A job that repeats its execution hundreds of times goes on at the pace that it had so far.
  void skip_repeats() {
    if (limited_) return;
    double const chance = laws_.ending.draw(repeats_, stream_);
    double const more = std::floor(std::log(stream_.uniform()) / std::log1p(-chance));
    Seconds const so_far = at_ - campaign_.now;
    double const times = more / std::max(1.0, count(attempt_));
    at_ += so_far * times;
    occupy(rest_.slot_time * times);
    auto const drawn = execution(laws_.last, Seconds());
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
  Seconds age_, begin_, at_, stuck_after_, given_up_, until_;
  std::size_t repeats_;
  std::size_t failures_;  // of its program
  int retries_;           // of its node
  int program_retries_;   // max_retries
  Seconds saved_;
  std::optional<StepLaw::Drawn> work_;  // all of it, of a program that saves its work
  std::uint32_t attempt_ = 0;
  RandomStream stream_ = RandomStream(0, Purpose::bootstrap, 0, 0);
  JobRest rest_;
  bool done_ = false;
  bool troubled_ = false;  // it waited, was held or repeated a step, or its execution is unusual
  bool limited_ = false;   // a rule ended the last step
};

/// Since the submission of the oldest job that is there. A DAG's node that has just been submitted
/// is no trouble as long as it takes no longer than the nodes before it.
Seconds longest_stay(RunningCampaign const& campaign) {
  Seconds stay;
  for (std::size_t i = 0; i < campaign.jobs.size(); ++i) {
    RunningJob const& job = campaign.jobs[i];
    if (job.stand == Stand::over && !campaign.of_dag) continue;
    Seconds const until = job.stand == Stand::over ? job.since : campaign.now;
    stay = std::max(stay, until - campaign.record.jobs[i].submitted);
  }
  return stay;
}

/// The first starts of one future, one after the other.
class FirstStarts {
 public:
  /// `ends`: of the jobs that have slots now, after now.
  FirstStarts(CampaignLaws const& laws, std::vector<Seconds> ends, std::size_t jobs, double factor,
              RandomStreams const& streams) {
    if (laws.slots.full()) {
      slots_.emplace(laws.slots, std::move(ends), streams.stream(Purpose::bootstrap, of_slots));
      return;
    }
    times_ = laws.starts.draw(jobs, streams.stream(Purpose::bootstrap, of_starts));
    for (Seconds& time : times_) time = time * factor;
  }

  /// The start of a job that is ready at this time after now, not earlier than earlier jobs.
  Seconds next(Seconds ready) {
    if (slots_) return std::max(slots_->next_start(), ready);
    Seconds const before = number_ > 0 ? times_[number_ - 1] : Seconds();
    if (ready > before + pause_) pause_ = ready - before;
    return times_[number_++] + pause_;
  }
  void give_back(Seconds at) {
    if (slots_) slots_->give_back(at);
  }

 private:
  std::optional<SlotQueue> slots_;
  std::vector<Seconds> times_;
  std::size_t number_ = 0;
  Seconds pause_;  // in all, in which no job was ready
};

/// After now; nothing for a job that has left the queue by then.
std::optional<Seconds> copy_start(RunningCampaign const& campaign, Rules const& rules,
                                  std::size_t job, JobRest const& rest) {
  if (!rules.second_copy_after) return std::nullopt;
  Seconds const due = campaign.record.jobs[job].submitted + *rules.second_copy_after;
  Seconds const start = std::max(Seconds(), due - campaign.now);
  bool const stays = rest.end == RecordedEnd::held || rest.end == RecordedEnd::unfinished;
  if (!stays && rest.at <= campaign.now + start) return std::nullopt;
  return start;
}

RunningJob copy_of(RunningCampaign const& campaign, std::size_t job) {
  return {.stand = Stand::idle,
          .since = campaign.now,
          .gpus = campaign.jobs[job].gpus,
          .scale = campaign.jobs[job].scale};
}

/// The job and its copy together. The one that is not needed any more is removed; so is the copy of
/// a job that the owner removes.
JobRest first_success(JobRest const& job, JobRest const& copy, Seconds now, Seconds copied_at) {
  bool const is_copy =
      copy.end == RecordedEnd::succeeded && (job.end != RecordedEnd::succeeded || copy.at < job.at);
  JobRest first = is_copy ? copy : job;
  bool const ends_both = first.end == RecordedEnd::succeeded || first.end == RecordedEnd::removed;
  auto const share = [&](JobRest const& each, Seconds from) {
    bool const cut = ends_both && each.at > first.at;
    return cut ? std::max(0.0, (first.at - from) / (each.at - from)) : 1.0;
  };
  double const of_job = share(job, now), of_copy = share(copy, copied_at);
  first.slot_time = job.slot_time * of_job + copy.slot_time * of_copy;
  first.gpu_seconds = job.gpu_seconds * of_job + copy.gpu_seconds * of_copy;
  return first;
}

}  // namespace

SharedDraws shared_draws(std::uint64_t seed, std::uint32_t future) {
  constexpr std::uint32_t of_shifts = 0xffff0010U;
  EvenPoint point(RandomStreams(seed, 0).stream(Purpose::bootstrap, of_shifts), future);
  SharedDraws draws;
  for (double* const draw : {&draws.factor, &draws.rescue, &draws.removal, &draws.release}) {
    *draw = point.next();
  }
  return draws;
}

std::vector<JobRest> rest_of_campaign(RunningCampaign const& campaign, CampaignLaws const& laws,
                                      FutureOptions const& options, RandomStreams const& streams) {
  FutureLaws const future = future_laws(laws, longest_stay(campaign), options.shared, streams);
  auto const walk = [&](RunningJob const& job, std::size_t number) {
    return JobWalk(campaign, laws, future, options, streams, job, number);
  };
  std::vector<JobRest> rest(campaign.jobs.size());
  auto const add_copy = [&](std::size_t job) {
    auto const start = copy_start(campaign, options.rules, job, rest[job]);
    if (!start) return;
    auto const end = walk(copy_of(campaign, job), job + rest.size()).walk(*start);
    rest[job] = first_success(rest[job], end, campaign.now, campaign.now + *start);
  };
  std::vector<Seconds> ends;
  StartOrder order(campaign);
  auto const over = [&](std::size_t job) {
    order.over(job, rest[job].at - campaign.now, rest[job].end == RecordedEnd::succeeded);
  };
  for (std::size_t job = 0; job < rest.size(); ++job) {
    RunningJob const& state = campaign.jobs[job];
    if (state.stand == Stand::fresh) continue;
    if (state.stand == Stand::over) {
      rest[job] = {state.end, state.since};
    } else {
      rest[job] = walk(state, job).walk();
      add_copy(job);
      ends.push_back(rest[job].at - campaign.now);
    }
    over(job);
  }
  FirstStarts starts(laws, std::move(ends), campaign.count(Stand::fresh), future.factor, streams);
  while (auto const ready = order.next()) {
    rest[ready->job] = walk(campaign.jobs[ready->job], ready->job).walk(starts.next(ready->at));
    add_copy(ready->job);
    starts.give_back(rest[ready->job].at - campaign.now);
    over(ready->job);
  }
  return rest;
}

}  // namespace gridcast::running
