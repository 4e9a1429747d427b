// Periods in which failures come together: something that many jobs use does not work.
//
// Bad periods of an origin, a cache or a path: an alternating renewal process, the state of a
// Markov-modulated stall hazard.
//   bad periods  ~ Exp(mean D),  quiet periods ~ Exp(mean D (1 - f) / f),  started in equilibrium,
// f the long-run share of bad time. An entity's periods follow from its own stream and time 0, so
// they are the same under every strategy, whenever one looks.
//
// Shocks: a failure that comes as one event and then hits one start after the other. The namespace
// answers 404 (fifteen jobs in a row in the published campaign), a site's outbound network is down
// (two in a row). While none is on, a job's first start sets one off with a small probability. A
// table has no dates and does not show its length, so the length is a hypothesis of the draw
// (docs/model/missing-namespaces.md):
//   in starts  it hits that start and a Poisson number of the next ones, retries included: it is
//              used up by trying
//   in time    it hits every start until a time has passed: it is sat out by waiting
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/base/random.hpp"
#include "sim/base/units.hpp"
#include "sim/engine/clock.hpp"
#include "sim/scenario/parameter_draw.hpp"

namespace gridcast::engine {

/// An entity that can be bad, named without collisions: a number of the pool's (a cache, a slot, a
/// node, a site) and, for a path, which of the slot's pilots and which cache.
struct OutageEntity {
  std::uint32_t thing = 0;
  std::uint32_t path = 0;

  std::uint64_t key() const { return std::uint64_t{thing} << 32 | path; }
};

class BadPeriods {
 public:
  BadPeriods(scenario::OutageParameters const& draw, RandomStreams const& streams)
      : draw_(draw), streams_(streams) {}

  /// The end of the bad period that the entity is in at `at`; nothing if it is in none. Times must
  /// not go backwards for an entity.
  std::optional<Seconds> bad_until(OutageEntity entity, Seconds at);

 private:
  struct Timeline {
    RandomStream stream;
    bool bad;
    Seconds until;
  };
  Seconds period(Timeline& timeline) const;

  scenario::OutageParameters const& draw_;
  RandomStreams const& streams_;
  std::unordered_map<std::uint64_t, Timeline> timelines_;
};

class Shock {
 public:
  /// `scopes`: how many places have events of their own (1 for the namespace, one for each site).
  Shock(scenario::ShockParameters const& draw, RandomStreams const& streams, std::uint32_t kind,
        std::size_t scopes)
      : draw_(draw), streams_(streams), kind_(kind), events_(scopes) {}

  /// One start of `job` at `scope`, now: is it hit?
  bool hits(std::size_t scope, std::uint32_t job, bool first_start, Seconds now) {
    Event& event = events_[scope];
    if (first_start && !event.on(now)) {
      RandomStream stream = streams_.stream(Purpose::shock, job, kind_);
      if (stream.chance(draw_.per_start)) event = begin(stream, now);
    }
    if (!event.on(now)) return false;
    if (event.hits_left > 0) --event.hits_left;
    return true;
  }

 private:
  struct Event {
    std::uint64_t hits_left = 0;
    Seconds until;

    bool on(Seconds now) const { return hits_left > 0 || now < until; }
  };

  Event begin(RandomStream& stream, Seconds now) const {
    double const u = stream.uniform();
    if (draw_.lasts <= Seconds()) return {1 + further_hits(u), Seconds()};
    return {1, now + draw_.lasts * -std::log(u)};
  }

  std::uint64_t further_hits(double u) const {
    if (draw_.mean_hits <= 1) return 0;
    return static_cast<std::uint64_t>(poisson_quantile(u, draw_.mean_hits - 1));
  }

  scenario::ShockParameters const& draw_;
  RandomStreams const& streams_;
  std::uint32_t kind_;
  std::vector<Event> events_;
};

inline std::optional<Seconds> BadPeriods::bad_until(OutageEntity entity, Seconds at) {
  bool const never = draw_.bad_fraction <= 0 || draw_.bad_duration <= Seconds();
  if (draw_.scope == scenario::OutageScope::none || never) return std::nullopt;
  auto [found, is_new] = timelines_.try_emplace(
      entity.key(),
      Timeline{streams_.stream(Purpose::overload, entity.thing, entity.path), false, Seconds(0)});
  Timeline& timeline = found->second;
  if (is_new) {
    timeline.bad = timeline.stream.chance(draw_.bad_fraction);
    timeline.until = period(timeline);
  }
  while (timeline.until <= at) {
    timeline.bad = !timeline.bad;
    timeline.until += period(timeline);
  }
  return timeline.bad ? std::optional(timeline.until) : std::nullopt;
}

inline Seconds BadPeriods::period(Timeline& timeline) const {
  double const f = draw_.bad_fraction;
  if (f >= 1) return end_of_time;
  Seconds const mean = timeline.bad ? draw_.bad_duration : draw_.bad_duration * ((1 - f) / f);
  return mean * timeline.stream.exponential();
}

}  // namespace gridcast::engine
