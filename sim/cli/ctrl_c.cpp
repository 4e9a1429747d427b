#include "sim/cli/ctrl_c.hpp"

#include <unistd.h>

#include "sim/cli/command_line.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/verb_files.hpp"

namespace gridcast::cli {
namespace {

pid_t interrupted_process = 0;

}  // namespace

extern "C" void end_as_interrupted(int signal) {
  if (getpid() != interrupted_process) {
    std::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  unlink_new_outputs();
  // The terminal has shown ^C in this line.
  constexpr char message[] = "\ngridcast: interrupted; nothing was written\n";
  bool const terminal = isatty(STDERR_FILENO) == 1;
  [[maybe_unused]] auto const written =
      write(STDERR_FILENO, message + (terminal ? 0 : 1), sizeof message - (terminal ? 1 : 2));
  _exit(exit_code::interrupted);
}

void end_at_ctrl_c() {
  interrupted_process = getpid();
  struct sigaction action = {};
  sigaction(SIGINT, nullptr, &action);
  if (action.sa_handler != SIG_DFL) return;
  action.sa_handler = end_as_interrupted;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
}

bool ends_at_ctrl_c(void (*handler)(int)) { return handler == end_as_interrupted; }

HeldSignals::HeldSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

HeldSignals::~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}  // namespace gridcast::cli
