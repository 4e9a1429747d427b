#include "sim/cli/scratch_folder.hpp"

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/cli/terminal.hpp"

namespace gridcast::cli {

namespace {

// A signal handler can reach nothing else.
std::array<char, PATH_MAX> folder_at_hand = {};
pid_t owner = 0;
bool says_so_at_ctrl_c = false;

constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

/// No function that is allowed in a handler (signal-safety(7)) removes a folder with its files, so
/// rm does. Child processes, which have the handler too, leave the folder alone.
extern "C" void remove_and_end(int signal) {
  if (getpid() == owner) {
    pid_t const child = _Fork();
    if (child == 0) {
      execl("/bin/rm", "rm", "-rf", "--", folder_at_hand.data(), static_cast<char*>(nullptr));
      _exit(1);
    }
    if (child > 0) waitpid(child, nullptr, 0);
  }
  if (signal == SIGINT && says_so_at_ctrl_c) end_as_interrupted(signal);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

fs::path new_folder(std::string_view verb) {
  std::error_code error;
  auto const above = fs::canonical(fs::temp_directory_path(error), error);
  std::string name =
      ((error ? fs::path("/tmp") : above) / fmt::format("gridcast-{}-XXXXXX", verb)).string();
  if (name.size() >= folder_at_hand.size() || mkdtemp(name.data()) == nullptr) {
    throw ResourceError(
        Problem{{name}, "no folder can be made there", std::strerror(errno), "Set TMPDIR."});
  }
  return name;
}

}  // namespace

ScratchFolder::ScratchFolder(std::string_view verb) {
  HeldSignals const held;  // a signal between the folder and its handler would leave the folder
  path_ = new_folder(verb);
  std::strcpy(folder_at_hand.data(), path_.c_str());
  owner = getpid();
  for (int const signal : ending_signals) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    bool const said = ends_at_ctrl_c(before.sa_handler);
    says_so_at_ctrl_c |= said;
    if (before.sa_handler != SIG_DFL && !said) continue;  // ignored, or somebody else's
    actions_before_[signal] = before;
    struct sigaction action = {};
    action.sa_handler = remove_and_end;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  for (auto const& [signal, before] : actions_before_) sigaction(signal, &before, nullptr);
}

}  // namespace gridcast::cli
