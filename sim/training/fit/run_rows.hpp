// Runs that somebody measured, one a row, as `gridcast train --fit` reads them (CSV):
//   gpus      GPUs of the run                          nodes   that they were on (default 1)
//   batch     samples a step of one GPU                        (or global_batch, of all)
//   epoch_s   seconds an epoch                                 (or samples_per_s, or step_s; where
//             several are there and say the same, the first of these)
//   samples   of an epoch: told by the profile, a column, or not needed
//   gpu       the model, by the catalogue's name or the maker's (A100-SXM4-80GB)
//   family    rows of one machine and software, whose scaling is one thing (default: by gpu)
//   validation_s  part of epoch_s that is no training (default 0)
//   network_gbit  line rate of a node's network, Gbit/s (default: to be found out)
// Other columns are told of and not read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/units.hpp"

namespace gridcast::training {

struct RunRow {
  std::string family;
  std::string gpu;
  int gpus = 1;
  int nodes = 1;
  int batch = 1;           // of one GPU
  double samples = 0;      // of an epoch
  Seconds epoch;           // without validation
  BytesPerSecond network;  // of a node, its line rate; 0: not known
  int line = 0;            // in its file
  bool told_nodes = true;  // rather than taken to be one
};

struct RunTable {
  std::string file;
  std::vector<RunRow> rows;
  std::vector<std::string> notes;  // columns that are not read, cells that contradict each other
};

/// `samples`: of an epoch, where the rows do not say; 0: not known. `gpu`: the same of the model.
/// InputError with all rows that cannot be used.
RunTable read_runs(std::filesystem::path const& file, double samples, std::string const& gpu);
RunTable parse_runs(std::string const& file, std::string const& text, double samples,
                    std::string const& gpu);

/// Rows of one family on another GPU model become a family of their own, and a note says so. A GPU that
/// is known by several names has one by then.
void separate_gpus(RunTable& table);

/// "8 GPUs on 2 nodes, 102 samples each".
std::string to_text(RunRow const& row);

}  // namespace gridcast::training
