// Goodput as condor_userlog counts it (HTCondor manual, condor_userlog; src/condor_tools), from the
// raw lines of a log: the independent count that the ledger is held against.
//
//   run      = 001 until the job's next 004, 005, 007 or 024, whichever comes first
//   wall     = its length: execution, checkpoints, suspensions and output transfers, but neither
//   the
//              input transfer nor anything else before the 001
//   good     = wall, if it ended with 005; else nothing
//   goodput  = sum of good / sum of wall
//
// It takes every 005 for a success and leaves out what ends without a 001 and a run that the log
// does not see the end of. Self-checkpoints write no 003 and are not counted; the 003 of HTCondor's
// standard universe, which it does count as good time, is left out here: that universe is gone.
#pragma once

#include <filesystem>

#include "sim/base/units.hpp"

namespace gridcast::test {

struct UserlogTotals {
  std::size_t runs = 0;
  Seconds wall, good;
  double goodput() const { return wall > Seconds() ? good / wall : 0; }
};

UserlogTotals count_userlog(std::filesystem::path const& log);

}  // namespace gridcast::test
