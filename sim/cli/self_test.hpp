// Is this gridcast sound, on this machine? In about a second: the published campaign's record is
// read and counted, the campaign is simulated, and both are held against what is known of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/scenario.hpp"

namespace gridcast::cli {

struct SelfCheck {
  std::string what;  // "the record has 100 jobs, 79 of them successful"
  bool passed = false;
  std::string found;  // what was found instead; empty if it passed
};

struct SelfTest {
  std::vector<SelfCheck> checks;
  std::size_t replicas = 0;
  Seconds elapsed;  // on the clock on the wall

  bool passed() const;
};

/// Of the shipped files, in `processes` processes. What keeps it from running is a check that
/// failed.
SelfTest self_test(unsigned processes);

}  // namespace gridcast::cli
