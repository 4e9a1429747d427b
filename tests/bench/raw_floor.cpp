#include "tests/bench/raw_floor.hpp"

#include <algorithm>
#include <cmath>
#include <coroutine>
#include <exception>
#include <queue>
#include <vector>

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

namespace gridcast::bench {

namespace {

double now() { return simgrid::s4u::Engine::get_clock(); }

struct Slot {
  struct promise_type {
    Slot get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

struct Nap {
  double time;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> slot) const {
    simgrid::kernel::timer::Timer::set(now() + time, [slot] { slot.resume(); });
  }
  void await_resume() const {}
};

// Equal shares of one capacity: a flow ends when the bytes that every flow has had reach its mark.
class FairLink {
 public:
  explicit FairLink(double capacity) : capacity_(capacity) {}

  void add(double bytes, std::coroutine_handle<> slot) {
    advance();
    flows_.push({each_has_had_ + bytes, slot});
    set_timer();
  }
  std::uint64_t timers() const { return timers_; }

 private:
  struct Flow {
    double mark;
    std::coroutine_handle<> slot;
    bool operator<(Flow const& other) const { return mark > other.mark; }
  };

  double share() const { return capacity_ / static_cast<double>(flows_.size()); }

  void advance() {
    if (!flows_.empty()) each_has_had_ += (now() - since_) * share();
    since_ = now();
  }

  void set_timer() {
    if (timer_) timer_->remove();
    timer_ = nullptr;
    if (flows_.empty()) return;
    ++timers_;
    double const left = std::max(0.0, flows_.top().mark - each_has_had_);
    timer_ =
        simgrid::kernel::timer::Timer::set(now() + left / share(), [this] { first_has_ended(); });
  }

  void first_has_ended() {
    timer_ = nullptr;
    advance();
    auto const slot = flows_.top().slot;
    flows_.pop();
    set_timer();
    slot.resume();
  }

  double capacity_;
  double each_has_had_ = 0, since_ = 0;
  simgrid::kernel::timer::Timer* timer_ = nullptr;
  std::priority_queue<Flow> flows_;
  std::uint64_t timers_ = 0;
};

struct Download {
  FairLink& link;
  double bytes;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> slot) const { link.add(bytes, slot); }
  void await_resume() const {}
};

// The n-th of a sequence that spreads evenly over 0 to 1 (multiples of the golden section, modulo
// 1).
double spread(std::uint64_t n) {
  constexpr double golden_section = 0.61803398874989485;
  double const multiple = golden_section * static_cast<double>(n);
  return multiple - std::floor(multiple);
}

// Transfers and sleeps spread evenly over each other, their lengths over a factor of three. No two
// lengths are alike, as in a campaign: what ends at one date costs SimGrid less than what does not.
Slot run_slot(FairLink& link, FloorLoad& left) {
  constexpr double bytes = 1e9, time = 3000;
  while (left.transfers > 0 || left.sleeps > 0) {
    std::uint64_t const rounds = left.transfers + 1;
    std::uint64_t const sleeps = (left.sleeps + rounds - 1) / rounds;
    double const length = 0.5 + spread(left.transfers + left.sleeps);
    if (left.transfers > 0) {
      --left.transfers;
      co_await Download{link, bytes * length};
    }
    for (std::uint64_t i = 0; i < sleeps && left.sleeps > 0; ++i) {
      --left.sleeps;
      co_await Nap{time * (0.5 + spread(left.sleeps))};
    }
  }
}

}  // namespace

FloorCount run_floor(FloorLoad load) {
  // SimGrid runs a platform, however small; that of a replica before will do.
  if (!simgrid::s4u::Engine::get_instance()->get_netzone_root()) {
    simgrid::s4u::create_full_zone("floor")->create_host("host", 1e9)->seal();
  }
  std::vector<FairLink> links(3, FairLink(1e9));
  std::uint64_t const sleeps = load.sleeps;
  for (int i = 0; i < load.slots; ++i) run_slot(links[static_cast<std::size_t>(i) % 3], load);
  simgrid::s4u::Engine::get_instance()->run();
  FloorCount count{sleeps};
  for (FairLink const& link : links) count.timers += link.timers();
  return count;
}

}  // namespace gridcast::bench
