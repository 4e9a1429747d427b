// Simulated time: SimGrid's clock, counted from the start of the replica, and its timers.
//
// SimGrid has one engine a process and its clock goes on from one run to the next, so a replica
// keeps its own zero. Zero and timers fall on ticks of 2^-20 s (a microsecond): sums and
// differences of such times are exact in a double (up to 2^33 s, 272 years), so a replica is the
// same to the byte wherever SimGrid's clock stands.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Engine.hpp>

#include "sim/base/error.hpp"
#include "sim/base/units.hpp"
#include "sim/engine/process.hpp"

namespace gridcast::engine {

using Timer = simgrid::kernel::timer::Timer;

/// Takes a timer back, if one is set.
inline void stop(Timer*& timer) {
  if (Timer* const set = std::exchange(timer, nullptr)) set->remove();
}

class Clock;

/// `co_await clock.sleep(...)`: done if the whole time passed.
class [[nodiscard]] Sleep final : public Waiting {
 public:
  Sleep(Clock& clock, Seconds until, Interrupt* interrupt)
      : clock_(clock), until_(until), interrupt_(interrupt) {}

  bool await_ready() { return interrupted_ = interrupt_ && interrupt_->raised(); }
  void await_suspend(std::coroutine_handle<> waiter);
  Waited await_resume() const { return ended(); }
  void cancel() override { timer_->remove(); }

 private:
  Clock& clock_;
  Seconds until_;
  Interrupt* interrupt_;
  Timer* timer_ = nullptr;
};

class Clock {
 public:
  Clock() : zero_(next_tick(simgrid::s4u::Engine::get_clock())) {
    check(zero_ < latest_zero, "a process plays no more replicas than its clock is exact for");
  }
  Clock(Clock const&) = delete;

  Seconds now() const { return Seconds(simgrid::s4u::Engine::get_clock() - zero_); }

  /// Runs `action` at `at` (now, if that has passed), or at the next tick. The timer deletes itself
  /// when it fires; to cancel, call remove() on it before.
  template <class Action>
  Timer* at(Seconds at, Action action) {
    constexpr std::uint64_t between_looks = 4096;
    if (++timers_ % between_looks == 0 && look_) look_();
    Seconds const when = at < now() ? now() : at;
    return Timer::set(zero_ + next_tick(when.value()), std::move(action));
  }

  Sleep sleep_until(Seconds until, Interrupt* interrupt = nullptr) {
    return {*this, until, interrupt};
  }
  Sleep sleep(Seconds time, Interrupt* interrupt = nullptr) {
    return {*this, now() + time, interrupt};
  }

  std::uint64_t timers() const { return timers_; }
  /// Calls it now and then while time goes on, whether or not anything happens to a job. What it throws
  /// ends the replica.
  void look_with(std::function<void()> look) { look_ = std::move(look); }

  /// Up to here a process can begin another replica: half of what ticks are exact for.
  static constexpr double latest_zero = 0x1p32;

 private:
  static double next_tick(double time) { return std::ceil(time * 0x1p20) * 0x1p-20; }

  double zero_;
  std::uint64_t timers_ = 0;
  std::function<void()> look_;
};

/// A timer that goes with its scope.
class Alarm {
 public:
  explicit Alarm(Clock& clock) : clock_(clock) {}
  Alarm(Alarm const&) = delete;
  ~Alarm() { stop(); }

  template <class Action>
  void set(Seconds at, Action action) {
    stop();
    timer_ = clock_.at(at, [this, action] {
      timer_ = nullptr;
      action();
    });
  }
  void stop() { engine::stop(timer_); }

 private:
  Clock& clock_;
  Timer* timer_ = nullptr;
};

inline void Sleep::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  if (interrupt_) interrupt_->begin(*this);
  timer_ = clock_.at(until_, [this] {
    if (interrupt_) interrupt_->end();
    waiter_.resume();
  });
}

}  // namespace gridcast::engine
