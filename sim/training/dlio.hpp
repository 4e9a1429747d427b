// Workload files of DLIO and MLPerf Storage (YAML, also below Hydra's `workload:`) as profiles.
//
// DLIO (github.com/argonne-lcf/dlio_benchmark, docs/source/config.rst) emulates training: it reads
// real files, and sleeps for `computation_time` in place of the GPU's computing. Communication is
// not simulated; it has to be in that time already. The mapping of keys: docs/training.md.
//
// Keys that make no difference here are listed, with the reason, rather than dropped silently.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/units.hpp"
#include "sim/scenario/profile.hpp"

namespace gridcast::training {

struct IgnoredKey {
  std::string key;  // "dataset.data_folder"
  int line = 0;
  std::string why;
};

struct DlioImport {
  scenario::Profile profile;
  std::vector<IgnoredKey> ignored;  // in the order of the file
};

/// InputError with all problems: unknown readers and formats, numbers out of range, no training.
/// The file's name shows the GPU that it emulates (_v100, _a100, _h100), unless `gpu` is given.
DlioImport import_dlio(std::filesystem::path const& file, std::string const& gpu = "");
DlioImport import_dlio_text(std::filesystem::path const& file, std::string const& text,
                            std::string const& gpu = "");

}  // namespace gridcast::training
