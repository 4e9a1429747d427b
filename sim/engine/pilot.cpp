#include "sim/engine/pilot.hpp"

#include <algorithm>
#include <cmath>

namespace gridcast::engine {

namespace {

// glideinWMS condor_startup.sh: of the entry's walltime, what the pilot keeps back.
constexpr Seconds pilot_reserve = Seconds(370 + 120);
constexpr Seconds job_max_time(36000);  // GLIDEIN_Job_Max_Time of the OSPool

// The random streams of a pilot are those of the first slot that it holds.
std::uint32_t entity_of(Id<history::Site> site, std::uint32_t slot) {
  return site.number() << 20 | slot;
}

/// What a slot does with a match: from the match until the job has left it.
template <class Attempts>
Step<SlotAfter> serve(Clock& clock, AccessPoint& access_point, Attempts& attempts, Match match,
                      SlotRef slot, Claim& claim, Seconds& busy) {
  Id<history::Job> const job = match.job;
  access_point.matched(job, claim);
  Waited started = Waited::done;
  if (match.shadow_start > clock.now()) {
    started = co_await clock.sleep_until(match.shadow_start, &claim.interrupt());
  }
  if (started == Waited::cut_off && claim.why() == Claim::End::by_access_point) {
    access_point.stopped(job, slot);
    co_return SlotAfter::free;
  }
  if (started == Waited::cut_off) {
    access_point.not_started(job);
    co_return SlotAfter::gone;
  }
  Seconds const claimed = clock.now();
  SlotAfter const after = co_await attempts.run(job, slot, claim);
  busy += clock.now() - claimed;
  co_return after;
}

}  // namespace

TablePilots::TablePilots(Clock& clock, AccessPoint& access_point, Negotiator& negotiator,
                         TableAttempts& attempts, ReplicaInput const& in)
    : clock_(clock),
      access_point_(access_point),
      negotiator_(negotiator),
      attempts_(attempts),
      in_(in) {
  for (scenario::SiteSpec const& site : in.pool.sites) {
    sites_.push_back(&in.draw.sites.at(site.name));
  }
}

void TablePilots::start(Id<history::Site> site, int slots) {
  for (int i = 0; i < slots; ++i) occupy_slot(site, static_cast<std::uint32_t>(i));
}

// One pilot after the other.
Process TablePilots::occupy_slot(Id<history::Site> site, std::uint32_t number) {
  SlotRef slot{site, number, 0};
  for (; !negotiator_.closed(); ++slot.pilot) {
    RandomStream stream = in_.streams.stream(Purpose::pilot, entity_of(site, number), slot.pilot);
    if (slot.pilot > 0) {
      co_await clock_.sleep(in_.pool.pilots.replacement * -std::log(stream.uniform()));
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
      SlotAfter const after =
          co_await serve(clock_, access_point_, attempts_, *match, slot, claim, time_.busy);
      current = nullptr;
      if (after == SlotAfter::gone) break;
    }
    stop(dies);
    time_.life += clock_.now() - start;
  }
}

// die = walltime - reserve, retire = die - job_max_time, both less up to a tenth of the retire
// time. Pilots come because jobs wait, so even the first is new. The site's kills are exponential.
TablePilots::Life TablePilots::draw_life(SlotRef const& slot, Seconds start,
                                         RandomStream& stream) const {
  scenario::SiteSpec const& site = in_.pool.sites[slot.site.index()];
  Seconds const walltime =
      site.pilot_walltime > Seconds() ? site.pilot_walltime : in_.pool.pilots.walltime;
  Seconds const full = walltime - pilot_reserve;
  Seconds const spread = (full - job_max_time) * (0.1 * stream.uniform());
  Seconds const die = full - spread;
  double const kills = sites_[slot.site.index()]->pilot_kill_per_second;
  Seconds const killed(-std::log(stream.uniform()) / std::max(kills, 1e-15));
  return {start + std::min(die, killed), start + die - in_.pool.pilots.min_remaining};
}

void EventLogPilots::start(Id<history::Site> site, scenario::SiteSpec const& spec, int slots) {
  for (int first = 0; first < slots; first += spec.slots_per_pilot) {
    int const own = std::min(spec.slots_per_pilot, slots - first);
    Pilot& pilot = pilots_.emplace_back();
    pilot.site = site;
    pilot.entity = entity_of(site, static_cast<std::uint32_t>(first));
    pilot.death_per_second = draw_.sites.at(spec.name).pilot_death_per_second;
    pilot.claims.resize(static_cast<std::size_t>(own));
    live(pilot);
    for (int i = 0; i < own; ++i) {
      occupy_slot(pilot, static_cast<std::size_t>(i), static_cast<std::uint32_t>(first + i));
    }
  }
}

RandomStream EventLogPilots::stream(Pilot const& pilot) const {
  return streams_.stream(Purpose::pilot, pilot.entity, pilot.number);
}

void EventLogPilots::live(Pilot& pilot) {
  pilot.dead = false;
  if (pilot.death_per_second <= 0) return;
  Seconds const life(-std::log(stream(pilot).uniform()) / pilot.death_per_second);
  pilot.death = clock_.at(clock_.now() + life, [this, &pilot] { die(pilot); });
}

void EventLogPilots::die(Pilot& pilot) {
  pilot.death = nullptr;
  pilot.dead = true;
  RandomStream luck = stream(pilot);
  luck.uniform();  // its life
  pilot.next_at = clock_.now() + draw_.pilot_replacement * -std::log(luck.uniform());
  ++pilot.number;
  for (Claim* const claim : std::vector<Claim*>(pilot.claims)) {
    if (claim) claim->end(Claim::End::pilot_died);
  }
}

void EventLogPilots::close() {
  for (Pilot& pilot : pilots_) stop(pilot.death);
}

Process EventLogPilots::occupy_slot(Pilot& pilot, std::size_t place, std::uint32_t number) {
  constexpr Seconds always(1e18);
  while (!negotiator_.closed()) {
    if (pilot.dead) {
      co_await clock_.sleep_until(pilot.next_at);
      bool const first_of_its_slots = pilot.dead;
      if (first_of_its_slots && !negotiator_.closed()) live(pilot);
      continue;
    }
    SlotRef const slot{pilot.site, number, pilot.number};
    Seconds const start = clock_.now();
    Claim claim;
    pilot.claims[place] = &claim;
    auto const match = co_await negotiator_.advertise(slot, always, claim.interrupt());
    if (match) {
      co_await serve(clock_, access_point_, attempts_, *match, slot, claim, time_.busy);
    }
    pilot.claims[place] = nullptr;
    time_.life += clock_.now() - start;
  }
}

}  // namespace gridcast::engine
