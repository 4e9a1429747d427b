// A temporary folder of a verb. It is removed at the end of its scope, and when a signal ends the
// program.
#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <string_view>

#include "sim/cli/command_line.hpp"

namespace gridcast::cli {

class ScratchFolder {
 public:
  /// gridcast-VERB-XXXXXX in $TMPDIR, else in /tmp; one at a time. ResourceError if it cannot be
  /// created.
  explicit ScratchFolder(std::string_view verb);
  ScratchFolder(ScratchFolder const&) = delete;
  ScratchFolder& operator=(ScratchFolder const&) = delete;
  ~ScratchFolder();

  /// Without symbolic links, because files in it may name other files by relative paths.
  fs::path const& path() const { return path_; }

 private:
  fs::path path_;
  std::map<int, struct sigaction> actions_before_;  // by signal
};

}  // namespace gridcast::cli
