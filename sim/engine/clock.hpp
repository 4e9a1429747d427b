// Simulated time and its timers.
//
// Where SimGrid's flows carry the transfers, time is SimGrid's, and one of its timers waits for the
// next of ours. Where there are none, nothing but timers moves time, and a loop over them does what
// SimGrid's would, without asking its models for their next event at each step.
//
// Timers fall on ticks of 2^-20 s (a microsecond): sums and differences of such times are exact in
// a double (up to 2^33 s, 272 years). Those of one moment fire in the order in which they were set.
//
// Time only goes on, so the timers are in a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan, JACM 37
// (1990) 213): in buckets by the highest bit in which a timer's moment differs from the present
// one. When none is left of the present moment, the lowest bucket that has any is dealt out again
// by the first moment in it, all to lower buckets, in their order: so those of one moment are
// always in one bucket, in the order in which they were set, and a timer moves at most once for
// each bit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Engine.hpp>

#include "sim/base/units.hpp"
#include "sim/engine/process.hpp"

namespace gridcast::engine {

class Clock;
class Timer;

/// The bits of times that are not negative are in the order of the times.
class TimerHeap {
 public:
  using Place = std::uint32_t;

  bool empty() const { return set_ == 0; }

  /// `when` is not before what was last taken. `wakes`: what the timer goes on with, or null.
  Place push(double when, Timer& timer, void const* wakes) {
    Place const place = new_place();
    held_[place].timer = &timer;
    held_[place].wakes = wakes;
    ++set_;
    deal({std::bit_cast<std::uint64_t>(when), place, held_[place].turn});
    return place;
  }

  void erase(Place place) {
    free(place);
    // Those that were taken back stay where they are until their bucket is dealt out.
    if (++gone_ > 2 * set_ + 1000) sweep();
  }

  struct Next {
    double when;
    Timer& timer;
  };
  /// Takes the next one. There is one.
  Next pop() {
    while (!find_first()) deal_out();
    Place const place = buckets_[0][first_++].place;
    free(place);
    return {std::bit_cast<double>(present_), *held_[place].timer};
  }

 private:
  struct Entry {
    std::uint64_t when;
    Place place;
    std::uint32_t turn;
  };
  struct Held {
    Timer* timer = nullptr;
    void const* wakes = nullptr;
    std::uint32_t turn = 0;  // other entries that have had this place
  };
  using Bucket = std::vector<Entry>;

  Place new_place() {
    if (!free_.empty()) {
      Place const place = free_.back();
      free_.pop_back();
      return place;
    }
    held_.emplace_back();
    return static_cast<Place>(held_.size() - 1);
  }
  void free(Place place) {
    ++held_[place].turn;
    free_.push_back(place);
    --set_;
  }
  bool gone(Entry const& entry) const { return held_[entry.place].turn != entry.turn; }

  void deal(Entry const& entry) {
    auto const bucket = static_cast<std::size_t>(std::bit_width(entry.when ^ present_));
    buckets_[bucket].push_back(entry);
    if (bucket > 0) filled_ |= std::uint64_t{1} << (bucket - 1);
  }

  /// Whether there is one of the present moment; it is at `first_` of them.
  bool find_first() {
    Bucket& present = buckets_[0];
    for (; first_ < present.size(); ++first_) {
      if (!gone(present[first_])) return true;
      --gone_;
    }
    present.clear();
    first_ = 0;
    return false;
  }

  /// The lowest bucket but that of the present moment, which is empty: the first moment in it is
  /// present.
  void deal_out() {
    auto const lowest = static_cast<std::size_t>(std::countr_zero(filled_));
    filled_ &= ~(std::uint64_t{1} << lowest);
    Bucket& bucket = buckets_[lowest + 1];
    forget_gone(bucket);
    if (bucket.empty()) return;
    present_ = std::ranges::min(bucket, {}, &Entry::when).when;
    // Few are those that come next: most of a large campaign is far from the processor when its
    // time comes.
    constexpr std::size_t few = 16;
    bool const soon = bucket.size() <= few;
    for (Entry const& entry : bucket) {
      if (soon) bring_near(held_[entry.place]);
      deal(entry);
    }
    bucket.clear();
  }

  void forget_gone(Bucket& bucket) {
    gone_ -= std::erase_if(bucket, [this](Entry const& entry) { return gone(entry); });
  }
  void sweep() {
    Bucket& present = buckets_[0];
    present.erase(present.begin(), present.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
    for (Bucket& bucket : buckets_) forget_gone(bucket);
  }

  static void bring_near(Held const& held) {
    constexpr std::size_t of_a_frame = 256, line = 64;
    __builtin_prefetch(held.timer);
    if (!held.wakes) return;
    for (std::size_t at = 0; at < of_a_frame; at += line) {
      __builtin_prefetch(static_cast<char const*>(held.wakes) + at, 1);
    }
  }

  std::array<Bucket, 65>
      buckets_;  // [k]: those that differ from the present moment in bit k - 1, none above
  std::uint64_t filled_ = 0;        // bit k - 1 of bucket k, which may have some
  std::uint64_t present_ = 0;       // of the last that was taken
  std::size_t first_ = 0;           // of the present moment, those before it were taken
  std::size_t set_ = 0, gone_ = 0;  // gone: those taken back that are in a bucket
  std::vector<Held> held_;          // by place
  std::vector<Place> free_;
};

/// Timers where time is SimGrid's, in the same order.
class SimgridTimers {
 public:
  using Place = std::multimap<double, Timer*>::iterator;  // of one moment: as they were set

  Place push(double when, Timer& timer) {
    Place const place = timers_.emplace(when, &timer);
    if (place == timers_.begin()) wait();
    return place;
  }
  void erase(Place place) {
    bool const first = place == timers_.begin();
    timers_.erase(place);
    if (first) wait();
  }

 private:
  void wait();
  void fire();

  std::multimap<double, Timer*> timers_;
  simgrid::kernel::timer::Timer* next_ = nullptr;  // fires the first
  bool firing_ = false;
};

/// Set once at a time, and not moved while it is.
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
  friend class SimgridTimers;

  virtual void fire() = 0;  // it may be gone then
  virtual void drop() {}    // it has been taken back

  Clock* clock_ = nullptr;
  TimerHeap::Place place_ = 0;
  SimgridTimers::Place of_simgrid_;  // in place of it, where time is SimGrid's
};

/// Takes a timer back, if one is set.
inline void stop(Timer*& timer) {
  if (Timer* const set = std::exchange(timer, nullptr)) set->remove();
}

/// `co_await clock.sleep(...)`: done if the whole time passed. Its timer is a part of it, and so
/// near what it wakes.
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

  /// Time is SimGrid's from now on. Before any timer is set.
  void follow_simgrid() { simgrid_ = true; }

  Seconds now() const { return simgrid_ ? Seconds(simgrid::s4u::Engine::get_clock()) : now_; }

  /// Lets `timer` fire at `at` (now, if that has passed), or at the next tick.
  /// `wakes`: what it goes on with, which is brought near before its time comes.
  void set(Timer& timer, Seconds at, void const* wakes = nullptr) {
    constexpr std::uint64_t between_looks = 4096;
    if (++timers_ % between_looks == 0 && look_) look_();
    start(timer, next_tick((at > now() ? at : now()).value()), wakes);
  }
  void take_back(Timer& timer) {
    if (simgrid_) {
      of_simgrid_.erase(timer.of_simgrid_);
    } else {
      heap_.erase(timer.place_);
    }
  }
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

  /// Lets time pass until no timer is left.
  void run();

  Sleep sleep_until(Seconds until, Interrupt* interrupt = nullptr) {
    return {*this, until, interrupt};
  }
  Sleep sleep(Seconds time, Interrupt* interrupt = nullptr) {
    return {*this, now() + time, interrupt};
  }

  std::uint64_t timers() const { return timers_; }
  /// Calls it now and then while time goes on, whether or not anything happens to a job. What it
  /// throws ends the replica.
  void look_with(std::function<void()> look) { look_ = std::move(look); }

 private:
  static double next_tick(double time) { return std::ceil(time * 0x1p20) * 0x1p-20; }
  void start(Timer& timer, double when, void const* wakes);

  bool simgrid_ = false;
  Seconds now_;
  TimerHeap heap_;
  SimgridTimers of_simgrid_;
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
  clock_.set(*this, until_, waiter.address());
}

inline void Timer::remove() {
  clock_->take_back(*this);
  drop();
}

inline void SimgridTimers::wait() {
  if (firing_) return;
  if (next_) std::exchange(next_, nullptr)->remove();
  if (!timers_.empty()) {
    next_ = simgrid::kernel::timer::Timer::set(timers_.begin()->first, [this] { fire(); });
  }
}

inline void SimgridTimers::fire() {
  next_ = nullptr;
  firing_ = true;
  double const present = timers_.begin()->first;
  while (!timers_.empty() && timers_.begin()->first <= present) {
    Timer& timer = *timers_.begin()->second;
    timers_.erase(timers_.begin());
    timer.fire();
  }
  firing_ = false;
  wait();
}

inline void Clock::start(Timer& timer, double when, void const* wakes) {
  timer.clock_ = this;
  if (simgrid_) {
    timer.of_simgrid_ = of_simgrid_.push(when, timer);
  } else {
    timer.place_ = heap_.push(when, timer, wakes);
  }
}

inline void Clock::run() {
  if (simgrid_) {
    simgrid::s4u::Engine::get_instance()->run();
    return;
  }
  while (!heap_.empty()) {
    auto const [when, timer] = heap_.pop();
    now_ = Seconds(when);
    timer.fire();
  }
}

}  // namespace gridcast::engine
