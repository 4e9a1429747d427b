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

}  // namespace gridcast::engine
