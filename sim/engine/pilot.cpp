#include "sim/engine/pilot.hpp"

#include <algorithm>
#include <cmath>

#include "sim/training/execution_time.hpp"

namespace gridcast {

namespace {

constexpr std::uint32_t network_down_kind = 1;  // stream of the site outages

// glideinWMS condor_startup.sh: of the entry's walltime, what the pilot keeps back.
constexpr Seconds pilot_reserve = Seconds(370 + 120);
constexpr Seconds job_max_time(36000);  // GLIDEIN_Job_Max_Time of the OSPool

std::uint32_t number(Id<Job> job) { return static_cast<std::uint32_t>(job.index()); }

std::uint32_t pilot_entity(SlotRef const& slot) {
  return static_cast<std::uint32_t>(slot.site.index()) << 20 | slot.number;
}

}  // namespace

Pilots::Pilots(Clock& clock, Recorder& recorder, AccessPoint& access_point, Negotiator& negotiator,
               InputTransfer& input, Pool const& pool, Campaign const& campaign, World const& world,
               RandomStreams const& streams, bool shocks)
    : clock_(clock),
      recorder_(recorder),
      access_point_(access_point),
      negotiator_(negotiator),
      input_(input),
      pool_(pool),
      campaign_(campaign),
      world_(world),
      streams_(streams),
      shocks_(shocks),
      network_down_(world.network_down, streams, network_down_kind, pool.sites.size()) {
  for (SiteSpec const& site : pool.sites) sites_.push_back(&world.sites.at(site.name));
}

void Pilots::start(Id<Site> site, int gpus) {
  for (int i = 0; i < gpus; ++i) hold_gpu(site, static_cast<std::uint32_t>(i));
}

Process Pilots::hold_gpu(Id<Site> site, std::uint32_t number) {
  SlotRef slot{site, number, 0};
  for (; !negotiator_.closed(); ++slot.pilot) {
    RandomStream stream = streams_.stream(Purpose::pilot, pilot_entity(slot), slot.pilot);
    if (slot.pilot > 0) {
      co_await clock_.sleep(pool_.pilots.replacement * -std::log(stream.uniform()));
    }
    Seconds const start = clock_.now();
    Life const life = draw_life(slot, start, stream);
    Interrupt death;
    Timer* dies = clock_.at(life.die, [&] {
      dies = nullptr;
      death.raise();
    });
    while (auto const match = co_await negotiator_.advertise(slot, life.accept_until, death)) {
      if (!co_await run_job(*match, slot, death)) break;
    }
    if (dies) dies->remove();
    life_ += clock_.now() - start;
  }
}

// die = walltime - reserve, retire = die - job_max_time, both less up to a tenth of the retire
// time. Pilots come because jobs wait, so even the first is new. The site's kills are exponential.
Pilots::Life Pilots::draw_life(SlotRef const& slot, Seconds start, RandomStream& stream) const {
  SiteSpec const& site = pool_.sites[slot.site.index()];
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
Step<bool> Pilots::run_job(Match match, SlotRef slot, Interrupt& interrupt) {
  Id<Job> const job = match.job;
  JobAd& ad = access_point_.ad(job);
  ++ad.matches;
  ad.claim_reusable = false;
  if (match.shadow_start > clock_.now() &&
      !co_await clock_.sleep_until(match.shadow_start, &interrupt)) {
    access_point_.not_started(job);
    co_return false;
  }
  Seconds const claimed = clock_.now();
  bool const slot_left = co_await run_activation(job, slot, interrupt);
  busy_ += clock_.now() - claimed;
  co_return slot_left;
}

Step<bool> Pilots::run_activation(Id<Job> job, SlotRef slot, Interrupt& interrupt) {
  JobAd& ad = access_point_.ad(job);
  recorder_.record(job, EventKind::matched, slot);
  recorder_.record(job, EventKind::transfer_input_started, slot);
  std::uint32_t const attempt = ad.input_attempts++;
  InputResult const input = co_await input_.fetch(job, attempt, slot, interrupt);
  switch (input.end) {
    case InputEnd::interrupted:
      access_point_.evicted(job, slot);
      co_return false;
    case InputEnd::failed:
      access_point_.transfer_failed(job, slot, input.reason);
      co_return true;
    case InputEnd::arrived:
      break;
  }
  recorder_.record(job, EventKind::transfer_input_finished, slot);
  co_return co_await execute(job, slot, interrupt);
}

Step<bool> Pilots::execute(Id<Job> job, SlotRef slot, Interrupt& interrupt) {
  JobAd& ad = access_point_.ad(job);
  std::uint32_t const execution = ad.executions++;
  recorder_.record(job, EventKind::executing, slot);
  SiteWorld const& site = *sites_[slot.site.index()];
  RandomStream pace = streams_.stream(Purpose::execution, number(job), execution);
  Seconds time = execution_time(site, campaign_.work.epochs, pace);
  Reason reason = Reason::none;
  if (shocks_ && network_down_.hits(slot.site.index(), number(job), execution == 0)) {
    time = site.unpack;
    reason = Reason::site_network_down;
  } else if (streams_.stream(Purpose::corruption, number(job), execution)
                 .chance(shocks_ ? world_.corrupt_input : 0)) {
    time = world_.corrupt_execution;
    reason = Reason::corrupt_input;
  }
  AccessPointSpec const& limits = pool_.access_point;
  bool const too_long = time > limits.max_execution;
  if (too_long) time = limits.max_execution + limits.policy_interval * pace.uniform();
  if (!co_await clock_.sleep(time, &interrupt)) {
    access_point_.evicted(job, slot);
    co_return false;
  }
  if (too_long) {
    access_point_.held_while_running(job, slot, Reason::execution_too_long);
    co_return true;
  }
  co_return co_await finish(job, slot, reason, interrupt);
}

Step<bool> Pilots::finish(Id<Job> job, SlotRef slot, Reason reason, Interrupt& interrupt) {
  recorder_.record(job, EventKind::transfer_output_started, slot);
  RandomStream stream =
      streams_.stream(Purpose::execution, number(job), access_point_.ad(job).executions | 0x10000);
  Seconds const overhead(world_.overhead.sample(stream));
  if (!co_await clock_.sleep(overhead, &interrupt)) {
    access_point_.evicted(job, slot);
    co_return false;
  }
  recorder_.record(job, EventKind::transfer_output_finished, slot);
  access_point_.terminated(job, slot, reason);
  co_return true;
}

}  // namespace gridcast
