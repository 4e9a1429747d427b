#include "sim/engine/simgrid_version.hpp"

#include <utility>

#include <simgrid/forward.h>  // includes xbt/base.h, which version.h needs before it
#include <simgrid/version.h>

#include "sim/base/error.hpp"

namespace gridcast::engine {

std::string simgrid_version() {
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  std::string const text = std::to_string(major) + '.' + std::to_string(minor);
  return patch == 0 ? text : text + '.' + std::to_string(patch);
}

void require_simgrid() {
  int major = 0, minor = 0, patch = 0;
  sg_version_get(&major, &minor, &patch);
  if (std::pair(major, minor) >= std::pair(3, 32)) return;
  refuse({}, "SimGrid " + simgrid_version() + " is too old",
         "gridcast adds a model to SimGrid's, which versions from 3.32 on allow",
         "Install SimGrid 3.32 or later (Debian 12: libsimgrid3.32).");
}

}  // namespace gridcast::engine
