#include "sim/serve/child.hpp"

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

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/program.hpp"

extern "C" char** environ;  // POSIX declares it nowhere

namespace gridcast::serve {
namespace {

constexpr std::size_t most_complaints = 64 * 1024;

[[noreturn]] void no_process(int error) {
  throw ResourceError(
      Problem{{}, fmt::format("no process can be started: {}", std::strerror(error)), "", ""});
}

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) no_process(errno);
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }
  Pipe(Pipe const&) = delete;
  Pipe& operator=(Pipe const&) = delete;

  int read = -1, write = -1;
};

/// Attributes and file actions of a spawn.
class Start {
 public:
  Start(int out, int error) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files_, error, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (int const signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~Start() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  Start(Start const&) = delete;
  Start& operator=(Start const&) = delete;

  pid_t start(std::string const& program, std::vector<std::string> const& arguments) const {
    std::vector<std::string> words = {"gridcast"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t process = -1;
    int const error =
        ::posix_spawn(&process, program.c_str(), &files_, &attributes_, pointers.data(), environ);
    if (error != 0) no_process(error);
    return process;
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Child::Child(std::vector<std::string> const& arguments) {
  Pipe out, error;
  process_ = Start(out.write, error.write).start(program_file().string(), arguments);
  out_ = std::exchange(out.read, -1);
  error_ = std::exchange(error.read, -1);
  ::fcntl(out_, F_SETFL, O_NONBLOCK);
  ::fcntl(error_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
  if (process_ > 0) end();
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

int Child::exit_code() {
  int status = 0;
  while (process_ > 0 && ::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void Child::end() {
  ::kill(-process_, SIGKILL);
  exit_code();
}

Done run_to_end(std::vector<std::string> const& arguments, std::chrono::milliseconds most) {
  Child child(arguments);
  Done done;
  auto const until = std::chrono::steady_clock::now() + most;
  while (std::chrono::steady_clock::now() < until) {
    if (child.listen(std::chrono::milliseconds(200), done.out) != Child::Heard::end) continue;
    done.exit_code = child.exit_code();
    done.complaints = child.complaints();
    return done;
  }
  done.exit_code = 1;
  done.complaints = "gridcast: this took too long and was ended\n";
  return done;
}

}  // namespace gridcast::serve
