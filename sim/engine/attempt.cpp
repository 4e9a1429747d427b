#include "sim/engine/attempt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/training/campaign_training.hpp"
#include "sim/training/execution.hpp"

namespace gridcast::engine {

namespace {

constexpr std::uint32_t network_down_kind = 1;     // stream of the site outages
constexpr Seconds default_lease(2400);             // JOB_DEFAULT_LEASE_DURATION
constexpr Seconds default_plugin_lifetime(72000);  // MAX_FILE_TRANSFER_PLUGIN_LIFETIME
constexpr Seconds forever(std::numeric_limits<double>::infinity());

// The stream of what one draw settles for all jobs.
constexpr std::uint32_t whole_replica = 0xffffffff;

Seconds url_time(Bytes size, scenario::EventLogParameters const& draw,
                 scenario::EventLogSiteParameters const& site, double z) {
  double const larger = std::pow(size / draw.url_reference, draw.url_exponent);
  return site.url_median * (larger * std::exp(site.url_sigma * z));
}

}  // namespace

TableAttempts::TableAttempts(Clock& clock, Recorder& recorder, AccessPoint& access_point,
                             InputTransfer& input, ReplicaInput const& in, bool shocks)
    : clock_(clock),
      recorder_(recorder),
      access_point_(access_point),
      input_(input),
      in_(in),
      shocks_(shocks),
      max_execution_(in.strategy.retry.policy.allowed_execute_duration.value_or(
          in.pool.access_point.max_execution)),
      network_down_(in.draw.network_down, in.streams, network_down_kind, in.pool.sites.size()) {
  for (scenario::SiteSpec const& site : in.pool.sites) {
    sites_.push_back(&in.draw.sites.at(site.name));
  }
}

// Tells the access point what became of the job when a wait was cut off.
SlotAfter TableAttempts::cut_off(Id<history::Job> job, SlotRef const& slot, Claim const& claim) {
  if (claim.why() == Claim::End::by_access_point) {
    access_point_.stopped(job, slot);
    return SlotAfter::free;
  }
  if (claim.why() == Claim::End::too_long) {
    access_point_.held_while_running(job, slot, history::Reason::execution_too_long);
    return SlotAfter::free;
  }
  access_point_.evicted(job, slot);
  return SlotAfter::gone;
}

Step<SlotAfter> TableAttempts::run(Id<history::Job> job, SlotRef slot, Claim& claim) {
  access_point_.started(job, slot);
  recorder_.record(job, history::EventKind::transfer_input_started, slot);
  InputResult input;
  bool const streams = training_ && training_->streams();
  if (!streams) {
    std::uint32_t const attempt = access_point_.ad(job).input_attempts++;
    input = co_await input_.fetch(job, attempt, slot, claim.interrupt());
  }
  switch (input.end) {
    case InputEnd::interrupted:
      co_return cut_off(job, slot, claim);
    case InputEnd::failed:
      access_point_.transfer_failed(job, slot, input.reason);
      co_return SlotAfter::free;
    case InputEnd::arrived:
      break;
  }
  recorder_.record(job, history::EventKind::transfer_input_finished, slot);
  co_return co_await execute(job, slot, claim);
}

Step<SlotAfter> TableAttempts::execute(Id<history::Job> job, SlotRef slot, Claim& claim) {
  std::uint32_t const execution = access_point_.executing(job, slot);
  scenario::SiteParameters const& site = *sites_[slot.site.index()];
  RandomStream pace = in_.streams.stream(Purpose::execution, job.number(), execution);
  Seconds const policy_interval = in_.pool.access_point.policy_interval;
  Seconds time = training::execution_time(site, training_ ? 1 : in_.campaign.work.epochs, pace);
  history::Reason reason = history::Reason::none;
  bool const streams = training_ && training_->streams();  // there is no archive to unpack
  if (shocks_ && network_down_.hits(slot.site.index(), job.number(), execution == 0)) {
    time = site.unpack;
    reason = history::Reason::site_network_down;
  } else if (in_.streams.stream(Purpose::corruption, job.number(), execution)
                 .chance(shocks_ && !streams ? in_.draw.corrupt_input : 0)) {
    time = in_.draw.corrupt_execution;
    reason = history::Reason::corrupt_input;
  }
  if (training_ && reason == history::Reason::none) {
    // A calibrated epoch of this execution over a typical one: its luck with the node.
    double const slower = (time - site.unpack) / Seconds(site.epoch.quantile(0.5));
    Seconds const most = max_execution_ + policy_interval * pace.uniform();
    co_return co_await train(job, slot, {slower, most}, claim);
  }
  bool const too_long = time > max_execution_;
  if (too_long) time = max_execution_ + policy_interval * pace.uniform();
  Waited const waited = co_await clock_.sleep(time, &claim.interrupt());
  if (waited == Waited::cut_off) co_return cut_off(job, slot, claim);
  if (too_long) {
    access_point_.held_while_running(job, slot, history::Reason::execution_too_long);
    co_return SlotAfter::free;
  }
  co_return co_await finish(job, slot, reason, claim);
}

Step<SlotAfter> TableAttempts::train(Id<history::Job> job, SlotRef slot, Pace pace, Claim& claim) {
  InputResult const trained = co_await training_->run(job, slot, pace, claim);
  switch (trained.end) {
    case InputEnd::interrupted:
      co_return cut_off(job, slot, claim);
    case InputEnd::failed:
      access_point_.transfer_failed(job, slot, trained.reason);
      co_return SlotAfter::free;
    case InputEnd::arrived:
      break;
  }
  co_return co_await finish(job, slot, history::Reason::none, claim);
}

Step<SlotAfter> TableAttempts::finish(Id<history::Job> job, SlotRef slot, history::Reason reason,
                                      Claim& claim) {
  recorder_.record(job, history::EventKind::transfer_output_started, slot);
  RandomStream stream = in_.streams.stream(Purpose::execution, job.number(),
                                           access_point_.ad(job).executions | 0x10000);
  Seconds const overhead(in_.draw.overhead.sample(stream));
  Waited const waited = co_await clock_.sleep(overhead, &claim.interrupt());
  if (waited == Waited::cut_off) co_return cut_off(job, slot, claim);
  recorder_.record(job, history::EventKind::transfer_output_finished, slot);
  access_point_.exited(job, slot, reason);
  co_return SlotAfter::free;
}

EventLogAttempts::EventLogAttempts(Clock& clock, Recorder& recorder, AccessPoint& access_point,
                                   ReplicaInput const& in)
    : clock_(clock),
      recorder_(recorder),
      access_point_(access_point),
      in_(in),
      draw_(*in.draw.event_log),
      work_(in.campaign.work),
      crash_odds_(work_.crash_odds.at(in.streams.stream(Purpose::crash, whole_replica).uniform())),
      scales_(in.campaign.scales()) {
  for (scenario::SiteSpec const& site : in.pool.sites) {
    sites_.push_back(&draw_.sites.at(site.name));
  }
  if (!work_.catalogue) return;
  // Checkpoints are those of the logs.
  scenario::Strategy plain = in.strategy;
  plain.retry.policy.checkpoint_every_epochs = 0;
  for (auto const& training :
       training::campaign_training(in.pool, in.campaign, plain, nullptr).sites) {
    training_.push_back(training ? training->work.execution(Seconds()) : Seconds());
    if (training) work_.epochs = training->setup.profile.train.epochs;
  }
}

Seconds EventLogAttempts::lease() const {
  return access_point_.policy().job_lease_duration.value_or(default_lease);
}

Step<SlotAfter> EventLogAttempts::run(Id<history::Job> job, SlotRef slot, Claim& claim) {
  Attempt const attempt{job, access_point_.ad(job).shadow_starts, slot};
  access_point_.started(job, slot);
  recorder_.record(job, history::EventKind::transfer_input_started, slot);
  ++access_point_.ad(job).input_attempts;
  Overheads const over = overheads(attempt);
  Interference site(clock_, recorder_, draw_, parameters_of(slot), lease(), in_.streams, attempt,
                    claim);
  AttemptState state = co_await fetch(attempt, site);
  if (state == AttemptState::goes_on) state = co_await site.work(over.setup);
  if (state == AttemptState::goes_on) state = co_await site.contact();
  if (state == AttemptState::goes_on) co_await execute(attempt, site, over);
  if (site.end() != Interference::End::none) lost(attempt, site, claim, over.requeue);
  co_return claim.why() == Claim::End::pilot_died ? SlotAfter::gone : SlotAfter::free;
}

// Drawn together, so that each is the same whatever becomes of the attempt.
EventLogAttempts::Overheads EventLogAttempts::overheads(Attempt const& attempt) const {
  RandomStream stream =
      in_.streams.stream(Purpose::overheads, attempt.job.number(), attempt.number);
  Seconds const setup(draw_.setup.sample(stream));
  Seconds const teardown(draw_.teardown.sample(stream));
  Seconds const requeue(draw_.requeue_delay.sample(stream));
  return {setup, teardown, requeue};
}

// Over: the access point knows why the input is not there, or the claim has ended.
Step<AttemptState> EventLogAttempts::fetch(Attempt const& attempt, Interference& site) {
  Seconds const lifetime = access_point_.policy().plugin_lifetime.value_or(default_plugin_lifetime);
  auto const urls =
      plan_urls(in_.campaign.input, draw_, parameters_of(attempt.slot), lifetime,
                in_.streams.stream(Purpose::url, attempt.job.number(), attempt.number));
  history::UrlTransfer transfer;
  transfer.job = attempt.job;
  transfer.attempt = attempt.number + 1;
  for (std::size_t i = 0; i < urls.size(); ++i) {
    transfer.start = clock_.now();
    AttemptState const fetched = co_await site.work(urls[i].time);
    if (fetched == AttemptState::over) co_return fetched;
    transfer.url = static_cast<std::uint32_t>(i);
    transfer.end = clock_.now();
    transfer.duration = urls[i].time;
    transfer.succeeded = urls[i].end == UrlEnd::arrived;
    transfer.size = transfer.succeeded ? in_.campaign.input[i].size : Bytes();
    delivered_ += transfer.size;
    recorder_.record(transfer);
  }
  AttemptState const heard = co_await site.contact();
  if (heard == AttemptState::over) co_return heard;
  UrlEnd const end = urls.empty() ? UrlEnd::arrived : urls.back().end;
  if (end != UrlEnd::arrived) {
    bool const failed = end == UrlEnd::failed;
    access_point_.transfer_failed(
        attempt.job, attempt.slot,
        failed ? history::Reason::transfer_failed : history::Reason::transfer_timeout);
    co_return AttemptState::over;
  }
  recorder_.record(attempt.job, history::EventKind::transfer_input_finished, attempt.slot);
  co_return AttemptState::goes_on;
}

std::vector<training::Stretch> EventLogAttempts::plan(Attempt const& attempt,
                                                      std::uint32_t execution) {
  RandomStream job = in_.streams.stream(Purpose::job_work, attempt.job.number());
  RandomStream pace = in_.streams.stream(Purpose::execution, attempt.job.number(), execution);
  RandomStream crash = in_.streams.stream(Purpose::crash, attempt.job.number(), execution);
  training::Luck luck;
  luck.job = normal_quantile(job.uniform());
  luck.execution = normal_quantile(pace.uniform());
  luck.crash = crash.uniform();
  luck.crash_at = crash.uniform();
  return training::plan_execution(
      {.work = work_,
       .draw = draw_,
       .site = parameters_of(attempt.slot),
       .crash_odds = crash_odds_,
       .checkpoint_every = access_point_.policy().checkpoint_every_epochs,
       .epochs_stored = access_point_.ad(attempt.job).epochs_stored,
       .training = training_.empty() ? Seconds() : training_[attempt.slot.site.index()],
       .job_scale = scales_[attempt.job.index()]},
      luck);
}

Step<AttemptState> EventLogAttempts::execute(Attempt const& attempt, Interference& site,
                                             Overheads const& overheads) {
  std::uint32_t const execution = access_point_.executing(attempt.job, attempt.slot);
  RandomStream storing =
      in_.streams.stream(Purpose::checkpoint, attempt.job.number(), attempt.number);
  auto const stretches = plan(attempt, execution);
  bool crashed = false;
  for (training::Stretch const& stretch : stretches) {
    AttemptState const computed = co_await site.work(stretch.time);
    if (computed == AttemptState::over) co_return computed;
    crashed = stretch.end == training::Stretch::End::crash;
    if (stretch.end != training::Stretch::End::checkpoint) break;
    AttemptState const stored = co_await store_checkpoint(attempt, site, stretch.epochs, storing);
    if (stored == AttemptState::over) co_return stored;
  }
  co_return co_await finish(attempt, site, overheads, crashed);
}

Step<AttemptState> EventLogAttempts::store_checkpoint(Attempt const& attempt, Interference& site,
                                                      int epochs, RandomStream& stream) {
  Seconds const time(draw_.checkpoint.sample(stream));
  AttemptState state = co_await site.contact();
  if (state == AttemptState::over) co_return state;
  recorder_.record(attempt.job, history::EventKind::transfer_output_started, attempt.slot);
  state = co_await site.work(time);
  if (state == AttemptState::goes_on) state = co_await site.contact();
  if (state == AttemptState::over) co_return state;
  access_point_.checkpointed(attempt.job, attempt.slot, epochs);
  co_return state;
}

Step<AttemptState> EventLogAttempts::finish(Attempt const& attempt, Interference& site,
                                            Overheads const& overheads, bool crashed) {
  AttemptState state = co_await site.contact();
  if (state == AttemptState::over) co_return state;
  recorder_.record(attempt.job, history::EventKind::transfer_output_started, attempt.slot);
  state = co_await site.work(overheads.teardown);
  if (state == AttemptState::goes_on) state = co_await site.contact();
  if (state == AttemptState::over) co_return state;
  if (crashed && access_point_.policy().crash_holds) {
    access_point_.held_while_running(attempt.job, attempt.slot, history::Reason::output_missing);
    co_return AttemptState::over;
  }
  recorder_.record(attempt.job, history::EventKind::transfer_output_finished, attempt.slot);
  access_point_.exited(attempt.job, attempt.slot,
                       crashed ? history::Reason::exit_code : history::Reason::none);
  co_return AttemptState::over;
}

// The end of the attempt from outside.
void EventLogAttempts::lost(Attempt const& attempt, Interference const& site, Claim const& claim,
                            Seconds requeue_delay) {
  switch (site.end()) {
    case Interference::End::vacated:
      access_point_.evicted(attempt.job, attempt.slot, {history::Reason::vacated, requeue_delay});
      return;
    case Interference::End::lease_expired:
      access_point_.reconnect_failed(attempt.job, attempt.slot,
                                     {history::Reason::lost_contact, requeue_delay});
      return;
    case Interference::End::claim:
      break;
    case Interference::End::none:
      return;
  }
  if (claim.why() == Claim::End::by_access_point) {
    access_point_.stopped(attempt.job, attempt.slot);
    return;
  }
  Seconds lease_end = site.lease_end();
  if (!site.disconnected()) {
    recorder_.record(attempt.job, history::EventKind::disconnected, attempt.slot);
    lease_end = clock_.now() + lease();
  }
  access_point_.lost(attempt.job, attempt.slot, lease_end,
                     {history::Reason::lost_contact, requeue_delay});
}

std::vector<UrlPlan> plan_urls(std::vector<scenario::InputFile> const& input,
                               scenario::EventLogParameters const& draw,
                               scenario::EventLogSiteParameters const& site,
                               Seconds plugin_lifetime, RandomStream stream) {
  std::vector<UrlPlan> plan;
  Seconds left = plugin_lifetime;
  for (scenario::InputFile const& file : input) {
    Seconds time = url_time(file.size, draw, site, normal_quantile(stream.uniform()));
    UrlEnd end = UrlEnd::arrived;
    double const fate = stream.uniform();
    if (fate < site.url_failure) {
      time = time * draw.url_failed_after;
      end = UrlEnd::failed;
    } else if (fate < site.url_failure + site.url_hang) {
      time = forever;
    }
    if (time > left) {
      time = left;
      end = UrlEnd::timed_out;
    }
    left -= time;
    plan.push_back({time, end});
    if (end != UrlEnd::arrived) break;
  }
  return plan;
}

}  // namespace gridcast::engine
