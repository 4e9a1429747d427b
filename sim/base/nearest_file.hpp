// The file that a person may have meant by a name that does not exist.
#pragma once

#include <filesystem>

#include "sim/base/error.hpp"

namespace gridcast::inline base {

/// That there is no such file, with the nearest name, also of a folder on the way to it:
/// "Did you mean 'campaign/job.sub'?"
Problem missing_file(std::filesystem::path const& file);

}  // namespace gridcast::inline base
