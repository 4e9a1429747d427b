#include "sim/study/replica_pool.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <fmt/format.h>

#include "sim/base/interrupt.hpp"

namespace gridcast::study {

namespace {

/// The head of an answer, before its bytes.
struct AnswerHead {
  std::uint64_t size = 0;
  enum class Says : std::uint32_t { record, error } says = Says::record;
  enum class Then : std::uint32_t { asks_for_more, ends } then = Then::asks_for_more;
};

// Limits the memory that replicas leave behind in their process.
constexpr int most_replicas_a_child = 1000;

void send_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t const written = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) _exit(EXIT_FAILURE);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

struct Answer {
  AnswerHead::Says says = AnswerHead::Says::record;
  std::string bytes;
};

Answer answer(std::uint32_t replica, std::function<Record(std::uint32_t)> const& task) {
  using enum AnswerHead::Says;
  try {
    return {record, bytes_of_record(task(replica))};
  } catch (std::bad_alloc const&) {
    return {error, "out of memory"};
  } catch (std::exception const& failure) {
    return {error, failure.what()};
  } catch (...) {
    return {error, "an exception of an unknown kind"};
  }
}

/// The next replica that the parent wants; none at the end.
std::optional<std::uint32_t> next_replica(int descriptor) {
  std::uint32_t replica = 0;
  ssize_t got = 0;
  do {
    got = ::recv(descriptor, &replica, sizeof replica, MSG_WAITALL);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof replica) return std::nullopt;
  return replica;
}

[[noreturn]] void live_as_child(int descriptor, std::function<Record(std::uint32_t)> const& task,
                                InterruptWatch const& watch, pid_t parent) {
  watch.restore_in_child();
  std::signal(SIGABRT, SIG_DFL);  // the parent has to see it
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  int simulated = 0;
  for (auto next = next_replica(descriptor); next; next = next_replica(descriptor)) {
    Answer const answered = answer(*next, task);
    bool const ends = ++simulated == most_replicas_a_child;
    AnswerHead const head{answered.bytes.size(), answered.says,
                          ends ? AnswerHead::Then::ends : AnswerHead::Then::asks_for_more};
    // As one piece, which wakes the parent once.
    std::string message(reinterpret_cast<char const*>(&head), sizeof head);
    send_all(descriptor, message += answered.bytes);
    if (ends) break;
  }
  // An exit like any other: tools that were loaded into the program report on children too.
  std::exit(EXIT_SUCCESS);
}

std::string death(int status) {
  if (WIFSIGNALED(status)) {
    int const signal = WTERMSIG(status);
    return "killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

/// The outcome of a replica: a record, or the reason why it is missing.
struct ReplicaOutcome {
  std::optional<Record> record;
  std::string why;
};

using Clock = std::chrono::steady_clock;

std::string in_seconds(Clock::duration time) {
  return fmt::format("{} s", std::chrono::duration<double>(time).count());
}

/// A forked child that computes task(replica) for one replica after the other and writes the
/// records to a socket. It ends with its parent, and with this object.
class ReplicaProcess {
 public:
  /// None, with errno, if the machine has no process or no descriptor left.
  static std::unique_ptr<ReplicaProcess> start(std::function<Record(std::uint32_t)> const& task,
                                               InterruptWatch const& watch) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return nullptr;
    pid_t const parent = getpid();
    // A child that exits flushes its copies of the buffers.
    std::cout.flush();
    std::fflush(nullptr);
    pid_t const child = ::fork();
    if (child == 0) {
      ::close(ends[0]);
      live_as_child(ends[1], task, watch, parent);
    }
    int const error = errno;
    ::close(ends[1]);
    if (child > 0) return std::unique_ptr<ReplicaProcess>(new ReplicaProcess(child, ends[0]));
    ::close(ends[0]);
    errno = error;
    return nullptr;
  }

  ~ReplicaProcess() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      reap();
    }
    ::close(descriptor_);
  }

  ReplicaProcess(ReplicaProcess const&) = delete;
  ReplicaProcess& operator=(ReplicaProcess const&) = delete;

  /// Gives the child its next replica. Only while it has none. If the child has ended, sending
  /// fails, and read_available() will report it.
  void give(std::uint32_t replica) {
    replica_ = replica;
    before_ = computed_ = computed();
    idle_ = {};
    ssize_t sent = 0;
    do {
      sent = ::send(descriptor_, &replica, sizeof replica, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
  }

  std::uint32_t replica() const { return replica_; }
  int descriptor() const { return descriptor_; }

  /// The reason to give up the child, if there is one. `since`: the time since the last call.
  std::optional<std::string> overdue(Clock::duration since, Clock::duration patience) {
    auto const now = computed();
    idle_ = now > computed_ ? Clock::duration::zero() : idle_ + since;
    computed_ = now;
    if (computed_ - before_ >= patience)
      return "not done after computing for " + in_seconds(patience);
    if (idle_ >= patience) return "not done after doing nothing for " + in_seconds(patience);
    return std::nullopt;
  }

  /// Reads the readable socket. The outcome of the replica, once it is complete or the child has
  /// ended.
  std::optional<ReplicaOutcome> read_available() {
    char piece[16384];
    for (;;) {
      ssize_t const got = ::recv(descriptor_, piece, sizeof piece, MSG_DONTWAIT);
      if (got > 0) {
        bytes_.append(piece, static_cast<std::size_t>(got));
        if (auto whole = outcome()) return whole;
      } else if (got < 0 && errno == EINTR) {
        continue;
      } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        return std::nullopt;
      } else {
        return ended();
      }
    }
  }

  /// True if it takes another replica.
  bool goes_on() const { return goes_on_; }
  /// Lets the child exit by itself; it has nothing to do.
  void dismiss() {
    if (child_ <= 0) return;
    // Siblings have copies of the descriptor, which close() would leave.
    ::shutdown(descriptor_, SHUT_RDWR);
    reap();
  }

  /// Ends the child by force.
  ReplicaOutcome end(std::string why) {
    goes_on_ = false;
    ::kill(child_, SIGKILL);
    reap();
    return {{}, std::move(why)};
  }

 private:
  ReplicaProcess(pid_t child, int descriptor) : child_(child), descriptor_(descriptor) {}
  /// The child's own time does not include the time of a sleeping machine or of other processes.
  Clock::duration computed() const {
    clockid_t clock = 0;
    timespec time = {};
    if (::clock_getcpuclockid(child_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  /// The outcome of a complete answer.
  std::optional<ReplicaOutcome> outcome() {
    AnswerHead head;
    if (bytes_.size() < sizeof head) return std::nullopt;
    std::memcpy(&head, bytes_.data(), sizeof head);
    if (bytes_.size() < sizeof head + head.size) return std::nullopt;
    goes_on_ = head.then == AnswerHead::Then::asks_for_more;
    std::string const content = bytes_.substr(sizeof head, head.size);
    bytes_.erase(0, sizeof head + head.size);
    if (head.says == AnswerHead::Says::error) return ReplicaOutcome{{}, content};
    return ReplicaOutcome{record_of_bytes(content), ""};
  }

  /// The outcome of a child that ended before its answer.
  ReplicaOutcome ended() {
    goes_on_ = false;
    int const status = reap();
    bool const by_itself = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
    return {{}, by_itself ? "ended without a record" : death(status)};
  }

  int reap() {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return status;
  }

  std::uint32_t replica_ = 0;
  pid_t child_ = -1;
  int descriptor_ = -1;
  bool goes_on_ = true;
  Clock::duration before_{};             // computed before this replica
  Clock::duration computed_{}, idle_{};  // at the last look, and time since it last computed
  std::string bytes_;
};

/// True if there may be room again soon.
bool is_short_of_room(int error) {
  return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
}

class ChildPool {
 public:
  ChildPool(std::size_t n, unsigned processes, std::function<Record(std::uint32_t)> const& task,
            Progress const& progress, Clock::duration patience, Journal* journal)
      : n_(n),
        wanted_(processes),
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
    while (!watch_.requested() && result_.trouble.empty() && (next_ < n_ || !running_.empty())) {
      start_some();
      wait();
    }
    if (journal_ && journal_->problem()) result_.trouble.push_back(*journal_->problem());
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

  void start_some() {
    if (Clock::now() >= more_at_) processes_ = wanted_;
    while (next_ < n_ && running_.size() < processes_) {
      auto child = ReplicaProcess::start(task_, watch_);
      if (!child) return make_do(errno);
      full_since_.reset();
      running_.push_back(std::move(child));
      give_next(*running_.back());
    }
  }

  void give_next(ReplicaProcess& child) {
    child.give(static_cast<std::uint32_t>(next_++));
    skip_known();
  }

  /// Continues with the processes there are; without any, for a minute at most.
  void make_do(int error) {
    auto const now = Clock::now();
    processes_ = running_.size();
    more_at_ = now + before_more;
    if (!running_.empty()) return;
    if (!full_since_) full_since_ = now;
    if (is_short_of_room(error) && now - *full_since_ < longest_without) return;
    result_.trouble.push_back(
        {{},
         std::string("no process can be started for a campaign (") + std::strerror(error) + ")",
         "the machine has none left, or a limit is reached",
         "Raise the limit (ulimit -u, ulimit -n), or wait for others."});
  }

  /// Waits for an answer, a signal, or the next look at all children.
  void wait() {
    std::vector<pollfd> pipes;
    for (auto const& child : running_) pipes.push_back({child->descriptor(), POLLIN, 0});
    auto const left = std::max(looked_ + between_looks() - Clock::now(), Clock::duration::zero());
    auto const ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    constexpr long giga = 1000000000;
    timespec const timeout = {ns / giga, ns % giga};
    if (::ppoll(pipes.data(), pipes.size(), &timeout, &watch_.wait_mask()) < 0) return;
    for (std::size_t i = pipes.size(); i-- > 0;) {
      if (pipes[i].revents == 0) continue;
      if (auto outcome = running_[i]->read_available()) finish(i, std::move(*outcome));
    }
    look_after_all();
  }

  Clock::duration between_looks() const {
    return std::clamp<Clock::duration>(patience_ / 10, std::chrono::milliseconds(10),
                                       std::chrono::seconds(1));
  }

  /// A late look follows a sleep of the machine, or of this process with its children. It counts no
  /// more time than a look that is on time.
  void look_after_all() {
    auto const since = Clock::now() - looked_;
    if (since < between_looks()) return;
    looked_ = Clock::now();
    for (std::size_t i = running_.size(); i-- > 0;) {
      auto const why = running_[i]->overdue(std::min(since, 2 * between_looks()), patience_);
      if (why) finish(i, running_[i]->end(*why));
    }
  }

  void finish(std::size_t i, ReplicaOutcome outcome) {
    std::uint32_t const replica = running_[i]->replica();
    if (running_[i]->goes_on() && next_ < n_ && running_.size() <= processes_) {
      give_next(*running_[i]);
    } else {
      running_[i]->dismiss();
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (outcome.record) {
      if (journal_) journal_->add(replica, *outcome.record);
      keep(replica, *outcome.record);
    } else {
      result_.failed.push_back({replica, std::move(outcome.why)});
    }
    if (progress_) progress_(done(), result_.failed.size(), n_);
  }

  /// Reserves memory for many records at once: the parent does not grow with each replica.
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
    std::ranges::sort(result_.records, {}, [](auto const& numbered) { return numbered.first; });
    std::ranges::sort(result_.failed, {}, &FailedReplica::replica);
  }

  static constexpr auto before_more = std::chrono::seconds(1);
  static constexpr auto longest_without = std::chrono::minutes(1);

  std::size_t n_, wanted_, processes_, next_ = 0;
  Clock::time_point looked_ = Clock::now();
  Clock::time_point more_at_;                    // when to try the wanted number again
  std::optional<Clock::time_point> full_since_;  // nothing runs, and nothing can be started
  std::function<Record(std::uint32_t)> const& task_;
  Progress const& progress_;
  Clock::duration patience_;
  Journal* journal_;
  std::vector<bool> known_;  // by replica: in the journal
  InterruptWatch watch_;
  std::vector<std::unique_ptr<ReplicaProcess>> running_;
  std::vector<Record> room_;  // for the records that are still to come
  PoolResult result_;
};

}  // namespace

PoolResult run_replicas(std::size_t n, unsigned processes,
                        std::function<Record(std::uint32_t replica)> const& task,
                        Progress const& progress, std::chrono::milliseconds patience,
                        Journal* journal) {
  check(processes > 0, "replicas run in at least one process");
  return ChildPool(n, processes, task, progress, patience, journal).run();
}

}  // namespace gridcast::study
