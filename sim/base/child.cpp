#include "sim/base/child.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "sim/base/text.hpp"

extern "C" char** environ;  // POSIX declares it nowhere

namespace gridcast::inline base {
namespace {

constexpr std::size_t most_complaints = 64 * 1024;

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw ResourceError(Problem{{},
                                  "another program cannot be started",
                                  std::strerror(errno),
                                  "Raise the limit of open files (ulimit -n)."});
    }
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    for (int const end : {read, write}) {
      if (end >= 0) ::close(end);
    }
  }
  Pipe(Pipe const&) = delete;
  Pipe& operator=(Pipe const&) = delete;

  int read = -1, write = -1;
};

/// Attributes and file actions of a spawn.
class Start {
 public:
  Start() {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&usual, signal);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Start() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Start(Start const&) = delete;
  Start& operator=(Start const&) = delete;

  void connect(int from, int to) { ::posix_spawn_file_actions_adddup2(&files_, from, to); }

  /// 0, or the error's number.
  int run(std::vector<std::string> const& words, pid_t& process) const {
    std::vector<char*> pointers;
    for (std::string const& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
    pointers.push_back(nullptr);
    return ::posix_spawnp(&process, pointers[0], &files_, &attributes_, pointers.data(), environ);
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Child::Child(std::vector<std::string> const& words) {
  Pipe out, error;
  Start start;
  start.connect(out.write, STDOUT_FILENO);
  start.connect(error.write, STDERR_FILENO);
  if (int const failed = start.run(words, process_); failed != 0) {
    Problem problem{{}, words[0] + " cannot be started", std::strerror(failed), ""};
    if (failed == ENOENT || failed == EACCES) throw NoSuchProgram(std::move(problem));
    throw ResourceError(std::move(problem));
  }
  out_ = std::exchange(out.read, -1);
  error_ = std::exchange(error.read, -1);
  ::fcntl(out_, F_SETFL, O_NONBLOCK);
  ::fcntl(error_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
  if (!has_ended()) {
    ::kill(-process_, SIGKILL);
    exit_code();
  }
  for (int const pipe : {out_, error_}) {
    if (pipe >= 0) ::close(pipe);
  }
}

void Child::drain(int& pipe, std::string& into, std::size_t most) {
  std::array<char, 16384> bytes{};
  while (pipe >= 0) {
    ssize_t const count = ::read(pipe, bytes.data(), bytes.size());
    if (count > 0) {
      std::size_t const room = most - std::min(most, into.size());
      into.append(bytes.data(), std::min(room, static_cast<std::size_t>(count)));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    ::close(pipe);
    pipe = -1;
  }
}

Child::Heard Child::listen(std::chrono::milliseconds patience, std::string& out) {
  std::size_t const before = out.size();
  std::array<pollfd, 2> pipes = {pollfd{out_, POLLIN, 0}, pollfd{error_, POLLIN, 0}};
  ::poll(pipes.data(), pipes.size(), static_cast<int>(patience.count()));
  drain(out_, out, std::numeric_limits<std::size_t>::max());
  drain(error_, complaints_, most_complaints);
  if (out.size() > before) return Heard::something;
  return out_ < 0 && error_ < 0 ? Heard::end : Heard::nothing;
}

bool Child::has_ended() {
  if (process_ > 0) {
    pid_t const ended = ::waitpid(process_, &status_, WNOHANG);
    bool const runs = ended == 0 || (ended < 0 && errno == EINTR);
    if (!runs) process_ = -1;
  }
  return process_ < 0;
}

int Child::exit_code() {
  while (process_ > 0 && ::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : 1;
}

int Child::signal() const { return WIFSIGNALED(status_) ? WTERMSIG(status_) : 0; }

std::string CommandEnd::last_words() const {
  for (std::string const* const output : {&err, &out}) {
    auto const lines = split(trim(*output), '\n');
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

CommandEnd run_command(std::vector<std::string> const& words, std::chrono::milliseconds patience) {
  // A process that outlives the program can keep the pipes open, so the end of the program counts.
  constexpr auto between_looks = std::chrono::milliseconds(10);
  CommandEnd end;
  try {
    Child child(words);
    auto const until = std::chrono::steady_clock::now() + patience;
    while (!child.has_ended() && std::chrono::steady_clock::now() < until) {
      child.listen(between_looks, end.out);
    }
    child.listen(std::chrono::milliseconds(0), end.out);
    end.err = child.complaints();
    if (!child.has_ended()) {
      end.how = CommandEnd::How::took_too_long;
    } else if (child.signal() != 0) {
      end.how = CommandEnd::How::killed;
      end.status = child.signal();
    } else {
      end.status = child.exit_code();
    }
  } catch (Child::NoSuchProgram const&) {
    end.how = CommandEnd::How::not_found;
  }
  return end;
}

bool start_detached(std::vector<std::string> const& words) {
  pid_t process = -1;
  return Start().run(words, process) == 0;
}

}  // namespace gridcast::inline base
