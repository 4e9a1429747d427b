#include "sim/engine/bad_periods.hpp"

#include <cmath>

namespace gridcast::engine {

bool BadPeriods::bad(std::uint32_t entity, Seconds at) {
  auto [found, is_new] = timelines_.try_emplace(
      entity, Timeline{streams_.stream(Purpose::overload, entity), false, Seconds(0)});
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
  return timeline.bad;
}

Seconds BadPeriods::period(Timeline& timeline) const {
  double const f = draw_.bad_fraction;
  Seconds const mean = timeline.bad ? draw_.bad_duration : draw_.bad_duration * ((1 - f) / f);
  return mean * -std::log(timeline.stream.uniform());
}

}  // namespace gridcast::engine
