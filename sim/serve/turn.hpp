// One study at a time. Whoever comes next has the slot as soon as the one before has let go of it, which
// it is asked to do at once: a knob that is turned again makes the last answer worthless.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace gridcast::serve {

class Turns {
 public:
  /// Asks whoever has the slot to end.
  void cancel() { ++newest_; }
  bool busy() const { return busy_ > 0; }

 private:
  friend class Turn;
  std::atomic<std::uint64_t> newest_ = 0;
  std::atomic<int> busy_ = 0;
  std::mutex slot_;
};

/// Has the slot as long as it lives; made and ended by one thread.
class Turn {
 public:
  explicit Turn(Turns& turns) : turns_(turns), number_(++turns.newest_) {
    ++turns.busy_;
    slot_ = std::unique_lock(turns.slot_);
  }
  ~Turn() { --turns_.busy_; }
  Turn(Turn const&) = delete;
  Turn& operator=(Turn const&) = delete;

  /// Nobody has come since, and nobody cancelled it.
  bool goes_on() const { return turns_.newest_ == number_; }

 private:
  Turns& turns_;
  std::uint64_t number_;
  std::unique_lock<std::mutex> slot_;
};

}  // namespace gridcast::serve
