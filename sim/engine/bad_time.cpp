#include "sim/engine/bad_time.hpp"

#include <cmath>

namespace gridcast::engine {

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
