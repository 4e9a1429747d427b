// What a person may have meant by the name of a file that is not there.
#pragma once

#include <filesystem>

#include "sim/base/error.hpp"

namespace gridcast::inline base {

/// That there is no such file, with the nearest name in its folder: "Did you mean 'job.sub'?"
Problem missing_file(std::filesystem::path const& file);

}  // namespace gridcast::inline base
