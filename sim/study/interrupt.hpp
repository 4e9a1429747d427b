// Ctrl-C while a study runs: noted, not obeyed at once, so that what is done can still be reported.
#pragma once

#include <csignal>

namespace gridcast::study {

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

}  // namespace gridcast::study
