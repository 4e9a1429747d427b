// Another program, run to its end, and what it said.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace gridcast::inline base {

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

}  // namespace gridcast::inline base
