// Waiting for several processes: `co_await countdown.zero()` goes on when done() has been called as
// often as was said.
#pragma once

#include <coroutine>
#include <utility>

namespace gridcast::engine {

class Countdown {
 public:
  explicit Countdown(int count) : left_(count) {}
  Countdown(Countdown const&) = delete;

  void done() {
    if (--left_ > 0 || !waiter_) return;
    std::exchange(waiter_, nullptr).resume();
  }

  struct [[nodiscard]] Zero {
    Countdown& countdown;
    bool await_ready() const { return countdown.left_ <= 0; }
    void await_suspend(std::coroutine_handle<> waiter) { countdown.waiter_ = waiter; }
    void await_resume() const {}
  };
  Zero zero() { return {*this}; }

 private:
  int left_;
  std::coroutine_handle<> waiter_;
};

}  // namespace gridcast::engine
