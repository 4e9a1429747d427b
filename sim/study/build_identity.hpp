// Which build computes here. Records of two builds are not mixed in one study: another compiler,
// option or library may round otherwise.
#pragma once

#include <string>

namespace gridcast::study {

/// The build IDs that the linker gave the program and the libraries that it computes with (SimGrid,
/// libm, libstdc++), as one text without blanks; of a program without one the SHA-256 of its file.
std::string build_identity();

}  // namespace gridcast::study
