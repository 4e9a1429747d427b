#include "sim/study/replica_pool.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <functional>
#include <iostream>
#include <new>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/study/interrupt.hpp"

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

/// What became of a child: a record, or the reason why there is none.
struct ReplicaOutcome {
  std::optional<Record> record;
  std::string why;
};

/// A forked child that computes task(replica), writes the record to a pipe and is gone. It dies
/// with its parent, and when the object goes before it has answered.
class ReplicaProcess {
 public:
  using Clock = std::chrono::steady_clock;

  ReplicaProcess(std::uint32_t replica, std::function<Record(std::uint32_t)> const& task,
                 InterruptWatch const& watch);
  ~ReplicaProcess();
  ReplicaProcess(ReplicaProcess&& other) noexcept;
  ReplicaProcess& operator=(ReplicaProcess&& other) noexcept;

  std::uint32_t replica() const { return replica_; }
  int descriptor() const { return descriptor_; }
  Clock::time_point started() const { return started_; }

  /// Takes what the pipe holds; call when it is readable. True once the child has closed it.
  bool read_available();
  /// Waits for the child's end. After read_available() was true.
  ReplicaOutcome outcome();
  /// Ends the child by force.
  ReplicaOutcome end(std::string why);

 private:
  int reap();

  std::uint32_t replica_ = 0;
  pid_t child_ = -1;
  int descriptor_ = -1;
  Clock::time_point started_;
  std::string bytes_;
};

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

using Clock = ReplicaProcess::Clock;

class ChildPool {
 public:
  ChildPool(std::size_t n, unsigned processes, std::function<Record(std::uint32_t)> const& task,
            Progress const& progress, Clock::duration patience, Journal* journal)
      : n_(n),
        processes_(processes),
        task_(task),
        progress_(progress),
        patience_(patience),
        journal_(journal),
        known_(n) {
    if (journal) take_known();
  }

  PoolResult run() {
    skip_known();
    while (!watch_.requested() && (next_ < n_ || !running_.empty())) {
      while (next_ < n_ && running_.size() < processes_) {
        running_.emplace_back(static_cast<std::uint32_t>(next_++), task_, watch_);
        skip_known();
      }
      wait();
    }
    result_.interrupted = done() < n_;
    sort_result();
    return std::move(result_);
  }

 private:
  void take_known() {
    for (auto const& [replica, record] : journal_->records()) {
      if (replica >= n_) continue;
      known_[replica] = true;
      result_.records.emplace_back(replica, record);
    }
  }

  void skip_known() {
    while (next_ < n_ && known_[next_]) ++next_;
  }

  std::size_t done() const { return result_.records.size() + result_.failed.size(); }

  /// Until a child has something to say, the slowest has used up our patience, or a signal.
  void wait() {
    std::vector<pollfd> pipes;
    auto oldest = Clock::time_point::max();
    for (auto const& child : running_) {
      pipes.push_back({child.descriptor(), POLLIN, 0});
      oldest = std::min(oldest, child.started());
    }
    auto const left = std::max(oldest + patience_ - Clock::now(), Clock::duration::zero());
    auto const ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    constexpr long giga = 1000000000;
    timespec const timeout = {ns / giga, ns % giga};
    if (::ppoll(pipes.data(), pipes.size(), &timeout, &watch_.wait_mask()) >= 0) collect(pipes);
  }

  void collect(std::vector<pollfd> const& pipes) {
    auto const now = Clock::now();
    for (std::size_t i = pipes.size(); i-- > 0;) {
      auto& child = running_[i];
      if (pipes[i].revents != 0) {
        if (child.read_available()) finish(i, child.outcome());
      } else if (now - child.started() >= patience_) {
        finish(i, child.end("not done after " + patience_text()));
      }
    }
  }

  std::string patience_text() const {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(patience_).count()) +
           " s of waiting";
  }

  void finish(std::size_t i, ReplicaOutcome outcome) {
    std::uint32_t const replica = running_[i].replica();
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    if (outcome.record) {
      if (journal_) journal_->add(replica, *outcome.record);
      keep(replica, *outcome.record);
    } else {
      result_.failed.push_back({replica, std::move(outcome.why)});
    }
    if (progress_) progress_(done(), result_.failed.size(), n_);
  }

  /// Room is taken for many records at once, so that the parent does not grow from replica to
  /// replica.
  void keep(std::uint32_t replica, Record const& record) {
    constexpr std::size_t most = 16384;
    if (room_.empty()) {
      room_.assign(std::min(n_ - done(), most), record);
      result_.records.reserve(result_.records.size() + room_.size());
    }
    room_.back() = record;
    result_.records.emplace_back(replica, std::move(room_.back()));
    room_.pop_back();
  }

  void sort_result() {
    std::sort(result_.records.begin(), result_.records.end(),
              [](auto const& a, auto const& b) { return a.first < b.first; });
    std::sort(result_.failed.begin(), result_.failed.end(),
              [](auto const& a, auto const& b) { return a.replica < b.replica; });
  }

  std::size_t n_, processes_, next_ = 0;
  std::function<Record(std::uint32_t)> const& task_;
  Progress const& progress_;
  Clock::duration patience_;
  Journal* journal_;
  std::vector<bool> known_;  // by replica: in the journal
  InterruptWatch watch_;
  std::vector<ReplicaProcess> running_;
  std::vector<Record> room_;  // for the records that are still to come
  PoolResult result_;
};

}  // namespace

PoolResult run_replicas(std::size_t n, unsigned processes,
                        std::function<Record(std::uint32_t replica)> const& task,
                        Progress const& progress, std::chrono::milliseconds patience,
                        Journal* journal) {
  check(processes > 0, "replicas run in at least one process");
  // What is still buffered here would be in each child's buffer too.
  std::fflush(nullptr);
  std::cout.flush();
  return ChildPool(n, processes, task, progress, patience, journal).run();
}

}  // namespace gridcast::study
