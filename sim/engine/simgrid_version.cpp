#include "sim/engine/simgrid_version.hpp"

#include <simgrid/forward.h>
#include <simgrid/version.h>

namespace gridcast::engine {

std::string simgrid_version() {
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  std::string const text = std::to_string(major) + "." + std::to_string(minor);
  return patch == 0 ? text : text + "." + std::to_string(patch);
}

}  // namespace gridcast::engine
