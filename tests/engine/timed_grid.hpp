// A quiet grid on which every step takes a known time, as event logs would show it, to be spoilt by
// the test that uses it.
#pragma once

#include "tests/engine/quiet_grid.hpp"

namespace gridcast::test {

namespace timed {

inline constexpr Seconds match_delay(2), setup(3), url(10), work(800), teardown(5), checkpoint(4),
    requeue(7), release(100), reconnect(20);

/// Times of a job, from match to release of its slot: alone, and with the jobs before it.
inline constexpr Seconds attempt = setup + url + work + teardown;
inline constexpr Seconds cycle = match_delay + attempt;

/// Times fall on ticks of a microsecond each, later by up to one.
inline constexpr double tick = 1e-4;

}  // namespace timed

/// Eight epochs; pilots follow each other 50 s apart on average, people release after 100 s.
inline Grid timed_grid(int slots, int jobs) {
  Grid grid = quiet_grid(slots, jobs);
  grid.campaign.work.epochs = 8;
  scenario::ParameterDraw& draw = grid.draw;
  draw.work = timed::work;
  draw.match_delay = always(timed::match_delay);
  draw.setup = always(timed::setup);
  draw.teardown = always(timed::teardown);
  draw.checkpoint = always(timed::checkpoint);
  draw.requeue_delay = always(timed::requeue);
  draw.release_transfer_hold = draw.release_other_hold = 1;
  draw.release_delay = always(timed::release);
  draw.reconnect_delay = always(timed::reconnect);
  draw.suspension = Seconds(6);
  draw.pilot_replacement = Seconds(50);
  return grid;
}

}  // namespace gridcast::test
