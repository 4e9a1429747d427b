#include "sim/engine/pilot.hpp"

#include <algorithm>

namespace gridcast::engine {

namespace {

// glideinWMS condor_startup.sh: the part of the entry's walltime that the pilot keeps back.
constexpr Seconds pilot_reserve = Seconds(370 + 120);

/// The longest job that the pilot keeps time for: GLIDEIN_Job_Max_Time of the OSPool, less where
/// the entry's walltime leaves it none beside the ways down (120 + 66 + 370 s) and the shortest
/// pilot (600 s).
Seconds job_max_time(Seconds walltime) {
  constexpr Seconds of_ospool(36000), beside(120 + 66 + 370 + 600);
  return std::clamp(walltime - beside, Seconds(), of_ospool);
}

}  // namespace

Pilots::Pilots(Clock& clock, AccessPoint& access_point, Negotiator& negotiator, Attempts& attempts,
               ReplicaInput const& in)
    : clock_(clock),
      access_point_(access_point),
      negotiator_(negotiator),
      attempts_(attempts),
      in_(in),
      sites_(parameters_by_site(in)) {}

void Pilots::start(Id<history::Site> site, std::uint32_t slots) {
  auto const each = static_cast<std::uint32_t>(in_.pool.sites[site.index()].slots_per_pilot);
  for (std::uint32_t first = 0; first < slots; first += each) {
    Pilot& pilot = pilots_.emplace_back();
    pilot.site = site;
    pilot.first = first;
    pilot.slots = std::min(each, slots - first);
    pilot.claims.resize(pilot.slots);
    follow(pilot);
  }
}

// One pilot after the other. The random streams of a pilot are its site's and those of the first
// slot that it holds.
Process Pilots::follow(Pilot& pilot) {
  Seconds const replacement = in_.draw.pilot_replacement.value_or(in_.pool.pilots.replacement);
  for (; !negotiator_.closed(); ++pilot.number) {
    RandomStream const site = in_.streams.stream(Purpose::pilot, pilot.first, pilot.number);
    RandomStream stream = site.from_block(pilot.site.number());
    double const wait = stream.exponential();
    if (pilot.number > 0) co_await clock_.sleep(replacement * wait);
    Seconds const start = clock_.now();
    Life const life = draw_life(pilot, stream);
    pilot.accept_until = life.accept_until;
    pilot.ended = false;
    Alarm ends(clock_);
    if (life.end < end_of_time) {
      ends.set(life.end, [&pilot, how = life.how] {
        pilot.ended = true;
        for (Claim* const claim : std::vector<Claim*>(pilot.claims)) {
          if (claim) claim->end(how);
        }
      });
    }
    Countdown leaving(static_cast<int>(pilot.slots));
    for (std::uint32_t i = 0; i < pilot.slots; ++i) serve_slot(pilot, i, leaving);
    co_await leaving.zero();
    time_.life += (clock_.now() - start) * pilot.slots;
  }
}

Process Pilots::serve_slot(Pilot& pilot, std::uint32_t place, Countdown& leaving) {
  SlotRef const slot{pilot.site, pilot.first + place, pilot.number};
  while (!pilot.ended) {
    Claim claim;
    pilot.claims[place] = &claim;
    auto const match = co_await negotiator_.advertise(slot, pilot.accept_until, claim.interrupt());
    if (!match) break;
    access_point_.matched(match->job, claim);
    Waited started = Waited::done;
    if (match->shadow_start > clock_.now()) {
      started = co_await clock_.sleep_until(match->shadow_start, &claim.interrupt());
    }
    if (started == Waited::cut_off) {
      never_started(match->job, slot, claim);
    } else {
      Seconds const claimed = clock_.now();
      co_await attempts_.run(match->job, slot, claim);
      time_.busy += (clock_.now() - claimed) * negotiator_.slots_of(match->job, slot.site.index());
    }
    negotiator_.released(match->job);
    pilot.claims[place] = nullptr;
  }
  pilot.claims[place] = nullptr;
  leaving.done();
}

void Pilots::never_started(Id<history::Job> job, SlotRef const& slot, Claim const& claim) {
  if (claim.why() == Claim::End::by_access_point) return access_point_.stopped(job, slot);
  access_point_.not_started(job);
}

// die = walltime - reserve, retire = die - job_max_time(walltime), both less up to a tenth of the
// retire time. Pilots come because jobs wait, so even the first is new. The site's kills are
// exponential.
Pilots::Life Pilots::draw_life(Pilot const& pilot, RandomStream& stream) const {
  scenario::SiteSpec const& site = in_.pool.sites[pilot.site.index()];
  scenario::SiteParameters const& parameters = *sites_[pilot.site.index()];
  Seconds const start = clock_.now();
  double const u = stream.uniform(), killed = stream.exponential();
  auto const after = [&](double hazard) {
    return hazard > 0 ? start + Seconds(killed / hazard) : end_of_time;
  };
  if (parameters.pilot_death_per_second) {
    Seconds const lost = after(*parameters.pilot_death_per_second);
    double const kill_rate = parameters.pilot_kill_per_second;
    Seconds const shut_down =
        kill_rate > 0 ? start + Seconds(stream.exponential() / kill_rate) : end_of_time;
    if (shut_down < lost) return {shut_down, end_of_time, Claim::End::pilot_ended};
    return {lost, end_of_time, Claim::End::pilot_lost};
  }
  Seconds const walltime =
      site.pilot_walltime > Seconds() ? site.pilot_walltime : in_.pool.pilots.walltime;
  Seconds const full = walltime - pilot_reserve;
  Seconds const spread = (full - job_max_time(walltime)) * (0.1 * u);
  Seconds const end = start + full - spread;
  return {std::min(end, after(parameters.pilot_kill_per_second)),
          end - in_.pool.pilots.min_remaining};
}

}  // namespace gridcast::engine
