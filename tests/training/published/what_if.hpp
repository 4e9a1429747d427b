// The effect of each improvement that the Darshan notes suggest, by the models: one change of a
// profile each, with its I/O time and its run time before and after. Where I/O is hidden behind
// computing, less I/O does not make the job faster, and the table says so.
#pragma once

#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "tests/training/published/source_table.hpp"

namespace gridcast::training::published {

struct WhatIf {
  std::string profile;
  std::string suggestion;       // of the notes
  std::string change;           // what was changed here
  Seconds io_before, io_after;  // in I/O calls of one rank
  Seconds total_before, total_after;
  double gain() const { return 1 - total_after / total_before; }
};

std::vector<WhatIf> what_ifs(SourceFiles const& files);

}  // namespace gridcast::training::published
