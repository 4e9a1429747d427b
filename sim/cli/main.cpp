// The program: picks the verb, and turns every error into one message and an exit code.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"
#include "sim/engine/simgrid_version.hpp"
#include "sim/report/text/help.hpp"

namespace gridcast::cli {
namespace {

void add_verbs(Verb program) {
  add_ledger(program);
  add_forecast(program);
  add_watch(program);
  add_compare(program);
  add_optimize(program);
  add_open(program);
  add_lesson(program);
  add_init(program);
  add_calibrate(program);
  add_profile(program);
  add_export(program);
  add_help(program);
  // Behind the verbs, which would inherit it.
  program.footer(
      "  gridcast compare scenarios/osg-imagenet.yaml\n"
      "  gridcast ledger calibration/data/osg-imagenet/imagenet-5epoch-100jobs.csv\n"
      "Exit status: 0 done, 1 failed, 2 bad usage or input, 3 some campaigns failed,\n"
      "4 a wrong answer to a lesson, 130 interrupted.\n"
      "More: gridcast VERB --help and gridcast help TOPIC.");
}

constexpr char no_memory[] =
    "gridcast: out of memory. Give it more (ulimit -v, the batch system's request), or simulate "
    "fewer jobs or slots.\n";

/// The allocator (jemalloc) crashes before main() where it has no room to begin. This runs before
/// it, and so allocates nothing.
extern "C" void require_room_for_allocator(int, char**, char**) {
  constexpr rlim_t allocator = rlim_t{16} << 20U;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  int const statistics = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  char text[32] = {};
  ssize_t const size = statistics < 0 ? 0 : ::read(statistics, text, sizeof text - 1);
  if (statistics >= 0) ::close(statistics);
  rlim_t pages = 0;
  for (ssize_t i = 0; i < size && text[i] >= '0' && text[i] <= '9'; ++i) {
    pages = 10 * pages + static_cast<rlim_t>(text[i] - '0');
  }
  if (pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + allocator <= limit.rlim_cur) return;
  [[maybe_unused]] auto const written = ::write(STDERR_FILENO, no_memory, sizeof no_memory - 1);
  ::_exit(exit_code::failed);
}

/// A preloaded libc takes malloc and free from the allocator, but not the operators of C++.
extern "C" void require_one_allocator(int, char**, char** environment) {
  constexpr char message[] = "gridcast: LD_PRELOAD contains libc.so. Leave it out.\n";
  for (char** variable = environment; *variable != nullptr; ++variable) {
    bool const preloads = std::strncmp(*variable, "LD_PRELOAD=", 11) == 0;
    if (!preloads || std::strstr(*variable, "libc.so") == nullptr) continue;
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, message, sizeof message - 1);
    ::_exit(exit_code::failed);
  }
}

using BeforeAll = void (*)(int, char**, char**);
[[gnu::section(".preinit_array"), gnu::used]] BeforeAll const before_all[] = {
    require_one_allocator, require_room_for_allocator};

// Without memory nothing can be formatted. Most of the program's memory may belong to coroutines
// that never end, so little of it is freed.
void print_no_memory() { std::fputs(no_memory, stderr); }

/// For exceptions that cannot be passed on (out of SimGrid's or the library's own functions).
[[noreturn]] void end_without_way_out() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (std::bad_alloc const&) {
    print_no_memory();
  } catch (std::exception const& error) {
    std::fputs("gridcast: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
  } catch (...) {
  }
  std::_Exit(exit_code::failed);
}

/// The exit code, or that of a failure if standard output could not be written.
int code_with_output(int code) {
  std::cout.flush();
  bool const written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (std::cout && written) return code;
  if (reader_has_gone()) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  print_message("gridcast: the results cannot be written to standard output\n");
  return exit_code::failed;
}

/// Runs the verb. After an exception its outputs are as they were before.
int code_of(Verb::Run const& verb) {
  try {
    return verb();
  } catch (...) {
    remove_new_outputs();
    throw;
  }
}

/// Runs the verb; the results are on their way to stdout when it comes back.
int run_verb(Verb::Run const& verb) {
  try {
    engine::require_simgrid();
    return code_with_output(code_of(verb));
  } catch (InputError const& error) {
    print_message(error.what() + std::string("\n"));
    return exit_code::bad_input;
  } catch (ResourceError const& error) {
    print_message(error.what() + std::string("\n"));
  } catch (InternalError const& error) {
    print_message(
        fmt::format("gridcast: a fault of gridcast's own: expected that {}\n", error.what()));
  } catch (std::bad_alloc const&) {
    print_no_memory();
  } catch (std::exception const& error) {
    print_message(fmt::format("gridcast: {}\n", error.what()));
  }
  return exit_code::failed;
}

/// Ends at once: after an exception SimGrid's state cannot be destroyed in order.
[[noreturn]] void end_now(int code) {
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(code);
}

/// SimGrid ends the process when its own invariants break; the exit code is to be ours.
extern "C" void end_as_failed(int) { std::_Exit(exit_code::failed); }

int run(int argc, char** argv) {
  CommandLine line(
      "Forecasts machine-learning training campaigns on a grid before they are submitted.",
      version_text, version_in_full);
  add_verbs(line.program());
  auto typed = with_new_names({argv + std::min(argc, 1), argv + argc});
  for (auto const& note : typed.notes) print_message("gridcast: " + note + "\n");
  Request const request = line.parse(std::move(typed.words));
  switch (request.kind) {
    case Request::Kind::verb:
      return run_verb(request.run);
    case Request::Kind::help:
      std::cout << report::help_text(request.help, screen());
      return code_with_output(exit_code::done);
    case Request::Kind::version:
      std::cout << request.text << '\n';
      return code_with_output(exit_code::done);
    case Request::Kind::mistake:
      break;
  }
  print_message(Problem{{}, request.text, "", ""}.to_text() + "\n");
  return exit_code::bad_input;
}

}  // namespace
}  // namespace gridcast::cli

int main(int argc, char** argv) {
  gridcast::cli::keep_standard_descriptors();
  // If the reader of a pipe stops before the end, the program stops as well, without a message.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGABRT, gridcast::cli::end_as_failed);
  // A file that grows beyond its limit is an error of that write, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  gridcast::cli::end_at_ctrl_c();
  std::set_terminate(gridcast::cli::end_without_way_out);
  gridcast::protect_input_files();
  int const code = gridcast::cli::run(argc, argv);
  if (code == gridcast::cli::exit_code::failed || code == gridcast::cli::exit_code::interrupted) {
    gridcast::cli::end_now(code);
  }
  return code;
}
