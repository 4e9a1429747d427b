// Ctrl-C while no work watches for it (sim/base/interrupt.hpp), as in a fit: one sentence, exit
// code 130, and no new file.
#pragma once

#include <csignal>

namespace gridcast::cli {

/// From here on, unless SIGINT is ignored, as in the background of a script.
void end_at_ctrl_c();

/// True if the handler is that of end_at_ctrl_c().
bool ends_at_ctrl_c(void (*handler)(int));

/// The end itself, for a handler of SIGINT that has work of its own before. In a child process,
/// which inherits the handlers, the signal ends it as any program.
extern "C" void end_as_interrupted(int signal);

/// Blocks SIGINT, SIGTERM, SIGHUP and SIGPIPE during its life, as handlers of them read what
/// changes.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(HeldSignals const&) = delete;
  HeldSignals& operator=(HeldSignals const&) = delete;

 private:
  sigset_t before_ = {};
};

}  // namespace gridcast::cli
