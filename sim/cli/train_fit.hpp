// gridcast train --fit: a profile from a table of runs, of training or of a store.
#pragma once

#include <cstdint>
#include <string>

#include "sim/training/published/source_table.hpp"

namespace gridcast::cli {

struct FitRequest {
  std::string table;      // CSV
  std::string profile;    // what is not fitted is taken from it; empty: nothing is known
  std::string out;        // where the fitted profile goes; empty: nowhere
  std::string family;     // of which it is; empty: the one with the most rows
  std::string gpu;        // of rows that do not say
  int most_nodes = 0;     // rows on more are predicted, not fitted to; 0: all are fitted to
  bool smallest = false;  // each family is fitted to at its smallest scale, its others predicted
  std::uint64_t seed = 1;
  bool json = false, force = false;
};

/// Exit code.
int fit_table(FitRequest const& request, training::SourceFiles const& files);

}  // namespace gridcast::cli
