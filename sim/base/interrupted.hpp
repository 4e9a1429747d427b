// Ctrl-C while a campaign is played in this very process: whoever plays one holds SIGINT and SIGTERM
// back (study/interrupt.hpp), and what runs for long looks now and then whether one has come.
#pragma once

#include <csignal>

namespace gridcast::inline base {

/// Through all that was under way, to the verb.
struct Interrupted {};

/// Whether SIGINT or SIGTERM is held back.
inline bool interrupt_held_back() {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1;
}

}  // namespace gridcast::inline base
