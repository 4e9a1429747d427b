#include "sim/engine/dated_attempt.hpp"

#include <algorithm>

#include "sim/training/campaign_training.hpp"

namespace gridcast::engine {

namespace {

constexpr Seconds default_lease(2400);             // JOB_DEFAULT_LEASE_DURATION
constexpr Seconds default_plugin_lifetime(72000);  // MAX_FILE_TRANSFER_PLUGIN_LIFETIME

// The stream of what one draw settles for all jobs.
constexpr std::uint32_t whole_replica = 0xffffffff;

std::uint32_t number(Id<history::Job> job) { return static_cast<std::uint32_t>(job.index()); }

}  // namespace

DatedAttempts::DatedAttempts(Clock& clock, Recorder& recorder, AccessPoint& access_point,
                             scenario::Pool const& pool, scenario::Campaign const& campaign,
                             scenario::Strategy const& strategy,
                             scenario::ParameterDraw const& draw, RandomStreams const& streams)
    : clock_(clock),
      recorder_(recorder),
      access_point_(access_point),
      campaign_(campaign),
      work_(campaign.work),
      draw_(*draw.event_log),
      streams_(streams),
      crash_odds_(
          campaign.work.crash_odds.at(streams.stream(Purpose::crash, whole_replica).uniform())),
      scales_(campaign.scales()) {
  for (scenario::SiteSpec const& site : pool.sites) sites_.push_back(&draw_.sites.at(site.name));
  if (!campaign.work.catalogue) return;
  // Checkpoints are the dated world's own.
  scenario::Strategy plain = strategy;
  plain.retry.policy.checkpoint_every_epochs = 0;
  for (auto const& training : training::campaign_training(pool, campaign, plain, nullptr).sites) {
    training_.push_back(training ? training->work.execution(Seconds()) : Seconds());
    if (training) work_.epochs = training->setup.profile.train.epochs;
  }
}

Step<bool> DatedAttempts::run(Id<history::Job> job, SlotRef slot, Claim& claim) {
  Attempt const attempt{job, access_point_.ad(job).shadow_starts, slot};
  access_point_.started(job, slot);
  recorder_.record(job, history::EventKind::transfer_input_started, slot);
  ++access_point_.ad(job).input_attempts;
  Overheads const over = overheads(attempt);
  Seconds const lease = access_point_.policy().job_lease_duration.value_or(default_lease);
  ClaimLife life(clock_, recorder_, draw_, site(slot), lease, streams_, attempt, claim);
  bool on = co_await fetch(attempt, life);
  if (on) on = co_await life.work(over.setup);
  if (on) on = co_await life.contact();
  if (on) on = co_await execute(attempt, life, over);
  if (life.end() != ClaimLife::End::none) lost(attempt, life, claim, over.requeue);
  co_return on;
}

// Drawn together, so that each is the same whatever becomes of the attempt.
DatedAttempts::Overheads DatedAttempts::overheads(Attempt const& attempt) const {
  RandomStream stream = streams_.stream(Purpose::overheads, number(attempt.job), attempt.number);
  Seconds const setup(draw_.setup.sample(stream));
  Seconds const teardown(draw_.teardown.sample(stream));
  Seconds const requeue(draw_.requeue_delay.sample(stream));
  return {setup, teardown, requeue};
}

// True if the input is there; else the access point knows why, or the claim has ended.
Step<bool> DatedAttempts::fetch(Attempt const& attempt, ClaimLife& life) {
  Seconds const lifetime = access_point_.policy().plugin_lifetime.value_or(default_plugin_lifetime);
  auto const urls = plan_urls(campaign_.input, draw_, site(attempt.slot), lifetime,
                              streams_.stream(Purpose::url, number(attempt.job), attempt.number));
  history::UrlTransfer transfer;
  transfer.job = attempt.job;
  transfer.attempt = attempt.number + 1;
  for (std::size_t i = 0; i < urls.size(); ++i) {
    transfer.start = clock_.now();
    bool const fetched = co_await life.work(urls[i].time);
    if (!fetched) co_return false;
    transfer.url = static_cast<std::uint32_t>(i);
    transfer.end = clock_.now();
    transfer.duration = urls[i].time;
    transfer.succeeded = urls[i].end == UrlEnd::arrived;
    transfer.size = transfer.succeeded ? campaign_.input[i].size : Bytes();
    delivered_ += transfer.size;
    recorder_.record(transfer);
  }
  bool const heard = co_await life.contact();
  if (!heard) co_return false;
  UrlEnd const end = urls.empty() ? UrlEnd::arrived : urls.back().end;
  if (end != UrlEnd::arrived) {
    bool const failed = end == UrlEnd::failed;
    access_point_.transfer_failed(
        attempt.job, attempt.slot,
        failed ? history::Reason::transfer_failed : history::Reason::transfer_timeout);
    co_return false;
  }
  recorder_.record(attempt.job, history::EventKind::transfer_input_finished, attempt.slot);
  co_return true;
}

std::vector<training::Stretch> DatedAttempts::plan(Attempt const& attempt,
                                                   std::uint32_t execution) {
  RandomStream job = streams_.stream(Purpose::job_work, number(attempt.job));
  RandomStream pace = streams_.stream(Purpose::execution, number(attempt.job), execution);
  RandomStream crash = streams_.stream(Purpose::crash, number(attempt.job), execution);
  training::Luck luck;
  luck.job = normal_quantile(job.uniform());
  luck.execution = normal_quantile(pace.uniform());
  luck.crash = crash.uniform();
  luck.crash_at = crash.uniform();
  return training::plan_execution(
      {.work = work_,
       .draw = draw_,
       .site = site(attempt.slot),
       .crash_odds = crash_odds_,
       .checkpoint_every = access_point_.policy().checkpoint_every_epochs,
       .epochs_stored = access_point_.ad(attempt.job).epochs_stored,
       .training = training_.empty() ? Seconds() : training_[attempt.slot.site.index()],
       .job_scale = scales_[attempt.job.index()]},
      luck);
}

Step<bool> DatedAttempts::execute(Attempt const& attempt, ClaimLife& life,
                                  Overheads const& overheads) {
  std::uint32_t const execution = access_point_.executing(attempt.job, attempt.slot);
  RandomStream storing = streams_.stream(Purpose::checkpoint, number(attempt.job), attempt.number);
  auto const stretches = plan(attempt, execution);
  bool crashed = false;
  for (training::Stretch const& stretch : stretches) {
    bool const computed = co_await life.work(stretch.time);
    if (!computed) co_return false;
    crashed = stretch.end == training::Stretch::End::crash;
    if (stretch.end != training::Stretch::End::checkpoint) break;
    bool const stored = co_await store_checkpoint(attempt, life, stretch.epochs, storing);
    if (!stored) co_return false;
  }
  co_return co_await finish(attempt, life, overheads, crashed);
}

Step<bool> DatedAttempts::store_checkpoint(Attempt const& attempt, ClaimLife& life, int epochs,
                                           RandomStream& stream) {
  Seconds const time(draw_.checkpoint.sample(stream));
  bool const heard = co_await life.contact();
  if (!heard) co_return false;
  recorder_.record(attempt.job, history::EventKind::transfer_output_started, attempt.slot);
  bool const sent = co_await life.work(time);
  if (!sent) co_return false;
  bool const arrived = co_await life.contact();
  if (!arrived) co_return false;
  access_point_.checkpointed(attempt.job, attempt.slot, epochs);
  co_return true;
}

Step<bool> DatedAttempts::finish(Attempt const& attempt, ClaimLife& life,
                                 Overheads const& overheads, bool crashed) {
  bool const heard = co_await life.contact();
  if (!heard) co_return false;
  recorder_.record(attempt.job, history::EventKind::transfer_output_started, attempt.slot);
  bool const sent = co_await life.work(overheads.teardown);
  if (!sent) co_return false;
  bool const arrived = co_await life.contact();
  if (!arrived) co_return false;
  if (crashed && access_point_.policy().crash_holds) {
    access_point_.held_while_running(attempt.job, attempt.slot, history::Reason::output_missing);
    co_return true;
  }
  recorder_.record(attempt.job, history::EventKind::transfer_output_finished, attempt.slot);
  access_point_.exited(attempt.job, attempt.slot,
                       crashed ? history::Reason::exit_code : history::Reason::none);
  co_return true;
}

// The end of the attempt from outside.
void DatedAttempts::lost(Attempt const& attempt, ClaimLife const& life, Claim const& claim,
                         Seconds requeue_delay) {
  switch (life.end()) {
    case ClaimLife::End::vacated:
      access_point_.evicted(attempt.job, attempt.slot, {history::Reason::vacated, requeue_delay});
      return;
    case ClaimLife::End::lease_expired:
      access_point_.reconnect_failed(attempt.job, attempt.slot,
                                     {history::Reason::lost_contact, requeue_delay});
      return;
    case ClaimLife::End::claim:
      break;
    case ClaimLife::End::none:
      return;
  }
  if (claim.why() == Claim::End::by_access_point) {
    access_point_.stopped(attempt.job, attempt.slot);
    return;
  }
  Seconds lease_end = life.lease_end();
  if (!life.disconnected()) {
    recorder_.record(attempt.job, history::EventKind::disconnected, attempt.slot);
    Seconds const lease = access_point_.policy().job_lease_duration.value_or(default_lease);
    lease_end = clock_.now() + lease;
  }
  access_point_.lost(attempt.job, attempt.slot, lease_end,
                     {history::Reason::lost_contact, requeue_delay});
}

}  // namespace gridcast::engine
