// A slot that is advertised, matched or claimed, and what can put an end to that from outside: the
// death of its pilot, the access point, which wants its job back, or a limit of the execution's
// time. Whoever serves the slot waits with the claim's interrupt and asks why when a wait was cut
// short.
#pragma once

#include "sim/engine/process.hpp"

namespace gridcast::engine {

class Claim {
 public:
  enum class End { none, pilot_died, by_access_point, too_long };

  Claim() = default;
  Claim(Claim const&) = delete;

  Interrupt& interrupt() { return interrupt_; }
  End why() const { return why_; }
  bool ended() const { return why_ != End::none; }

  /// The first end counts.
  void end(End why) {
    if (ended()) return;
    why_ = why;
    interrupt_.raise();
  }

 private:
  Interrupt interrupt_;
  End why_ = End::none;
};

}  // namespace gridcast::engine
