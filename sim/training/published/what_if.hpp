// What the suggestions for improvement in the Darshan notes would bring, by the models beside this
// file: one change of a profile each, its I/O time and its run time before and after. Where I/O is
// hidden behind computing, less of it does not make the job faster, and the table says so.
#pragma once

#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/training/published/source_table.hpp"

namespace gridcast::training {

struct WhatIf {
  std::string profile;
  std::string suggestion;       // of the notes
  std::string change;           // what was changed here
  Seconds io_before, io_after;  // in I/O calls of one rank
  Seconds total_before, total_after;
  double io_gain() const { return io_before > Seconds(0) ? 1 - io_after / io_before : 0; }
  double gain() const { return 1 - total_after / total_before; }
};

std::vector<WhatIf> what_ifs(SourceFiles const& files);

}  // namespace gridcast::training
