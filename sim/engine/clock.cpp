#include "sim/engine/clock.hpp"

namespace gridcast::engine {

void Timer::remove() {
  if (of_simgrid_) {
    of_simgrid_->remove();
  } else {
    heap_->erase(place_);
  }
  delete this;
}

void Clock::set(Timer& timer, double when) {
  if (simgrid_) {
    timer.of_simgrid_ = simgrid::kernel::timer::Timer::set(when, [&timer] { timer.fire(); });
    return;
  }
  timer.heap_ = &heap_;
  timer.place_ = heap_.push({when, &timer});
}

void Clock::run() {
  if (simgrid_) {
    simgrid::s4u::Engine::get_instance()->run();
    return;
  }
  while (!heap_.empty()) {
    auto const [when, timer] = heap_.top();
    heap_.pop();
    now_ = Seconds(when);
    timer->fire();
  }
}

}  // namespace gridcast::engine
