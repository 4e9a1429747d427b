// Files that belong together, as a calibration and its pool: all of them get their names, or none
// does. A full disk then leaves nothing that the next try would be refused for.
#pragma once

#include <filesystem>
#include <vector>

#include "sim/base/files.hpp"

namespace gridcast::inline base {

struct OutputOfSet {
  std::filesystem::path path;
  OutputFile* file;
};

/// ResourceError with the problems of all files that could not be written. Files that were replaced
/// before a later one failed stay replaced.
void keep_together(std::vector<OutputOfSet> const& files);

struct TextOfSet {
  std::filesystem::path path;
  std::string_view text;
};

/// Writes the files, and keeps all or none. InputError or ResourceError.
void write_together(std::vector<TextOfSet> const& files);

}  // namespace gridcast::inline base
