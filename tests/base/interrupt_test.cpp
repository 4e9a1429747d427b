#include "sim/base/interrupt.hpp"

#include <csignal>
#include <ctime>
#include <sys/select.h>

#include "tests/test.hpp"

namespace gridcast {
namespace {

TEST_CASE("a signal while an inner watch ends interrupts the work around it") {
  InterruptWatch const outer;
  {
    InterruptWatch const inner;
    CHECK_FALSE(inner.requested());
    std::raise(SIGINT);
  }
  CHECK(outer.requested());
  CHECK(InterruptWatch().requested());
}

TEST_CASE("a signal between two inner watches counts for the second") {
  InterruptWatch const outer;
  { InterruptWatch const inner; }
  std::raise(SIGTERM);
  InterruptWatch const inner;
  CHECK(inner.requested());
}

TEST_CASE("a signal that a wait let in counts for later watches inside the same work") {
  InterruptWatch const outer;
  {
    InterruptWatch const inner;
    std::raise(SIGINT);
    sigset_t const mask = inner.wait_mask();
    timespec const no_wait = {};
    pselect(0, nullptr, nullptr, nullptr, &no_wait, &mask);
    CHECK_FALSE(interrupt_held_back());
    CHECK(inner.requested());
  }
  CHECK(InterruptWatch().requested());
}

TEST_CASE("work that begins after an interruption is not interrupted") {
  {
    InterruptWatch const interrupted;
    std::raise(SIGINT);
  }
  InterruptWatch const next;
  CHECK_FALSE(next.requested());
}

}  // namespace
}  // namespace gridcast
