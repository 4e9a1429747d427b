// Ctrl-C during a study is noted and does not end the process at once: the finished replicas can
// still be reported. A process that simulates a campaign itself holds the signals back
// (InterruptWatch), and long work checks now and then whether one has come.
#pragma once

#include <csignal>
#include <map>

namespace gridcast::inline base {

/// True if SIGHUP is ignored: under nohup a process outlives its terminal.
bool hangup_is_ignored();

/// During its life SIGINT, SIGTERM and SIGHUP (unless that is ignored) are held back. Only waits
/// that use `wait_mask()` let them in, and then they only set a flag. Its end restores the state
/// before. They nest: a signal that comes during an inner one, or between two, counts for the outer
/// one and for all inner ones after it. So a search of many short rounds notes each Ctrl-C.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(InterruptWatch const&) = delete;
  InterruptWatch& operator=(InterruptWatch const&) = delete;

  bool requested() const;
  /// For ppoll(): the signals that were blocked before, without the watched ones.
  sigset_t const& wait_mask() const { return wait_mask_; }
  /// In a forked child: the signals end it again, as they do any program.
  void restore_in_child() const;

 private:
  sigset_t watched() const;
  void discard_held_back() const;

  bool is_inner_;  // another watch is alive
  sigset_t before_ = {};
  sigset_t wait_mask_ = {};
  std::map<int, struct sigaction> actions_before_;  // by signal
};

/// Thrown through all work in progress to the verb.
struct Interrupted {};

/// True if SIGINT, SIGTERM or SIGHUP is held back.
inline bool interrupt_held_back() {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
         sigismember(&pending, SIGHUP) == 1;
}

}  // namespace gridcast::inline base
