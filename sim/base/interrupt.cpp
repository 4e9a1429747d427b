#include "sim/base/interrupt.hpp"

namespace gridcast::inline base {
namespace {

// A signal handler can reach nothing else.
volatile std::sig_atomic_t was_requested = 0;

extern "C" void note_request(int) { was_requested = 1; }

struct sigaction action_of(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action;
}

}  // namespace

bool hangup_is_ignored() { return action_of(SIGHUP).sa_handler == SIG_IGN; }

InterruptWatch::InterruptWatch() : is_inner_(action_of(SIGINT).sa_handler == note_request) {
  if (!is_inner_) was_requested = 0;
  // The first two also if they were ignored, as in the background of a script: they are sent on
  // purpose.
  for (int const signal : {SIGINT, SIGTERM}) actions_before_[signal] = action_of(signal);
  if (!hangup_is_ignored()) actions_before_[SIGHUP] = action_of(SIGHUP);
  sigset_t const watched = this->watched();
  sigprocmask(SIG_BLOCK, &watched, &before_);
  wait_mask_ = before_;
  struct sigaction action = {};
  action.sa_handler = note_request;
  sigemptyset(&action.sa_mask);
  for (auto const& [signal, before] : actions_before_) {
    sigdelset(&wait_mask_, signal);
    sigaction(signal, &action, nullptr);
  }
}

sigset_t InterruptWatch::watched() const {
  sigset_t set;
  sigemptyset(&set);
  for (auto const& [signal, before] : actions_before_) sigaddset(&set, signal);
  return set;
}

InterruptWatch::~InterruptWatch() {
  // One that is still held back concerns the outer watch; without one it came too late to matter.
  if (!is_inner_) discard_held_back();
  for (auto const& [signal, before] : actions_before_) sigaction(signal, &before, nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void InterruptWatch::discard_held_back() const {
  sigset_t const watched = this->watched();
  timespec const no_wait = {};
  while (sigtimedwait(&watched, nullptr, &no_wait) > 0) {
  }
}

bool InterruptWatch::requested() const {
  // One that is held back since the last wait counts too.
  return was_requested != 0 || interrupt_held_back();
}

void InterruptWatch::restore_in_child() const {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigemptyset(&action.sa_mask);
  for (auto const& [signal, before] : actions_before_) sigaction(signal, &action, nullptr);
  sigprocmask(SIG_SETMASK, &wait_mask_, nullptr);
}

}  // namespace gridcast::inline base
