// Which SimGrid the program runs with.
#pragma once

#include <string>

namespace gridcast::engine {

/// "3.32": of the shared library, which may be newer than the headers.
std::string simgrid_version();

}  // namespace gridcast::engine
