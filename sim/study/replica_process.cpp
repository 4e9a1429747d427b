#include "sim/study/replica_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "sim/base/error.hpp"

namespace gridcast::study {
namespace {

// A message: one of these, then the numbers of the record or the text of what went wrong. The
// child's end closes it, and its exit status says whether it is whole.
constexpr char says_record = 'r';
constexpr char says_error = 'e';

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) _exit(EXIT_FAILURE);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string answer(std::uint32_t replica, std::function<Record(std::uint32_t)> const& task) {
  try {
    Record const record = task(replica);
    std::string bytes(1 + record.size() * sizeof(double), says_record);
    if (!record.empty()) std::memcpy(&bytes[1], record.data(), record.size() * sizeof(double));
    return bytes;
  } catch (std::bad_alloc const&) {
    return says_error + std::string("out of memory");
  } catch (std::exception const& error) {
    return says_error + std::string(error.what());
  } catch (...) {
    return says_error + std::string("an exception of an unknown kind");
  }
}

[[noreturn]] void live_as_child(int descriptor, std::uint32_t replica,
                                std::function<Record(std::uint32_t)> const& task,
                                InterruptWatch const& watch, pid_t parent) {
  watch.restore_in_child();
  std::signal(SIGABRT, SIG_DFL);  // so that the parent learns of it
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  write_all(descriptor, answer(replica, task));
  // Not exit(): what the parent has registered for its own end is not the child's to run.
  _exit(EXIT_SUCCESS);
}

std::string death(int status) {
  if (WIFSIGNALED(status)) {
    int const signal = WTERMSIG(status);
    return "killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

ReplicaProcess::ReplicaProcess(std::uint32_t replica,
                               std::function<Record(std::uint32_t)> const& task,
                               InterruptWatch const& watch)
    : replica_(replica), started_(Clock::now()) {
  int ends[2];
  check(::pipe2(ends, O_CLOEXEC) == 0, "the system has a pipe left for a replica");
  pid_t const parent = getpid();
  child_ = ::fork();
  if (child_ == 0) live_as_child(ends[1], replica, task, watch, parent);
  ::close(ends[1]);
  descriptor_ = ends[0];
  if (child_ < 0) {
    ::close(std::exchange(descriptor_, -1));
    check(false, "the system lets us start a process for each replica");
  }
}

ReplicaProcess::~ReplicaProcess() {
  if (child_ > 0) {
    ::kill(child_, SIGKILL);
    reap();
  }
  if (descriptor_ >= 0) ::close(descriptor_);
}

ReplicaProcess::ReplicaProcess(ReplicaProcess&& other) noexcept
    : replica_(other.replica_),
      child_(std::exchange(other.child_, -1)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      started_(other.started_),
      bytes_(std::move(other.bytes_)) {}

ReplicaProcess& ReplicaProcess::operator=(ReplicaProcess&& other) noexcept {
  std::swap(replica_, other.replica_);
  std::swap(child_, other.child_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(started_, other.started_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

bool ReplicaProcess::read_available() {
  char piece[16384];
  for (;;) {
    ssize_t const got = ::read(descriptor_, piece, sizeof piece);
    if (got > 0) {
      bytes_.append(piece, static_cast<std::size_t>(got));
      pollfd more = {descriptor_, POLLIN, 0};
      if (::poll(&more, 1, 0) <= 0) return false;
    } else if (got == 0 || errno != EINTR) {
      return true;
    }
  }
}

int ReplicaProcess::reap() {
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  return status;
}

ReplicaOutcome ReplicaProcess::outcome() {
  int const status = reap();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) return {{}, death(status)};
  if (bytes_.empty()) return {{}, "ended without a record"};
  if (bytes_[0] == says_error) return {{}, bytes_.substr(1)};
  std::size_t const size = bytes_.size() - 1;
  if (size % sizeof(double) != 0) return {{}, "its record is cut short"};
  Record record(size / sizeof(double));
  if (size > 0) std::memcpy(record.data(), &bytes_[1], size);
  return {std::move(record), ""};
}

ReplicaOutcome ReplicaProcess::end(std::string why) {
  ::kill(child_, SIGKILL);
  reap();
  return {{}, std::move(why)};
}

}  // namespace gridcast::study
