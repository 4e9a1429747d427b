#include "sim/base/command.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

extern "C" char** environ;

namespace gridcast::inline base {
namespace {

/// A nameless file in memory, which takes whatever is written to it.
class Sheet {
 public:
  Sheet() : descriptor_(::memfd_create("said", MFD_CLOEXEC)) {
    if (descriptor_ >= 0) return;
    throw ResourceError(Problem{{},
                                "another program cannot be started",
                                std::strerror(errno),
                                "Raise the limit of open files (ulimit -n)."});
  }
  ~Sheet() { ::close(descriptor_); }
  Sheet(Sheet const&) = delete;
  Sheet& operator=(Sheet const&) = delete;

  int descriptor() const { return descriptor_; }
  std::string text() const {
    std::string all;
    char piece[4096];
    for (;;) {
      ssize_t const got = ::pread(descriptor_, piece, sizeof piece, static_cast<off_t>(all.size()));
      if (got <= 0) return all;
      all.append(piece, static_cast<std::size_t>(got));
    }
  }

 private:
  int descriptor_;
};

class SpawnFiles {
 public:
  SpawnFiles(Sheet const& out, Sheet const& err) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, out.descriptor(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions_, err.descriptor(), STDERR_FILENO);
  }
  ~SpawnFiles() { ::posix_spawn_file_actions_destroy(&actions_); }
  SpawnFiles(SpawnFiles const&) = delete;
  SpawnFiles& operator=(SpawnFiles const&) = delete;

  posix_spawn_file_actions_t const* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_ = {};
};

/// Its status, waited for until it is there or the time is over; then it is killed.
CommandEnd wait_for(pid_t child, std::chrono::steady_clock::time_point until) {
  constexpr auto between_looks = std::chrono::milliseconds(10);
  int status = 0;
  for (;;) {
    pid_t const ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return {CommandEnd::How::killed, 0, "", ""};
    if (std::chrono::steady_clock::now() >= until) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return {CommandEnd::How::took_too_long, 0, "", ""};
    }
    std::this_thread::sleep_for(between_looks);
  }
  if (WIFEXITED(status)) return {CommandEnd::How::exited, WEXITSTATUS(status), "", ""};
  return {CommandEnd::How::killed, WTERMSIG(status), "", ""};
}

}  // namespace

std::string CommandEnd::last_words() const {
  for (std::string const* const said : {&err, &out}) {
    auto const lines = split(trim(*said), '\n');
    if (!trim(lines.back()).empty()) return printable(trim(lines.back()));
  }
  switch (how) {
    case How::exited:
      return fmt::format("it ended with status {}", status);
    case How::killed:
      return fmt::format("it was killed by signal {}", status);
    case How::not_found:
      return "there is no such program";
    case How::took_too_long:
      break;
  }
  return "it did not end in time";
}

CommandEnd run_command(std::vector<std::string> const& words, std::chrono::seconds patience) {
  Sheet const out, err;
  SpawnFiles const files(out, err);
  std::vector<char*> arguments;
  for (std::string const& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  int const error =
      ::posix_spawnp(&child, arguments[0], files.get(), nullptr, arguments.data(), environ);
  if (error == ENOENT || error == EACCES) return {CommandEnd::How::not_found, 0, "", ""};
  if (error != 0) {
    throw ResourceError(Problem{{}, words[0] + " cannot be started", std::strerror(error), ""});
  }
  CommandEnd end = wait_for(child, std::chrono::steady_clock::now() + patience);
  end.out = out.text();
  end.err = err.text();
  return end;
}

}  // namespace gridcast::inline base
