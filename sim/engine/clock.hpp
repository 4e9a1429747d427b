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

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/engine/process.hpp"

namespace gridcast::engine {

// The pending timers of a replica, the earliest first; those of one time in the order of their
// setting.
//
// Time only moves forward, so the timers are in a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan,
// JACM 37 (1990) 213). A bucket holds the timers whose time differs from the present one in the
// same highest bit. When the present time has no timer left, the heap takes the lowest bucket with
// an entry, makes its first time the present one, and deals its timers to lower buckets in their
// order. So timers of one time are always in one bucket, and a timer moves at most once for each
// bit.
class Timer;

/// Times in seconds, not negative: the bits of such doubles are in the order of the times.
class TimerHeap {
 public:
  using Place = std::uint32_t;

  bool empty() const { return set_ == 0; }

  /// `when`: not before the time of the last timer that was taken, nor before one that settle()
  /// returned. `wakes`: the frame that the timer resumes, or null.
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
    // A timer that was taken back stays in its bucket until the bucket is dealt out.
    if (++gone_ > 2 * set_ + 1000) sweep();
  }

  /// The time of the next timer, which becomes the present: no earlier timer may come. There is
  /// one.
  double settle() {
    while (!find_first()) deal_out();
    return std::bit_cast<double>(present_);
  }
  /// The time of the next timer; earlier ones may still come. There is one. Cost: its bucket's
  /// size.
  double next() {
    if (find_first()) return std::bit_cast<double>(present_);
    for (std::uint64_t left = filled_; left != 0; left &= left - 1) {
      Bucket& bucket = buckets_[static_cast<std::size_t>(std::countr_zero(left)) + 1];
      forget_gone(bucket);
      if (!bucket.empty()) {
        return std::bit_cast<double>(std::ranges::min(bucket, {}, &Entry::when).when);
      }
    }
    return std::bit_cast<double>(present_);
  }

  /// True if a timer of the present time is left.
  bool has_present() { return find_first(); }
  /// Takes the next timer of the present time. There is one.
  Timer& pop() {
    Place const place = buckets_[0][first_++].place;
    free(place);
    return *held_[place].timer;
  }

 private:
  struct Entry {
    std::uint64_t when = 0;
    Place place = 0;
    std::uint32_t turn = 0;
  };
  struct Held {
    Timer* timer = nullptr;
    void const* wakes = nullptr;
    std::uint32_t turn = 0;  // number of earlier entries at this place
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

  /// True if a timer of the present time is left; it is at `first_` of its bucket.
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
    std::size_t left = 0;
    std::uint64_t earliest = ~std::uint64_t{0};
    for (Entry const& entry : bucket) {
      if (gone(entry)) continue;
      earliest = std::min(earliest, entry.when);
      bucket[left++] = entry;
    }
    gone_ -= bucket.size() - left;
    bucket.resize(left);
    if (left == 0) return;
    present_ = earliest;
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

  std::array<Bucket, 65> buckets_;  // [k]: times that differ from the present in bit k - 1 at most
  std::uint64_t filled_ = 0;        // bit k - 1: bucket k may have entries
  std::uint64_t present_ = 0;       // bits of the present time
  std::size_t first_ = 0;           // entries of the present time that were taken
  std::size_t set_ = 0, gone_ = 0;  // pending timers; entries in buckets that were taken back
  std::vector<Held> held_;          // by place
  std::vector<Place> free_;
};

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
    struct Acting final : Timer, KeptMemory {
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

  /// Flows of SimGrid's that may end before the next timer (network/network.cpp).
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
