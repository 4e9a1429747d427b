// Programs: where the running one is, as what it ships stands beside it, and the files that it runs from;
// and another one, run to its end, and what it said.
#pragma once

#include <chrono>
#include <filesystem>
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

}  // namespace gridcast::inline base
