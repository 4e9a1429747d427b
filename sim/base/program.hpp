// Programs as processes: where the running one is, as what it ships stands beside it, and the files
// that it runs from; another one, run to its end, and what it said; and Ctrl-C while a study runs:
// noted, not obeyed at once, so that what is done can still be reported. Whoever plays a campaign
// in this very process holds the signals back (InterruptWatch), and what runs for long looks now
// and then whether one has come.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gridcast::inline base {

/// The file of the running program, through links, also where the dynamic loader was called with it
/// (`ld-linux-x86-64.so.2 PROGRAM`); as it was called where there is no /proc (a bare root).
std::filesystem::path program_file();

/// What a machine without any of it needs to run this very program.
struct ProgramFiles {
  std::filesystem::path program;
  std::filesystem::path loader;  // empty: the program is linked statically
  std::vector<std::filesystem::path>
      libraries;  // by the names under which the program asks for them
};
ProgramFiles program_files();

/// The name of this machine.
std::string host_name();

struct CommandEnd {
  enum class How { exited, killed, not_found, took_too_long };
  How how = How::exited;
  int status = 0;  // exit status, or the signal's number
  std::string out, err;

  bool succeeded() const { return how == How::exited && status == 0; }
  /// The last line that it said of what went wrong, or how it ended.
  std::string last_words() const;
};

/// Runs words[0], looked for in PATH, with an empty standard input; it is killed after `patience`.
CommandEnd run_command(std::vector<std::string> const& words,
                       std::chrono::seconds patience = std::chrono::minutes(5));

/// Whether SIGHUP is ignored: under nohup, what was started outlives its terminal.
bool hangup_is_ignored();

/// As long as it lives, SIGINT, SIGTERM and SIGHUP (unless that is ignored) are held back and only
/// let in by waits that use `wait_mask()`; then they do no more than set a flag. Afterwards all is
/// as it was. One at a time.
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
  sigset_t watched() const;

  sigset_t before_ = {};
  std::map<int, struct sigaction> actions_before_;  // by signal
};

/// Through all that was under way, to the verb.
struct Interrupted {};

/// Whether SIGINT, SIGTERM or SIGHUP is held back.
inline bool interrupt_held_back() {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
         sigismember(&pending, SIGHUP) == 1;
}

}  // namespace gridcast::inline base
