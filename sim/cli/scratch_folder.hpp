// A folder for what a verb makes on the way: it goes with its scope, and when a signal ends the
// program.
#pragma once

#include <csignal>
#include <filesystem>
#include <map>
#include <string_view>

namespace gridcast::cli {

class ScratchFolder {
 public:
  /// gridcast-VERB-XXXXXX in $TMPDIR, else in /tmp; one at a time. ResourceError where none can be
  /// made.
  explicit ScratchFolder(std::string_view verb);
  ScratchFolder(ScratchFolder const&) = delete;
  ScratchFolder& operator=(ScratchFolder const&) = delete;
  ~ScratchFolder();

  /// Without links in it, as what is written there may name other files by their ways from it.
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::map<int, struct sigaction> actions_before_;  // by signal
};

}  // namespace gridcast::cli
