#include "sim/base/interrupt.hpp"

namespace gridcast::inline base {
namespace {

// A signal handler can reach nothing else.
volatile std::sig_atomic_t was_requested = 0;

extern "C" void note_request(int) { was_requested = 1; }

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  was_requested = 0;
  sigset_t const watched = watched_signals();
  sigprocmask(SIG_BLOCK, &watched, &before_);
  sigdelset(&before_, SIGINT);
  sigdelset(&before_, SIGTERM);
  // Also where they were ignored, as in the background of a script: whoever sends one means it.
  struct sigaction action = {};
  action.sa_handler = note_request;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &interrupt_before_);
  sigaction(SIGTERM, &action, &terminate_before_);
}

InterruptWatch::~InterruptWatch() {
  // One that is still held back has been noted, or came too late to matter.
  sigset_t const watched = watched_signals();
  timespec const no_wait = {};
  while (sigtimedwait(&watched, nullptr, &no_wait) > 0) {
  }
  sigaction(SIGINT, &interrupt_before_, nullptr);
  sigaction(SIGTERM, &terminate_before_, nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool InterruptWatch::requested() const {
  if (was_requested != 0) return true;
  // One that is held back since the last wait counts too.
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

void InterruptWatch::restore_in_child() const {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace gridcast::inline base
