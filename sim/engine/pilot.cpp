#include "sim/engine/pilot.hpp"

#include <algorithm>
#include <cmath>

#include "sim/training/execution.hpp"

namespace gridcast::engine {

namespace {

constexpr std::uint32_t network_down_kind = 1;  // stream of the site outages

// glideinWMS condor_startup.sh: of the entry's walltime, what the pilot keeps back.
constexpr Seconds pilot_reserve = Seconds(370 + 120);
constexpr Seconds job_max_time(36000);  // GLIDEIN_Job_Max_Time of the OSPool

std::uint32_t number(Id<history::Job> job) { return static_cast<std::uint32_t>(job.index()); }

std::uint32_t pilot_entity(SlotRef const& slot) {
  return static_cast<std::uint32_t>(slot.site.index()) << 20 | slot.number;
}

}  // namespace

Pilots::Pilots(Clock& clock, Recorder& recorder, AccessPoint& access_point, Negotiator& negotiator,
               InputTransfer& input, scenario::Pool const& pool, scenario::Campaign const& campaign,
               scenario::Strategy const& strategy, scenario::ParameterDraw const& draw,
               RandomStreams const& streams, bool shocks)
    : clock_(clock),
      recorder_(recorder),
      access_point_(access_point),
      negotiator_(negotiator),
      input_(input),
      pool_(pool),
      campaign_(campaign),
      draw_(draw),
      streams_(streams),
      shocks_(shocks),
      max_execution_(
          strategy.retry.policy.allowed_execute_duration.value_or(pool.access_point.max_execution)),
      network_down_(draw.network_down, streams, network_down_kind, pool.sites.size()) {
  for (scenario::SiteSpec const& site : pool.sites) sites_.push_back(&draw.sites.at(site.name));
}

void Pilots::start(Id<history::Site> site, int slots) {
  for (int i = 0; i < slots; ++i) hold_slot(site, static_cast<std::uint32_t>(i));
}

Process Pilots::hold_slot(Id<history::Site> site, std::uint32_t number) {
  SlotRef slot{site, number, 0};
  for (; !negotiator_.closed(); ++slot.pilot) {
    RandomStream stream = streams_.stream(Purpose::pilot, pilot_entity(slot), slot.pilot);
    if (slot.pilot > 0) {
      co_await clock_.sleep(pool_.pilots.replacement * -std::log(stream.uniform()));
    }
    Seconds const start = clock_.now();
    Life const life = draw_life(slot, start, stream);
    bool dead = false;
    Claim* current = nullptr;
    Timer* dies = clock_.at(life.die, [&] {
      dies = nullptr;
      dead = true;
      if (current) current->end(Claim::End::pilot_died);
    });
    while (!dead) {
      Claim claim;
      current = &claim;
      auto const match = co_await negotiator_.advertise(slot, life.accept_until, claim.interrupt());
      if (!match) break;
      bool const slot_left = co_await run_job(*match, slot, claim);
      current = nullptr;
      if (!slot_left) break;
    }
    if (dies) dies->remove();
    life_ += clock_.now() - start;
  }
}

// die = walltime - reserve, retire = die - job_max_time, both less up to a tenth of the retire
// time. Pilots come because jobs wait, so even the first is new. The site's kills are exponential.
Pilots::Life Pilots::draw_life(SlotRef const& slot, Seconds start, RandomStream& stream) const {
  scenario::SiteSpec const& site = pool_.sites[slot.site.index()];
  Seconds const walltime =
      site.pilot_walltime > Seconds() ? site.pilot_walltime : pool_.pilots.walltime;
  Seconds const full = walltime - pilot_reserve;
  Seconds const spread = (full - job_max_time) * (0.1 * stream.uniform());
  Seconds const die = full - spread;
  double const kills = sites_[slot.site.index()]->pilot_kill_per_second;
  Seconds const killed(-std::log(stream.uniform()) / std::max(kills, 1e-15));
  return {start + std::min(die, killed), start + die - pool_.pilots.min_remaining};
}

// Returns whether the slot is still there.
Step<bool> Pilots::run_job(Match match, SlotRef slot, Claim& claim) {
  Id<history::Job> const job = match.job;
  access_point_.matched(job, claim);
  if (match.shadow_start > clock_.now()) {
    bool const slept = co_await clock_.sleep_until(match.shadow_start, &claim.interrupt());
    if (!slept && claim.why() == Claim::End::by_access_point) {
      access_point_.stopped(job, slot);
      co_return true;
    }
    if (!slept) {
      access_point_.not_started(job);
      co_return false;
    }
  }
  Seconds const claimed = clock_.now();
  bool const slot_left = co_await run_activation(job, slot, claim);
  busy_ += clock_.now() - claimed;
  co_return slot_left;
}

// Tells the access point what became of the job; returns whether the slot is still there.
bool Pilots::interrupted(Id<history::Job> job, SlotRef const& slot, Claim const& claim) {
  if (claim.why() == Claim::End::by_access_point) {
    access_point_.stopped(job, slot);
    return true;
  }
  if (claim.why() == Claim::End::too_long) {
    access_point_.held_while_running(job, slot, history::Reason::execution_too_long);
    return true;
  }
  access_point_.evicted(job, slot);
  return false;
}

Step<bool> Pilots::run_activation(Id<history::Job> job, SlotRef slot, Claim& claim) {
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
      co_return interrupted(job, slot, claim);
    case InputEnd::failed:
      access_point_.transfer_failed(job, slot, input.reason);
      co_return true;
    case InputEnd::arrived:
      break;
  }
  recorder_.record(job, history::EventKind::transfer_input_finished, slot);
  co_return co_await execute(job, slot, claim);
}

Step<bool> Pilots::execute(Id<history::Job> job, SlotRef slot, Claim& claim) {
  std::uint32_t const execution = access_point_.executing(job, slot);
  scenario::SiteParameters const& site = *sites_[slot.site.index()];
  RandomStream pace = streams_.stream(Purpose::execution, number(job), execution);
  Seconds const policy_interval = pool_.access_point.policy_interval;
  Seconds time = training::execution_time(site, training_ ? 1 : campaign_.work.epochs, pace);
  history::Reason reason = history::Reason::none;
  bool const streams = training_ && training_->streams();  // there is no archive to unpack
  if (shocks_ && network_down_.hits(slot.site.index(), number(job), execution == 0)) {
    time = site.unpack;
    reason = history::Reason::site_network_down;
  } else if (streams_.stream(Purpose::corruption, number(job), execution)
                 .chance(shocks_ && !streams ? draw_.corrupt_input : 0)) {
    time = draw_.corrupt_execution;
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
  bool const slept = co_await clock_.sleep(time, &claim.interrupt());
  if (!slept) co_return interrupted(job, slot, claim);
  if (too_long) {
    access_point_.held_while_running(job, slot, history::Reason::execution_too_long);
    co_return true;
  }
  co_return co_await finish(job, slot, reason, claim);
}

Step<bool> Pilots::train(Id<history::Job> job, SlotRef slot, Pace pace, Claim& claim) {
  InputResult const trained = co_await training_->run(job, slot, pace, claim);
  switch (trained.end) {
    case InputEnd::interrupted:
      co_return interrupted(job, slot, claim);
    case InputEnd::failed:
      access_point_.transfer_failed(job, slot, trained.reason);
      co_return true;
    case InputEnd::arrived:
      break;
  }
  co_return co_await finish(job, slot, history::Reason::none, claim);
}

Step<bool> Pilots::finish(Id<history::Job> job, SlotRef slot, history::Reason reason,
                          Claim& claim) {
  recorder_.record(job, history::EventKind::transfer_output_started, slot);
  RandomStream stream =
      streams_.stream(Purpose::execution, number(job), access_point_.ad(job).executions | 0x10000);
  Seconds const overhead(draw_.overhead.sample(stream));
  bool const slept = co_await clock_.sleep(overhead, &claim.interrupt());
  if (!slept) co_return interrupted(job, slot, claim);
  recorder_.record(job, history::EventKind::transfer_output_finished, slot);
  access_point_.exited(job, slot, reason);
  co_return true;
}

}  // namespace gridcast::engine
