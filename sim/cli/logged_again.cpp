#include "sim/cli/logged_again.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/condor/log/read_log.hpp"

namespace gridcast::cli {
namespace {

/// A file that is gone with its scope.
class ScratchFile {
 public:
  ScratchFile()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("gridcast-log-{}.log", getpid())) {}
  ScratchFile(ScratchFile const&) = delete;
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

history::JobHistory logged_again(history::JobHistory const& simulated,
                                 condor::EventLogOptions const& options) {
  ScratchFile const file;
  {
    std::ofstream out(file.path());
    condor::write_event_log(simulated, out, options);
  }
  return condor::read_logs({file.path()}).history;
}

}  // namespace gridcast::cli
