// The access point's transfer slots (MAX_CONCURRENT_UPLOADS): so many sandboxes at a time, first
// come, first served. Left out: its choice among users and the disk throttle.
#pragma once

#include <deque>

#include "sim/engine/process.hpp"

namespace gridcast::engine {

class TransferQueue;

/// `co_await queue.enter(...)`: true when it is this one's turn, false if interrupted.
class [[nodiscard]] TransferTurn final : public Waiting {
 public:
  TransferTurn(TransferQueue& queue, Interrupt& interrupt) : queue_(queue), interrupt_(interrupt) {}

  bool await_ready();
  void await_suspend(std::coroutine_handle<> waiter);
  bool await_resume() const { return !interrupted_; }
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
