// Simulated time and its timers.
//
// Where SimGrid's flows carry the transfers, time is SimGrid's, and so are the timers. Where there are
// none, nothing but timers moves time, and a loop over them does what SimGrid's would, without asking
// its models for their next event at each step.
//
// Timers fall on ticks of 2^-20 s (a microsecond): sums and differences of such times are exact in a
// double (up to 2^33 s, 272 years). Those of one moment come in the order that SimGrid's heap gives
// them: TimerHeap is boost::heap::fibonacci_heap, in which SimGrid keeps its own, with its nodes in one
// array. That order comes from how trees are merged and where roots stand, so each step is Boost's
// (1.74: a new root in front, the children of what goes behind, every removal merges, of two equal ones
// the later root is the parent); tests/model/clock_test.cpp holds it against SimGrid's. Fredman and
// Tarjan, JACM 34 (1987) 596.
#pragma once

#include <array>
#include <cmath>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Engine.hpp>

#include "sim/base/units.hpp"
#include "sim/engine/process.hpp"

namespace gridcast::engine {

class Timer;

/// A node is 32 bytes, and all are side by side: those of 10,000 timers stay in a processor's cache, which
/// the timers themselves, somewhere in memory, would not.
class TimerHeap {
 public:
  using Place = std::uint32_t;

  bool empty() const { return top_ == none; }
  /// Of those of one moment, the one that SimGrid would fire first.
  Place top() const { return top_; }
  double when(Place place) const { return nodes_[place].when; }
  Timer& timer(Place place) const { return *timers_[place]; }

  Place push(double when, Timer& timer) {
    Place const place = new_place();
    nodes_[place] = {};
    nodes_[place].when = when;
    timers_[place] = &timer;
    push_front(place);
    if (top_ == none || nodes_[top_].when > when) top_ = place;
    return place;
  }

  void erase(Place place) {
    Node const& node = nodes_[place];
    if (node.parent != none) {
      Node& parent = nodes_[node.parent];
      take(parent.children, place);
      --parent.rank;
    } else {
      take(roots_, place);
    }
    append(node.children);
    free_.push_back(place);
    merge();
  }

 private:
  static constexpr Place none = static_cast<Place>(-1);
  struct List {
    Place first = none, last = none;
  };
  struct Node {
    double when = 0;
    Place before = none, after = none, parent = none;
    List children;
    std::uint32_t rank = 0;  // children
  };

  Place new_place() {
    if (!free_.empty()) {
      Place const place = free_.back();
      free_.pop_back();
      return place;
    }
    nodes_.emplace_back();
    timers_.push_back(nullptr);
    return static_cast<Place>(nodes_.size() - 1);
  }

  void take(List& from, Place place) {
    Node const& node = nodes_[place];
    (node.before != none ? nodes_[node.before].after : from.first) = node.after;
    (node.after != none ? nodes_[node.after].before : from.last) = node.before;
  }
  void add_last(List& to, Place place) {
    nodes_[place].before = to.last;
    nodes_[place].after = none;
    (to.last != none ? nodes_[to.last].after : to.first) = place;
    to.last = place;
  }
  void push_front(Place place) {
    nodes_[place].after = roots_.first;
    (roots_.first != none ? nodes_[roots_.first].before : roots_.last) = place;
    roots_.first = place;
  }
  void append(List const& trees) {
    if (trees.first == none) return;
    nodes_[trees.first].before = roots_.last;
    (roots_.last != none ? nodes_[roots_.last].after : roots_.first) = trees.first;
    roots_.last = trees.last;
  }

  /// Until no two roots have as many children.
  void merge() {
    top_ = roots_.first;
    std::array<Place, 64> of_rank;  // those of `known`
    std::uint64_t known = 0;
    for (Place next = roots_.first; next != none;) {
      Place root = std::exchange(next, nodes_[next].after);
      nodes_[root].parent = none;
      for (; (known >> nodes_[root].rank & 1U) != 0; ++nodes_[root].rank) {
        known &= ~(std::uint64_t{1} << nodes_[root].rank);
        Place other = of_rank[nodes_[root].rank];
        if (nodes_[root].when > nodes_[other].when) std::swap(root, other);
        take(roots_, other);
        add_last(nodes_[root].children, other);
        nodes_[other].parent = root;
      }
      of_rank[nodes_[root].rank] = root;
      known |= std::uint64_t{1} << nodes_[root].rank;
      if (nodes_[root].when <= nodes_[top_].when) top_ = root;
    }
  }

  std::vector<Node> nodes_;
  std::vector<Timer*> timers_;  // by place
  std::vector<Place> free_;
  List roots_;
  Place top_ = none;
};

/// Set once at a time, and not moved while it is.
class Timer {
 public:
  Timer() = default;
  Timer(Timer const&) = delete;

  /// Takes it back before it fires.
  void remove();
  /// What it goes on with: brought near while the heap is put in order. Most of a large campaign is far
  /// from the processor when its time comes.
  void wakes(void const* waiter) { wakes_ = waiter; }

 protected:
  virtual ~Timer() = default;

 private:
  friend class Clock;

  virtual void fire() = 0;  // it may be gone then
  virtual void drop() {}    // it has been taken back

  void bring_near() const {
    constexpr std::size_t of_a_frame = 256, line = 64;
    if (!wakes_) return;
    for (std::size_t at = 0; at < of_a_frame; at += line) {
      __builtin_prefetch(static_cast<char const*>(wakes_) + at, 1);
    }
  }

  void const* wakes_ = nullptr;
  TimerHeap* heap_ = nullptr;
  TimerHeap::Place place_ = 0;                           // in the heap
  simgrid::kernel::timer::Timer* of_simgrid_ = nullptr;  // in place of the heap
};

/// Takes a timer back, if one is set.
inline void stop(Timer*& timer) {
  if (Timer* const set = std::exchange(timer, nullptr)) set->remove();
}

class Clock;

/// `co_await clock.sleep(...)`: done if the whole time passed. Its timer is a part of it, and so near what
/// it wakes.
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
  void set(Timer& timer, Seconds at) {
    constexpr std::uint64_t between_looks = 4096;
    if (++timers_ % between_looks == 0 && look_) look_();
    start(timer, next_tick((at < now() ? now() : at).value()));
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
  /// Calls it now and then while time goes on, whether or not anything happens to a job. What it throws
  /// ends the replica.
  void look_with(std::function<void()> look) { look_ = std::move(look); }

 private:
  static double next_tick(double time) { return std::ceil(time * 0x1p20) * 0x1p-20; }
  void start(Timer& timer, double when);

  bool simgrid_ = false;
  Seconds now_;
  TimerHeap heap_;
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
  clock_.set(*this, until_);
  wakes(waiter.address());
}

inline void Timer::remove() {
  if (of_simgrid_) {
    of_simgrid_->remove();
  } else {
    heap_->erase(place_);
  }
  drop();
}

inline void Clock::start(Timer& timer, double when) {
  if (simgrid_) {
    timer.of_simgrid_ = simgrid::kernel::timer::Timer::set(when, [&timer] { timer.fire(); });
    return;
  }
  timer.heap_ = &heap_;
  timer.place_ = heap_.push(when, timer);
}

inline void Clock::run() {
  if (simgrid_) {
    simgrid::s4u::Engine::get_instance()->run();
    return;
  }
  while (!heap_.empty()) {
    TimerHeap::Place const next = heap_.top();
    Timer& timer = heap_.timer(next);
    timer.bring_near();
    now_ = Seconds(heap_.when(next));
    heap_.erase(next);
    if (!heap_.empty()) __builtin_prefetch(&heap_.timer(heap_.top()));
    timer.fire();
  }
}

}  // namespace gridcast::engine
