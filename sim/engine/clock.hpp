// Simulated time and its timers.
//
// Where SimGrid's flows carry the transfers, time is SimGrid's, and so are the timers. Where there are
// none, nothing but timers moves time, and a loop over them does what SimGrid's would, without asking
// its models for their next event at each step.
//
// Timers fall on ticks of 2^-20 s (a microsecond): sums and differences of such times are exact in a
// double (up to 2^33 s, 272 years). Those of one moment come in the order that SimGrid's heap gives
// them: TimerHeap is boost::heap::fibonacci_heap, in which SimGrid keeps its own, with its nodes inside
// the timers. That order comes from how trees are merged and where roots stand, so each step is Boost's
// (1.74: a new root in front, the children of what goes behind, every removal merges, of two equal ones
// the later root is the parent); tests/model/clock_test.cpp holds it against SimGrid's. Fredman and
// Tarjan, JACM 34 (1987) 596.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u/Engine.hpp>

#include "sim/base/units.hpp"
#include "sim/engine/process.hpp"

namespace gridcast::engine {

/// In at most one heap at a time.
class TimerNode {
 public:
  double when = 0;

 private:
  friend class TimerHeap;
  struct List {
    TimerNode *first = nullptr, *last = nullptr;
  };

  TimerNode *before_ = nullptr, *after_ = nullptr, *parent_ = nullptr;
  List children_;
  std::size_t rank_ = 0;  // children
};

class TimerHeap {
 public:
  bool empty() const { return top_ == nullptr; }
  /// Of those of one moment, the one that SimGrid would fire first.
  TimerNode* top() const { return top_; }

  void push(TimerNode& node) {
    push_front(node);
    if (!top_ || top_->when > node.when) top_ = &node;
  }

  void erase(TimerNode& node) {
    if (node.parent_) {
      take(node.parent_->children_, node);
      --node.parent_->rank_;
    } else {
      take(roots_, node);
    }
    for (TimerNode* child = node.children_.first; child; child = child->after_) {
      child->parent_ = nullptr;
    }
    append(node.children_);
    merge();
  }

 private:
  using Node = TimerNode;
  using List = TimerNode::List;

  static void take(List& from, Node& node) {
    (node.before_ ? node.before_->after_ : from.first) = node.after_;
    (node.after_ ? node.after_->before_ : from.last) = node.before_;
  }
  static void add_last(List& to, Node& node) {
    node.before_ = to.last;
    node.after_ = nullptr;
    (to.last ? to.last->after_ : to.first) = &node;
    to.last = &node;
  }
  void push_front(Node& node) {
    node.after_ = roots_.first;
    (roots_.first ? roots_.first->before_ : roots_.last) = &node;
    roots_.first = &node;
  }
  void append(List const& trees) {
    if (!trees.first) return;
    trees.first->before_ = roots_.last;
    (roots_.last ? roots_.last->after_ : roots_.first) = trees.first;
    roots_.last = trees.last;
  }

  /// Until no two roots have as many children.
  void merge() {
    top_ = roots_.first;
    std::array<Node*, 64> of_rank;  // those of `known`
    std::uint64_t known = 0;
    for (Node* next = roots_.first; next;) {
      Node* node = std::exchange(next, next->after_);
      for (; (known >> node->rank_ & 1U) != 0; ++node->rank_) {
        known &= ~(std::uint64_t{1} << node->rank_);
        Node* other = of_rank[node->rank_];
        if (node->when > other->when) std::swap(node, other);
        take(roots_, *other);
        add_last(node->children_, *other);
        other->parent_ = node;
      }
      of_rank[node->rank_] = node;
      known |= std::uint64_t{1} << node->rank_;
      if (node->when <= top_->when) top_ = node;
    }
  }

  List roots_;
  Node* top_ = nullptr;
};

/// Deletes itself when it has fired.
class Timer : private TimerNode {
 public:
  /// Takes it back before that.
  void remove();

 protected:
  virtual ~Timer() = default;

 private:
  friend class Clock;

  virtual void act() = 0;
  void fire() {
    struct Gone {
      Timer* timer;
      ~Gone() { delete timer; }
    } const gone{this};
    act();
  }

  TimerHeap* heap_ = nullptr;
  simgrid::kernel::timer::Timer* of_simgrid_ = nullptr;  // in place of the heap
};

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
  Clock() = default;
  Clock(Clock const&) = delete;

  /// Time is SimGrid's from now on. Before any timer is set.
  void follow_simgrid() { simgrid_ = true; }

  Seconds now() const { return simgrid_ ? Seconds(simgrid::s4u::Engine::get_clock()) : now_; }

  /// Runs `action` at `at` (now, if that has passed), or at the next tick.
  template <class Action>
  Timer* at(Seconds at, Action action) {
    struct Acting final : Timer {
      explicit Acting(Action does) : action(std::move(does)) {}
      void act() override { action(); }
      Action action;
    };
    constexpr std::uint64_t between_looks = 4096;
    if (++timers_ % between_looks == 0 && look_) look_();
    Seconds const when = at < now() ? now() : at;
    auto* const timer = new Acting(std::move(action));
    set(*timer, next_tick(when.value()));
    return timer;
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
  void set(Timer& timer, double when);

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
  timer_ = clock_.at(until_, [this] {
    if (interrupt_) interrupt_->end();
    waiter_.resume();
  });
}

inline void Timer::remove() {
  if (of_simgrid_) {
    of_simgrid_->remove();
  } else {
    heap_->erase(*this);
  }
  delete this;
}

inline void Clock::set(Timer& timer, double when) {
  if (simgrid_) {
    timer.of_simgrid_ = simgrid::kernel::timer::Timer::set(when, [&timer] { timer.fire(); });
    return;
  }
  timer.heap_ = &heap_;
  timer.when = when;
  heap_.push(timer);
}

inline void Clock::run() {
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
