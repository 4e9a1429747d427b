// Which build computes here. Records of two builds are not mixed in one study: another compiler,
// option or library may round otherwise.
#pragma once

#include <string>

namespace gridcast::study {

/// The build IDs that the linker gave the program and the libraries that it computes with (SimGrid,
/// libm, libstdc++), as one text without blanks; of a program without one the SHA-256 of its file.
std::string build_identity();

/// What this machine's processor makes of libm: glibc has other code for processors with fused
/// multiply-add than for those without, and the last bit may differ (glibc manual, 20.8 "Known
/// maximum errors"). A digest of functions at many points.
std::string arithmetic_identity();

}  // namespace gridcast::study
