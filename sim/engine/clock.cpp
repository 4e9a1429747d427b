#include "sim/engine/clock.hpp"

namespace gridcast::engine {

void Timer::remove() {
  if (of_simgrid_) {
    of_simgrid_->remove();
  } else {
    heap_->erase(*this);
  }
  delete this;
}

void Clock::set(Timer& timer, double when) {
  if (simgrid_) {
    timer.of_simgrid_ = simgrid::kernel::timer::Timer::set(when, [&timer] { timer.fire(); });
    return;
  }
  timer.heap_ = &heap_;
  timer.when = when;
  heap_.push(timer);
}

void Clock::run() {
  if (simgrid_) {
    simgrid::s4u::Engine::get_instance()->run();
    return;
  }
  while (!heap_.empty()) {
    auto* const timer = static_cast<Timer*>(heap_.top());
    heap_.erase(*timer);
    now_ = Seconds(timer->when);
    timer->fire();
  }
}

}  // namespace gridcast::engine
