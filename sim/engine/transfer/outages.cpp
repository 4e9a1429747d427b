#include "sim/engine/transfer/outages.hpp"

#include <cmath>
#include <limits>

namespace gridcast::engine {

std::optional<Seconds> BadPeriods::bad_until(OutageEntity entity, Seconds at) {
  bool const never = draw_.bad_fraction <= 0 || draw_.bad_duration <= Seconds();
  if (draw_.scope == scenario::OutageScope::none || never) return std::nullopt;
  auto [found, is_new] = timelines_.try_emplace(
      entity.key(),
      Timeline{streams_.stream(Purpose::overload, entity.thing, entity.path), false, Seconds(0)});
  Timeline& timeline = found->second;
  if (is_new) {
    timeline.bad = timeline.stream.chance(draw_.bad_fraction);
    timeline.until = period(timeline);
    if (remembers_ && timeline.bad) remembered_.push_back({entity, Seconds(), timeline.until});
  }
  while (timeline.until <= at) {
    timeline.bad = !timeline.bad;
    Seconds const start = timeline.until;
    timeline.until += period(timeline);
    if (remembers_ && timeline.bad) remembered_.push_back({entity, start, timeline.until});
  }
  return timeline.bad ? std::optional(timeline.until) : std::nullopt;
}

Seconds BadPeriods::period(Timeline& timeline) const {
  constexpr Seconds for_ever(std::numeric_limits<double>::infinity());
  double const f = draw_.bad_fraction;
  if (f >= 1) return for_ever;
  Seconds const mean = timeline.bad ? draw_.bad_duration : draw_.bad_duration * ((1 - f) / f);
  return mean * -std::log(timeline.stream.uniform());
}

BadTime::BadTime(scenario::OutageParameters const& draw, int failures, Seconds cost,
                 RandomStream stream)
    : draw_(draw), stream_(stream) {
  double const within_last = stream_.uniform();
  if (failures > 0) until_ = cost * (failures - 1 + within_last);
}

namespace {

// What a job leaves when it gets another slot, and when its client asks another cache.
bool is_near(scenario::OutageScope scope) {
  return scope == scenario::OutageScope::path || scope == scenario::OutageScope::node;
}
bool of_a_cache(scenario::OutageScope scope) {
  return scope == scenario::OutageScope::path || scope == scenario::OutageScope::cache;
}

}  // namespace

void BadTime::another_slot(Seconds at) {
  if (is_near(draw_.scope)) draw_again(at);
}

void BadTime::another_cache(Seconds at) {
  if (of_a_cache(draw_.scope)) draw_again(at);
}

// In equilibrium: bad with the long-run share, and then for an exponential time more.
void BadTime::draw_again(Seconds at) {
  bool const bad = stream_.chance(draw_.bad_fraction);
  Seconds const more = draw_.bad_duration * -std::log(stream_.uniform());
  until_ = bad ? at + more : at;
}

}  // namespace gridcast::engine
