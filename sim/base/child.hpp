// Other programs: gridcast starts every program here. The program gets an empty standard input, a
// process group of its own (it can be ended with all its children) and the usual signals, even
// those that this process blocks.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <sys/types.h>
#include <vector>

#include "sim/base/error.hpp"

namespace gridcast::inline base {

/// A running program, whose output comes through pipes.
class Child {
 public:
  /// Thrown where no file of that name can be run.
  class NoSuchProgram : public ResourceError {
   public:
    using ResourceError::ResourceError;
  };

  /// Starts words[0], which is searched for in PATH. ResourceError if the machine has no process
  /// left.
  explicit Child(std::vector<std::string> const& words);
  /// Ends it, if it has not ended.
  ~Child();
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;

  enum class Heard { something, nothing, end };
  /// Waits for output and appends it to `out`, for `patience` at most. `end`: it has closed both
  /// pipes.
  Heard listen(std::chrono::milliseconds patience, std::string& out);
  /// The first 64 kB of its standard error.
  std::string const& complaints() const { return complaints_; }

  /// True if the process has ended. Does not wait.
  bool has_ended();
  /// Waits for the end and returns the exit code; 1 if a signal ended it.
  int exit_code();
  /// The signal that ended it; 0 if none did.
  int signal() const;

 private:
  /// Appends the content of the pipe; closes it at its end.
  void drain(int& pipe, std::string& into, std::size_t most);

  pid_t process_ = -1;  // and process group; -1 once it has ended
  int status_ = 0;
  int out_ = -1, error_ = -1;
  std::string complaints_;
};

struct CommandEnd {
  enum class How { exited, killed, not_found, took_too_long };
  How how = How::exited;
  int status = 0;  // exit status, or the signal's number
  std::string out, err;

  bool succeeded() const { return how == How::exited && status == 0; }
  /// The last line of its output that explains a failure, or how it ended.
  std::string last_words() const;
};

/// Runs a program to its end; it is killed after `patience`.
CommandEnd run_command(std::vector<std::string> const& words,
                       std::chrono::milliseconds patience = std::chrono::minutes(5));

/// Starts a program that goes on by itself, with the output of this process. False if it cannot be
/// started.
bool start_detached(std::vector<std::string> const& words);

}  // namespace gridcast::inline base
