// The time of a replica and its timers. SimGrid's main loop drives it (simgrid_engine.hpp).
//
// Timers fall on ticks of 2^-20 s (about a microsecond): sums and differences of such times are
// exact in a double up to 2^33 s (272 years). Timers of one time fire in the order in which they
// were set. The replica's time starts at zero and is exact on its ticks; SimGrid's clock continues
// from one replica to the next and only receives the steps.
//
//   Clock clock;
//   clock.at(Seconds(10), [&] { ... });
//   clock.run();
#pragma once

#include <cmath>
#include <coroutine>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "sim/base/units.hpp"
#include "sim/engine/process.hpp"
#include "sim/engine/timer_heap.hpp"

namespace gridcast::engine {

inline constexpr Seconds end_of_time(std::numeric_limits<double>::infinity());

class Clock;

/// Set once at a time, and not moved while it is set.
class Timer {
 public:
  Timer() = default;
  Timer(Timer const&) = delete;

  /// Takes it back before it fires.
  void remove();

 protected:
  virtual ~Timer() = default;

 private:
  friend class Clock;

  virtual void fire() = 0;  // may delete the timer
  virtual void drop() {}    // after it was taken back

  Clock* clock_ = nullptr;
  TimerHeap::Place place_ = 0;
};

/// Takes a timer back, if one is set.
inline void stop(Timer*& timer) {
  if (Timer* const set = std::exchange(timer, nullptr)) set->remove();
}

/// `co_await clock.sleep(...)`: done if the whole time passed. It contains its timer, which is
/// therefore near the frame that it resumes.
class [[nodiscard]] Sleep final : public Waiting, private Timer {
 public:
  Sleep(Clock& clock, Seconds until, Interrupt* interrupt)
      : clock_(clock), until_(until), interrupt_(interrupt) {}

  bool await_ready() { return interrupted_ = interrupt_ && interrupt_->raised(); }
  void await_suspend(std::coroutine_handle<> waiter);
  Waited await_resume() const { return ended(); }
  void cancel() override { remove(); }

 private:
  void fire() override {
    if (interrupt_) interrupt_->end();
    waiter_.resume();
  }

  Clock& clock_;
  Seconds until_;
  Interrupt* interrupt_;
};

class Clock {
 public:
  Clock() = default;
  Clock(Clock const&) = delete;

  Seconds now() const { return now_; }

  /// Lets `timer` fire at the first tick from `at` on, or now if that time has passed. `wakes`: the
  /// frame that it resumes, which is prefetched shortly before.
  void set(Timer& timer, Seconds at, void const* wakes = nullptr) {
    constexpr std::uint64_t between_looks = 4096;
    if (++timers_ % between_looks == 0 && look_) look_();
    timer.clock_ = this;
    timer.place_ = heap_.push(next_tick((at > now_ ? at : now_).value()), timer, wakes);
  }
  void take_back(Timer& timer) { heap_.erase(timer.place_); }
  /// Runs `action` then. The timer deletes itself.
  template <class Action>
  Timer* at(Seconds at, Action action) {
    struct Acting final : Timer {
      explicit Acting(Action does) : action(std::move(does)) {}
      void fire() override {
        std::unique_ptr<Acting> const gone(this);
        action();
      }
      void drop() override { delete this; }
      Action action;
    };
    auto timer = std::make_unique<Acting>(std::move(action));
    set(*timer, at);
    return timer.release();
  }

  /// Runs SimGrid's main loop until no timer and no flow is left.
  void run();

  Sleep sleep_until(Seconds until, Interrupt* interrupt = nullptr) {
    return {*this, until, interrupt};
  }
  Sleep sleep(Seconds time, Interrupt* interrupt = nullptr) {
    return {*this, now() + time, interrupt};
  }

  std::uint64_t timers() const { return timers_; }
  /// Calls `look` after every few thousand timers. An exception from it ends the replica.
  void look_with(std::function<void()> look) { look_ = std::move(look); }

  /// Flows of SimGrid's that may end before the next timer (network/maxmin_flows.hpp).
  void flow_started() { ++flows_; }
  void flow_ended() { --flows_; }

 private:
  friend class GridModel;

  static double next_tick(double time) { return std::ceil(time * 0x1p20) * 0x1p-20; }

  /// For SimGrid: seconds from now to the next timer; negative if there is none.
  double until_next() {
    if (heap_.empty()) return step_ = -1;
    next_ = flows_ == 0 ? heap_.settle() : heap_.next();
    return step_ = next_ > now_.value() ? next_ - now_.value() : 0;
  }
  /// For SimGrid: `step` seconds have passed, up to the next timer or to an earlier end of a flow.
  void advance(double step) {
    if (step != step_) {
      now_ += Seconds(step);
      return;
    }
    now_ = Seconds(heap_.settle());
    while (heap_.has_present()) heap_.pop().fire();
  }

  TimerHeap heap_;
  Seconds now_;
  double next_ = 0,
         step_ = -1;  // time of the next timer, and the seconds to it, as SimGrid knows them
  int flows_ = 0;
  std::uint64_t timers_ = 0;
  std::function<void()> look_;
};

/// A timer that ends with its scope.
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
  clock_.set(*this, until_, waiter.address());
}

inline void Timer::remove() {
  clock_->take_back(*this);
  drop();
}

}  // namespace gridcast::engine
