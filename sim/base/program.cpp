#include "sim/base/program.hpp"

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <link.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
extern "C" char** environ;

namespace gridcast::inline base {

namespace fs = std::filesystem;

namespace {

/// The file that is mapped where this very function is (proc(5), maps); empty if it is not told.
fs::path mapped_here() {
  auto const here = reinterpret_cast<std::uintptr_t>(&mapped_here);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2) continue;
    std::size_t const name = line.find('/');
    if (from <= here && here < to && name != std::string::npos) return line.substr(name);
  }
  return {};
}

struct Loaded {
  ProgramFiles files;
  bool is_first = true;  // the program itself always is
};

int add_object(dl_phdr_info* object, std::size_t, void* data) {
  auto& loaded = *static_cast<Loaded*>(data);
  if (std::exchange(loaded.is_first, false)) {
    for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
      auto const& segment = object->dlpi_phdr[i];
      // Where the loader has put the segment: an address is all that it tells.
      auto const* const at = reinterpret_cast<char const*>(object->dlpi_addr + segment.p_vaddr);
      if (segment.p_type == PT_INTERP) loaded.files.loader = at;
    }
    return 0;
  }
  fs::path const file = object->dlpi_name;
  std::error_code ignored;
  bool const is_loader = file.filename().string().starts_with("ld-") ||
                         fs::equivalent(file, "/proc/self/exe", ignored);
  // Without a folder: the kernel's own (vdso(7)).
  if (file.has_parent_path() && !is_loader) loaded.files.libraries.push_back(file);
  return 0;
}

}  // namespace

fs::path program_file() {
  std::error_code error;
  fs::path const own = fs::read_symlink("/proc/self/exe", error);
  // A loader that was called with the program is what /proc calls the program.
  fs::path const mapped = mapped_here();
  if (!error) return mapped.empty() ? own : mapped;
  // getauxval(3): the path that execve was given.
  auto const* const called = reinterpret_cast<char const*>(::getauxval(AT_EXECFN));
  if (!called) return {};
  fs::path const file = fs::canonical(called, error);
  return error ? fs::path(called) : file;
}

ProgramFiles program_files() {
  Loaded loaded;
  ::dl_iterate_phdr(add_object, &loaded);
  loaded.files.program = program_file();
  std::error_code error;
  fs::path const own = fs::read_symlink("/proc/self/exe", error);
  if (!error && own != loaded.files.program) loaded.files.loader = own;
  return loaded.files;
}

std::string host_name() {
  constexpr std::size_t longest = 256;
  char name[longest + 1] = {};
  return ::gethostname(name, longest) == 0 ? std::string(name) : std::string();
}

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

namespace {

// A signal handler can reach nothing else.
volatile std::sig_atomic_t was_requested = 0;

extern "C" void note_request(int) { was_requested = 1; }

struct sigaction action_of(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action;
}

}  // namespace

bool hangup_is_ignored() { return action_of(SIGHUP).sa_handler == SIG_IGN; }

InterruptWatch::InterruptWatch() {
  was_requested = 0;
  // The first two also where they were ignored, as in the background of a script: whoever sends one
  // means it.
  for (int const signal : {SIGINT, SIGTERM}) actions_before_[signal] = action_of(signal);
  if (!hangup_is_ignored()) actions_before_[SIGHUP] = action_of(SIGHUP);
  sigset_t const watched = this->watched();
  sigprocmask(SIG_BLOCK, &watched, &before_);
  struct sigaction action = {};
  action.sa_handler = note_request;
  sigemptyset(&action.sa_mask);
  for (auto const& [signal, before] : actions_before_) {
    sigdelset(&before_, signal);
    sigaction(signal, &action, nullptr);
  }
}

sigset_t InterruptWatch::watched() const {
  sigset_t set;
  sigemptyset(&set);
  for (auto const& [signal, before] : actions_before_) sigaddset(&set, signal);
  return set;
}

InterruptWatch::~InterruptWatch() {
  // One that is still held back has been noted, or came too late to matter.
  sigset_t const watched = this->watched();
  timespec const no_wait = {};
  while (sigtimedwait(&watched, nullptr, &no_wait) > 0) {
  }
  for (auto const& [signal, before] : actions_before_) sigaction(signal, &before, nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool InterruptWatch::requested() const {
  // One that is held back since the last wait counts too.
  return was_requested != 0 || interrupt_held_back();
}

void InterruptWatch::restore_in_child() const {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigemptyset(&action.sa_mask);
  for (auto const& [signal, before] : actions_before_) sigaction(signal, &action, nullptr);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace gridcast::inline base
