// A command of this very program in a process of its own: what simulates must be another process than
// the server (SimGrid's platform is set up once a process), and one that can be ended with all its own
// children at any moment.
#pragma once

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gridcast::serve {

class Child {
 public:
  /// gridcast with these arguments. ResourceError if the machine gives no process.
  explicit Child(std::vector<std::string> const& arguments);
  /// Ends it, if it has not ended.
  ~Child();
  Child(Child const&) = delete;
  Child& operator=(Child const&) = delete;

  enum class Heard { something, nothing, end };
  /// Waits for what it prints, and appends that to `out`; nothing after `patience`.
  Heard listen(std::chrono::milliseconds patience, std::string& out);

  /// What it told on standard error, the first 64 kB.
  std::string const& complaints() const { return complaints_; }
  /// Its exit code, once `listen` has heard the end; 1 if a signal ended it.
  int exit_code();

 private:
  /// What the pipe has; closes it at its end.
  void drain(int& pipe, std::string& into, std::size_t most);
  void end();

  pid_t process_ = -1;  // and process group
  int out_ = -1, error_ = -1;
  std::string complaints_;
};

/// What a command prints, and how it ends, where it takes no longer than `most`.
struct Done {
  int exit_code = 0;
  std::string out, complaints;
};
Done run_to_end(std::vector<std::string> const& arguments, std::chrono::milliseconds most);

}  // namespace gridcast::serve
