#include "sim/running/rest_of_job.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/statistics.hpp"

namespace gridcast::running {
namespace {

// The stream of a future's laws belongs to no job.
constexpr std::uint32_t of_laws = 0xffff0000U;
constexpr std::uint32_t first_attempt = 16;  // attempts of a job, after the streams of other uses

constexpr double rescue_index = 1, removal_index = 0.4;
constexpr Seconds shortest_stay = minutes(1);    // logs have whole seconds
constexpr Seconds shortest_patience = hours(2);  // people look at their jobs now and then

/// Follows one job from now to its end.
class JobWalk {
 public:
  JobWalk(FutureView const& future, RunningJob const& job, std::size_t number)
      : campaign_(future.campaign),
        evidence_(future.evidence),
        laws_(future.laws),
        options_(future.options),
        streams_(future.streams),
        number_(static_cast<std::uint32_t>(number)),
        job_(job),
        stand_(job_.stand),
        age_(std::max(Seconds(), campaign_.now - job_.since)),
        begin_(campaign_.now),
        at_(campaign_.now),
        stuck_after_(campaign_.now + laws_.stay),
        given_up_(campaign_.now + std::min(laws_.patience, options_.horizon)),
        until_(std::max(stuck_after_, given_up_)),
        repeats_(job_.repeats),
        failures_(job_.failures),
        retries_(job_.retries),
        program_retries_(options_.rules.retries),
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
    if (was_at_limit() && stream_.chance(evidence_.limits.again)) return stay_at_limit();
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

  /// Its last attempt, here or in the record, ended at a limit.
  bool was_at_limit() const {
    bool const was_out = job_.stand == Stand::held || job_.stand == Stand::idle;
    return at_limit_ || (was_out && evidence_.limits.held(job_.last));
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

  void stay_at_limit() {
    stay_held();
    if (laws_.limits_stay) over(RecordedEnd::held);
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
    at_limit_ = evidence_.limits.held(as);
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
  bool at_limit_ = false;  // a limit of the record ended its last attempt
};

}  // namespace

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
  constexpr std::size_t usual_again = 3;  // jobs
  bool const some = laws.limits.held_again > 0 && shared.rescue < 0.5;
  future.limits_stay = laws.limits.held_again >= usual_again || some;
  if (laws.interruptions) future.interruptions = laws.interruptions->redrawn(next());
  return future;
}

JobRest rest_of_job(FutureView const& future, RunningJob const& job, std::size_t number,
                    Seconds start) {
  return JobWalk(future, job, number).walk(start);
}

}  // namespace gridcast::running
