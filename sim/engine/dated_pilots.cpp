#include "sim/engine/dated_pilots.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridcast::engine {

void DatedPilots::start(Id<history::Site> site, scenario::SiteSpec const& spec, int slots) {
  for (int first = 0; first < slots; first += spec.slots_per_pilot) {
    int const own = std::min(spec.slots_per_pilot, slots - first);
    Pilot& pilot = pilots_.emplace_back();
    pilot.site = site;
    pilot.entity =
        static_cast<std::uint32_t>(site.index()) << 20 | static_cast<std::uint32_t>(first);
    pilot.death_per_second = draw_.sites.at(spec.name).pilot_death_per_second;
    pilot.claims.resize(static_cast<std::size_t>(own));
    live(pilot);
    for (int i = 0; i < own; ++i) {
      hold_slot(pilot, static_cast<std::size_t>(i), static_cast<std::uint32_t>(first + i));
    }
  }
}

RandomStream DatedPilots::stream(Pilot const& pilot) const {
  return streams_.stream(Purpose::pilot, pilot.entity, pilot.number);
}

void DatedPilots::live(Pilot& pilot) {
  pilot.dead = false;
  if (pilot.death_per_second <= 0) return;
  Seconds const life(-std::log(stream(pilot).uniform()) / pilot.death_per_second);
  pilot.death = clock_.at(clock_.now() + life, [this, &pilot] { die(pilot); });
}

void DatedPilots::die(Pilot& pilot) {
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

void DatedPilots::close() {
  for (Pilot& pilot : pilots_) {
    if (Timer* const death = std::exchange(pilot.death, nullptr)) death->remove();
  }
}

Process DatedPilots::hold_slot(Pilot& pilot, std::size_t place, std::uint32_t number) {
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
    co_await serve(slot, claim);
    pilot.claims[place] = nullptr;
    life_ += clock_.now() - start;
  }
}

// One job, if one comes.
Step<bool> DatedPilots::serve(SlotRef slot, Claim& claim) {
  constexpr Seconds always(1e18);
  auto const match = co_await negotiator_.advertise(slot, always, claim.interrupt());
  if (!match) co_return false;
  Id<history::Job> const job = match->job;
  access_point_.matched(job, claim);
  bool started = true;
  if (match->shadow_start > clock_.now()) {
    started = co_await clock_.sleep_until(match->shadow_start, &claim.interrupt());
  }
  if (!started && claim.why() == Claim::End::by_access_point) {
    access_point_.stopped(job, slot);
    co_return false;
  }
  if (!started) {
    access_point_.not_started(job);
    co_return false;
  }
  Seconds const claimed = clock_.now();
  co_await attempts_.run(job, slot, claim);
  busy_ += clock_.now() - claimed;
  co_return true;
}

}  // namespace gridcast::engine
