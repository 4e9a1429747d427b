#include "sim/engine/transfer/transfer_queue.hpp"

namespace gridcast::engine {

bool TransferTurn::await_ready() {
  interrupted_ = interrupt_.raised();
  if (interrupted_) return true;
  if (queue_.free_ == 0) return false;
  --queue_.free_;
  return true;
}

void TransferTurn::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  interrupt_.begin(*this);
  queue_.waiting_.push_back(this);
}

void TransferTurn::cancel() { std::erase(queue_.waiting_, this); }

void TransferQueue::leave() {
  if (waiting_.empty()) {
    ++free_;
    return;
  }
  TransferTurn* const next = waiting_.front();
  waiting_.pop_front();
  next->interrupt_.end();
  next->waiter_.resume();
}

}  // namespace gridcast::engine
