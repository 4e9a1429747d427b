#include "sim/engine/transfer/outages.hpp"

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

BadTime::BadTime(scenario::StallParameters const& draw, int failures, Seconds cost,
                 RandomStream stream)
    : draw_(draw), stream_(stream) {
  double const within_last = stream_.uniform();
  if (failures > 0) until_ = cost * (failures - 1 + within_last);
}

void BadTime::another_slot(Seconds at) {
  if (draw_.scope == scenario::StallScope::path) draw_again(at);
}

void BadTime::another_cache(Seconds at) {
  if (draw_.scope != scenario::StallScope::origin) draw_again(at);
}

// In equilibrium: bad with the long-run share, and then for an exponential time more.
void BadTime::draw_again(Seconds at) {
  bool const bad = stream_.chance(draw_.bad_fraction);
  Seconds const more = draw_.bad_duration * -std::log(stream_.uniform());
  until_ = bad ? at + more : at;
}

}  // namespace gridcast::engine
