// So many transfers at a time, first come, first served: the access point's transfer slots
// (MAX_CONCURRENT_UPLOADS), or a limit that a strategy sets at a site. Left out: the access point's
// choice among users and its disk throttle.
#pragma once

#include <coroutine>
#include <deque>

#include "sim/engine/process.hpp"

namespace gridcast::engine {

class TransferQueue;

/// `co_await queue.enter(...)`: done when it is this one's turn.
class [[nodiscard]] TransferTurn final : public Waiting {
 public:
  TransferTurn(TransferQueue& queue, Interrupt& interrupt) : queue_(queue), interrupt_(interrupt) {}

  bool await_ready();
  void await_suspend(std::coroutine_handle<> waiter);
  Waited await_resume() const { return ended(); }
  void cancel() override;

 private:
  friend class TransferQueue;
  TransferQueue& queue_;
  Interrupt& interrupt_;
};

class TransferQueue {
 public:
  explicit TransferQueue(int slots) : free_(slots) {}

  TransferTurn enter(Interrupt& interrupt) { return {*this, interrupt}; }
  void leave();

 private:
  friend class TransferTurn;
  int free_;
  std::deque<TransferTurn*> waiting_;
};

}  // namespace gridcast::engine
