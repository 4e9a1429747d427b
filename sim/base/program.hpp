// Where the running program is: what it ships stands beside it.
#pragma once

#include <filesystem>

namespace gridcast::inline base {

/// The file of the running program, through links; as it was called where there is no /proc (a bare
/// root).
std::filesystem::path program_file();

}  // namespace gridcast::inline base
