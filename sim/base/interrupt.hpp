// Ctrl-C while a study runs: noted, not obeyed at once, so that what is done can still be reported. Whoever
// plays a campaign in this very process holds the signals back (InterruptWatch), and what runs for long
// looks now and then whether one has come.
#pragma once

#include <csignal>

namespace gridcast::inline base {

/// As long as it lives, SIGINT and SIGTERM are held back and only let in by waits that use
/// `wait_mask()`; then they do no more than set a flag. Afterwards all is as it was. One at a time.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(InterruptWatch const&) = delete;
  InterruptWatch& operator=(InterruptWatch const&) = delete;

  bool requested() const;
  /// For ppoll(): the signals that were blocked before.
  sigset_t const& wait_mask() const { return before_; }
  /// In a forked child: the signals end it again, as they do any program.
  void restore_in_child() const;

 private:
  sigset_t before_ = {};
  struct sigaction interrupt_before_ = {};
  struct sigaction terminate_before_ = {};
};

/// Through all that was under way, to the verb.
struct Interrupted {};

/// Whether SIGINT or SIGTERM is held back.
inline bool interrupt_held_back() {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

}  // namespace gridcast::inline base
