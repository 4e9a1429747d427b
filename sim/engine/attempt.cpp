#include "sim/engine/attempt.hpp"

#include <algorithm>
#include <cmath>

#include "sim/engine/recorded_events.hpp"

namespace gridcast::engine {

namespace {

constexpr std::uint32_t network_down_kind = 1;  // stream of the site outages
constexpr Seconds default_lease(2400);          // JOB_DEFAULT_LEASE_DURATION

// Draws of an execution that are not its pace.
constexpr std::uint32_t limit_draw = 0x10000;
constexpr std::uint32_t whole_job = 0x20000;  // no execution has this number

// JICShadow::transferOutput of HTCondor 23.9.6 (jic_shadow.cpp): tries at the end; each but the
// last cuts the connection: the shadow loses contact and finds the job again.
constexpr int most_tries = 5;

/// Its first uniform decides, its second gives the length of each try.
RandomStream files_stream(ReplicaInput const& in, Attempt const& attempt) {
  return in.streams.stream(Purpose::contact, attempt.job.number(), attempt.number | limit_draw);
}

}  // namespace

Attempts::Attempts(Clock& clock, Recorder& recorder, AccessPoint& access_point,
                   InputTransfer& input, ReplicaInput const& in, bool shocks)
    : clock_(clock),
      recorder_(recorder),
      access_point_(access_point),
      input_(input),
      in_(in),
      shocks_(shocks),
      max_execution_(in.strategy.retry.policy.allowed_execute_duration.value_or(
          in.pool.access_point.max_execution)),
      works_(in.campaign),
      first_jobs_(scenario::first_jobs(in.campaign)),
      sites_(parameters_by_site(in)),
      network_down_(in.draw.network_down, in.streams, network_down_kind, in.pool.sites.size()),
      needs_(in) {
  RandomStream odds = in.streams.stream(Purpose::crash, whole_replica);
  crash_odds_ = in.campaign.work.crash_odds.at(odds.uniform());
  crash_odds_at_ = odds.uniform();
}

Seconds Attempts::lease() const {
  return access_point_.policy().job_lease_duration.value_or(default_lease);
}

Step<SlotAfter> Attempts::run(Id<history::Job> job, SlotRef slot, Claim& claim) {
  Attempt const attempt{job, access_point_.ad(job).shadow_starts, slot};
  access_point_.started(job, slot);
  if (in_.record) co_await pass_as_recorded(attempt, claim, history::RecordedStep::lead);
  bool const fetches = !in_.record || in_.record->fetches(job);
  if (fetches) recorder_.record(job, history::EventKind::transfer_input_started, slot);
  Interference site(clock_, recorder_, in_.draw, parameters_of(slot), lease(), in_.streams, attempt,
                    claim);
  bool goes_on = true;
  if (!streams()) {
    std::uint32_t const number = access_point_.ad(job).input_attempts++;
    InputResult const input =
        co_await input_.fetch(attempt, number, claim, overhead(attempt, Overhead::plugin_start));
    if (site.disconnected()) co_await site.contact();
    goes_on = has_input(attempt, claim, input);
  }
  if (goes_on) {
    recorder_.record(job, history::EventKind::transfer_input_finished, slot);
    bool const waits = access_point_.policy().outputs_unlisted;
    Seconds const setup =
        overhead(attempt, Overhead::setup) + (waits ? in_.draw.unlisted_wait : Seconds());
    if (in_.record) co_await pass_as_recorded(attempt, claim, history::RecordedStep::setup);
    if (setup > Seconds()) co_await site.compute(setup);
    if (site.disconnected()) co_await site.contact();
    if (in_.record && in_.record->ends_unexecuted(job)) claim.end(Claim::End::as_recorded);
    std::optional<history::Reason> exit;
    if (!claim.ended()) exit = co_await execute(attempt, claim, site);
    if (exit) co_await finish(attempt, claim, site, *exit);
  }
  bool const loses_slot =
      claim.why() == Claim::End::pilot_ended || claim.why() == Claim::End::pilot_lost;
  if (claim.ended()) cut_off(attempt, site, claim, overhead(attempt, Overhead::requeue));
  co_return loses_slot ? SlotAfter::gone : SlotAfter::free;
}

bool Attempts::has_input(Attempt const& attempt, Claim const& claim, InputResult const& input) {
  if (claim.ended()) return false;
  if (input.end != InputEnd::failed) return true;
  access_point_.transfer_failed(attempt.job, attempt.slot, input.reason, input.failure());
  return false;
}

Seconds Attempts::overhead(Attempt const& attempt, Overhead which) const {
  using scenario::ParameterDraw;
  constexpr Distribution ParameterDraw::*laws[] = {&ParameterDraw::setup, &ParameterDraw::teardown,
                                                   &ParameterDraw::requeue_delay,
                                                   &ParameterDraw::plugin_start};
  auto const place = static_cast<std::size_t>(which);
  Distribution const& law = in_.draw.*laws[place];
  if (in_.record) return {};
  if (law.is_constant()) return Seconds(law.shift);
  RandomStream stream =
      in_.streams.stream(Purpose::overheads, attempt.job.number(), attempt.number);
  for (std::size_t before = 0; before < place; ++before) stream.uniform();
  return Seconds(law.sample(stream));
}

int Attempts::gpus_of(Attempt const& attempt) const {
  scenario::SiteSpec const& spec = in_.pool.sites[attempt.slot.site.index()];
  return spec.gpus_per_slot > 0 ? spec.gpus_per_slot : access_point_.request(attempt.job).gpus;
}

Attempts::Plan Attempts::one_stretch(Seconds time, history::Reason reason) {
  return {.stretches = {{training::Stretch::End::done, time, 0}}, .reason = reason, .pace = {}};
}

// A program whose result was of no use, for a reason that is not on record, ended with a failure.
Attempts::Plan Attempts::plan_as_recorded(Attempt const& attempt) const {
  history::RecordedAttempt const& recorded = in_.record->computing(attempt.job);
  bool const failed =
      recorded.held_at_exit() || (recorded.fails() && recorded.reason == history::Reason::none);
  return one_stretch(recorded.execution, failed ? history::Reason::exit_code : recorded.reason);
}

// A shock of the site or of the input ends the program soon.
std::optional<Attempts::Plan> Attempts::plan_of_shock(Attempt const& attempt,
                                                      std::uint32_t execution) {
  if (!shocks_) return std::nullopt;
  auto const job = attempt.job.number();
  if (network_down_.hits(attempt.slot.site.index(), job, execution == 0, clock_.now())) {
    return one_stretch(parameters_of(attempt.slot).unpack * unpack_share(attempt.job),
                       history::Reason::site_network_down);
  }
  // A job that streams, or has no input, has no archive to unpack.
  bool const unpacks = !streams() && input_.has_input(attempt.job);
  double const corrupt = unpacks ? in_.draw.corrupt_input : 0;
  if (corrupt > 0 && in_.streams.stream(Purpose::corruption, job, execution).chance(corrupt)) {
    return one_stretch(in_.draw.corrupt_execution, history::Reason::corrupt_input);
  }
  return std::nullopt;
}

// Each byte of an archive takes as long to unpack as in the record.
double Attempts::unpack_share(Id<history::Job> job) const {
  constexpr double rounding = 1e-9;  // of the parts of a split file
  Bytes const recorded = in_.draw.record_input;
  double const share = recorded > Bytes() ? input_.size_of(job) / recorded : 1;
  return std::abs(share - 1) < rounding ? 1 : share;
}

Attempts::Plan Attempts::plan(Attempt const& attempt, std::uint32_t execution) {
  if (in_.record) return plan_as_recorded(attempt);
  if (auto shock = plan_of_shock(attempt, execution)) return *std::move(shock);
  scenario::SiteParameters const& site = parameters_of(attempt.slot);
  auto const job = attempt.job.number();
  auto const first = static_cast<std::uint32_t>(job % first_jobs_);  // of a copy, its job
  Plan plan;
  RandomStream pace = in_.streams.stream(Purpose::execution, job, execution);
  RandomStream crash = in_.streams.stream(Purpose::crash, job, execution);
  training::Uniforms uniforms;
  uniforms.job = in_.streams.stream(Purpose::job_work, first).uniform();
  uniforms.execution = pace.uniform();
  uniforms.crash = crash.uniform();
  uniforms.crash_at = crash.uniform();
  uniforms.bad_job = in_.streams.stream(Purpose::crash, first, whole_job).uniform();
  scenario::JobWork const& work = works_.of(attempt.job.index());
  training::WorkView const view{.work = in_.campaign.work,
                                .draw = in_.draw,
                                .site = site,
                                .gpus = gpus_of(attempt),
                                .crash_odds = crash_odds_ * work.crash_odds.at(crash_odds_at_),
                                .checkpoint_every = access_point_.policy().checkpoint_every_epochs,
                                .epochs_stored = access_point_.ad(attempt.job).epochs_stored,
                                .job_scale = work.scale,
                                .unpack_share = unpack_share(attempt.job)};
  if (training_) {
    Seconds const most = max_execution_ + in_.pool.access_point.policy_interval * pace.uniform();
    plan.pace = {training::random_slowdown(view, uniforms), most};
  } else {
    plan.stretches = training::plan_execution(view, uniforms);
  }
  return plan;
}

Step<std::optional<history::Reason>> Attempts::execute(Attempt const& attempt, Claim& claim,
                                                       Interference& site) {
  std::uint32_t const execution = access_point_.executing(attempt.job, attempt.slot);
  Plan const ahead = plan(attempt, execution);
  Alarm stop(clock_);
  bool const trains = training_ && ahead.reason == history::Reason::none;
  set_stop(stop, attempt, execution, claim, ahead, trains);
  State const state = trains       ? co_await train(attempt, claim, site, ahead)
                      : in_.record ? co_await compute_as_recorded(attempt, claim)
                                   : co_await compute(attempt, claim, site, ahead);
  stop.stop();
  if (state == State::over) co_return std::nullopt;
  bool const crashed = !trains && ahead.stretches.back().end == training::Stretch::End::crash;
  co_return crashed ? history::Reason::exit_code : ahead.reason;
}

// Stated needs stand for the calibrated stops, which are those of the record's request.
void Attempts::set_stop(Alarm& alarm, Attempt const& attempt, std::uint32_t execution, Claim& claim,
                        Plan const& plan, bool trains) {
  if (!needs_.known()) {
    Seconds const after = stopped_after(attempt, execution);
    if (after == end_of_time) return;
    return alarm.set(clock_.now() + after, [&claim] { claim.end(Claim::End::stopped); });
  }
  if (!access_point_.exceeds_request(attempt.job, needs_)) return;
  auto const execution_time = sum_of<Seconds>(plan.stretches, &training::Stretch::time);
  auto const of_plan = trains ? std::nullopt : std::optional(execution_time);
  alarm.set(clock_.now() + needs_.stopped_after(attempt.job, of_plan),
            [&claim] { claim.end(Claim::End::over_request); });
}

// The first of the moment at which the slot's limit is met and of one that can be any.
Seconds Attempts::stopped_after(Attempt const& attempt, std::uint32_t execution) const {
  scenario::SiteParameters const& site = parameters_of(attempt.slot);
  double const of_job = in_.draw.stop_of_job;
  if (site.stop <= 0 && site.stop_per_second <= 0 && of_job <= 0) return end_of_time;
  RandomStream stream = in_.streams.stream(Purpose::stop, attempt.job.number(), execution);
  auto const first = static_cast<std::uint32_t>(attempt.job.index() % first_jobs_);
  RandomStream own = in_.streams.stream(Purpose::stop, first, whole_job);
  bool const each_time = own.chance(of_job);
  bool const meets = stream.chance(site.stop) || each_time;
  double const u = stream.uniform();
  // A program's needs do not grow with its executions: such a job's moment is its own.
  double const z = normal_quantile(each_time ? own.uniform() : u);
  double const any = stream.exponential();
  Seconds after = meets ? site.stop_after * std::exp(site.stop_sigma * z) : end_of_time;
  if (site.stop_per_second > 0) after = std::min(after, Seconds(any / site.stop_per_second));
  return after;
}

// The claim ends when an execution, or the part after its last checkpoint, takes too long: noticed
// at one of the access point's looks. If that cannot happen, it has no timer.
void Attempts::limit(Alarm& alarm, Claim& claim, Attempt const& attempt, Seconds expected) const {
  bool const may_stand_still = parameters_of(attempt.slot).suspend_per_second > 0;
  if (expected <= max_execution_ && !may_stand_still) return alarm.stop();
  double const look = in_.streams
                          .stream(Purpose::execution, attempt.job.number(),
                                  access_point_.ad(attempt.job).executions | limit_draw)
                          .uniform();
  alarm.set(clock_.now() + max_execution_ + in_.pool.access_point.policy_interval * look,
            [&claim] { claim.end(Claim::End::too_long); });
}

Step<Attempts::State> Attempts::compute(Attempt const& attempt, Claim& claim, Interference& site,
                                        Plan const& plan) {
  RandomStream storing =
      in_.streams.stream(Purpose::checkpoint, attempt.job.number(), attempt.number);
  Alarm too_long(clock_);
  for (training::Stretch const& stretch : plan.stretches) {
    limit(too_long, claim, attempt, stretch.time);
    Waited const computed = co_await site.compute(stretch.time);
    if (computed == Waited::cut_off) co_return State::over;
    if (stretch.end != training::Stretch::End::checkpoint) break;
    State const stored = co_await store_checkpoint(attempt, site, stretch.epochs, storing);
    if (stored == State::over) co_return stored;
  }
  co_return State::goes_on;
}

Step<Attempts::State> Attempts::compute_as_recorded(Attempt const& attempt, Claim& claim) {
  Alarm too_long(clock_);
  limit(too_long, claim, attempt, in_.record->attempt(attempt.job).execution);
  Waited const computed =
      co_await pass_as_recorded(attempt, claim, history::RecordedStep::execution);
  co_return computed == Waited::cut_off ? State::over : State::goes_on;
}

Step<Waited> Attempts::pass_as_recorded(Attempt const& attempt, Claim& claim,
                                        history::RecordedStep step) {
  return engine::pass_as_recorded(clock_, claim, in_.record->attempt(attempt.job), step,
                                  [this, of = attempt](history::EventKind kind) {
                                    if (kind == history::EventKind::checkpointed) {
                                      return access_point_.checkpointed(of.job, of.slot, 0);
                                    }
                                    recorder_.record(of.job, kind, of.slot);
                                  });
}

Step<Attempts::State> Attempts::train(Attempt const& attempt, Claim& claim, Interference& site,
                                      Plan const& plan) {
  InputResult const trained = co_await training_->run(attempt, plan.pace, claim, site);
  if (trained.end == InputEnd::failed) {
    access_point_.transfer_failed(attempt.job, attempt.slot, trained.reason, trained.failure());
  }
  co_return trained.end == InputEnd::arrived ? State::goes_on : State::over;
}

Step<Attempts::State> Attempts::store_checkpoint(Attempt const& attempt, Interference& site,
                                                 int epochs, RandomStream& stream) {
  Seconds const time(in_.draw.checkpoint.sample(stream));
  Waited on = co_await site.contact();
  if (on == Waited::cut_off) co_return State::over;
  if (std::optional<Seconds> const one_try = try_in_vain(attempt, site)) {
    on = co_await site.compute(*one_try);
    co_return on == Waited::cut_off ? State::over : State::goes_on;
  }
  recorder_.record(attempt.job, history::EventKind::transfer_output_started, attempt.slot);
  on = co_await site.compute(time);
  if (on == Waited::done) on = co_await site.contact();
  if (on == Waited::cut_off) co_return State::over;
  access_point_.checkpointed(attempt.job, attempt.slot, epochs);
  co_return State::goes_on;
}

std::optional<Seconds> Attempts::try_in_vain(Attempt const& attempt,
                                             Interference const& site) const {
  if (in_.draw.files_lost <= 0 || !site.found_again()) return std::nullopt;
  RandomStream random = files_stream(in_, attempt);
  if (!random.chance(in_.draw.files_lost)) return std::nullopt;
  return Seconds(in_.draw.output_try.quantile(random.uniform()));
}

// The log shows these tries only by the contact that each of them cuts.
Step<Attempts::State> Attempts::lose_files(Attempt const& attempt, Interference& site,
                                           Seconds one_try, Seconds requeue_delay) {
  for (int left = most_tries; left > 0; --left) {
    Waited on = co_await site.compute(one_try);
    if (on == Waited::done && site.disconnected()) on = co_await site.contact();
    if (on == Waited::cut_off) co_return State::over;
    if (left == 1) break;
    recorder_.record(attempt.job, history::EventKind::disconnected, attempt.slot);
    recorder_.record(attempt.job, history::EventKind::reconnected, attempt.slot);
  }
  access_point_.evicted(attempt.job, attempt.slot, {history::Reason::output_failed, requeue_delay});
  co_return State::over;
}

Step<Attempts::State> Attempts::finish(Attempt const& attempt, Claim& claim, Interference& site,
                                       history::Reason reason) {
  Waited on = Waited::done;
  if (site.disconnected()) on = co_await site.contact();
  if (on == Waited::cut_off) co_return State::over;
  if (std::optional<Seconds> const one_try = try_in_vain(attempt, site)) {
    co_return co_await lose_files(attempt, site, *one_try, overhead(attempt, Overhead::requeue));
  }
  bool const stores = !in_.record || in_.record->attempt(attempt.job).stores;
  if (stores) {
    recorder_.record(attempt.job, history::EventKind::transfer_output_started, attempt.slot);
  }
  if (in_.record) on = co_await pass_as_recorded(attempt, claim, history::RecordedStep::teardown);
  if (on == Waited::done) on = co_await site.compute(overhead(attempt, Overhead::teardown));
  if (on == Waited::done && site.disconnected()) on = co_await site.contact();
  if (on == Waited::cut_off) co_return State::over;
  if (in_.record && !in_.record->meets_exit_rules(attempt.job)) {
    claim.end(Claim::End::as_recorded);
    co_return State::over;
  }
  // A recorded program that came to its end was not held for its output.
  bool const holds = !in_.record && access_point_.policy().crash_holds;
  if (reason == history::Reason::exit_code && holds) {
    access_point_.held_while_running(attempt.job, attempt.slot, history::Reason::output_missing);
    co_return State::over;
  }
  recorder_.record(attempt.job, history::EventKind::transfer_output_finished, attempt.slot);
  access_point_.exited(attempt.job, attempt.slot, reason);
  co_return State::over;
}

// The end of the attempt from outside.
void Attempts::cut_off(Attempt const& attempt, Interference const& site, Claim const& claim,
                       Seconds requeue_delay) {
  auto const& [job, number, slot] = attempt;
  switch (claim.why()) {
    case Claim::End::by_access_point:
      return access_point_.stopped(job, slot);
    case Claim::End::too_long:
      return stop_at_limit(attempt, 1, {history::Reason::execution_too_long, requeue_delay});
    case Claim::End::stopped:
      return stop_at_limit(attempt, parameters_of(slot).stop_holds,
                           {history::Reason::out_of_resources, requeue_delay});
    case Claim::End::over_request:
      return access_point_.over_request(job, slot, needs_, requeue_delay);
    case Claim::End::vacated:
      return access_point_.evicted(job, slot,
                                   {.reason = history::Reason::vacated,
                                    .requeue_delay = requeue_delay,
                                    .for_good = for_good(attempt, in_.draw.evicted_for_good)});
    case Claim::End::lease_expired:
      return access_point_.reconnect_failed(
          job, slot,
          {.reason = history::Reason::lost_contact,
           .requeue_delay = requeue_delay,
           .for_good = for_good(attempt, in_.draw.lost_for_good)});
    case Claim::End::pilot_ended:
      return access_point_.evicted(job, slot,
                                   {.reason = history::Reason::pilot_ended,
                                    .requeue_delay = requeue_delay,
                                    .for_good = for_good(attempt, in_.draw.lost_for_good)});
    case Claim::End::as_recorded:
      return end_as_recorded(attempt);
    case Claim::End::pilot_lost:
    case Claim::End::none:
      return lose_contact(attempt, site, requeue_delay);
  }
}

// True if its job is over with an attempt that lost its slot.
bool Attempts::for_good(Attempt const& attempt, double share) const {
  return in_.streams.stream(Purpose::eviction, attempt.job.number(), attempt.number | limit_draw)
      .chance(share);
}

// The ending of a job that a limit stopped. The submit file's own limit is HTCondor's, which
// holds.
void Attempts::stop_at_limit(Attempt const& attempt, double holds, Loss const& loss) {
  auto const& [job, number, slot] = attempt;
  bool const by_own_limit = loss.reason == history::Reason::execution_too_long &&
                            in_.strategy.retry.policy.allowed_execute_duration.has_value();
  RandomStream random = in_.streams.stream(Purpose::stop, job.number(), number | limit_draw);
  bool const is_held = random.chance(holds);
  bool const is_over = random.chance(in_.draw.stopped_for_good);
  if (is_over && !by_own_limit) {
    access_point_.removed_while_running(job, slot, loss.reason);
  } else if (is_held) {
    access_point_.held_while_running(job, slot, loss.reason);
  } else {
    access_point_.evicted(job, slot, loss);
  }
}

void Attempts::end_as_recorded(Attempt const& attempt) {
  auto const& [job, number, slot] = attempt;
  history::RecordedAttempt const& recorded = in_.record->attempt(job);
  switch (recorded.ended_by) {
    case history::EventKind::evicted:
      return access_point_.evicted(job, slot, {recorded.reason, {}, recorded.computed});
    case history::EventKind::held:
      return access_point_.held_while_running(job, slot, recorded.reason, recorded.computed);
    case history::EventKind::aborted:
      return access_point_.removed_while_running(job, slot, recorded.reason);
    case history::EventKind::reconnect_failed:
      return access_point_.reconnect_failed(job, slot, {recorded.reason, {}});
    case history::EventKind::requeued:
      recorder_.record(job, recorded.ended_by, slot, recorded.reason);
      return access_point_.requeued(job);
    default:  // the job goes on, perhaps beyond the record
      recorder_.record(job, history::EventKind::shadow_exception, slot, recorded.reason, true,
                       recorded.computed);
      access_point_.not_started(job);
  }
}

void Attempts::lose_contact(Attempt const& attempt, Interference const& site,
                            Seconds requeue_delay) {
  Seconds lease_end = site.lease_end();
  if (!site.disconnected()) {
    recorder_.record(attempt.job, history::EventKind::disconnected, attempt.slot);
    lease_end = clock_.now() + lease();
  }
  access_point_.lost(attempt.job, attempt.slot, lease_end,
                     {.reason = history::Reason::lost_contact,
                      .requeue_delay = requeue_delay,
                      .for_good = for_good(attempt, in_.draw.lost_for_good)});
}

}  // namespace gridcast::engine
