#include "sim/cli/shipped.hpp"

#include "sim/base/error.hpp"
#include "sim/scenario/catalogue.hpp"

namespace gridcast::cli {

std::filesystem::path shipped_scenario() {
  std::filesystem::path const file = std::filesystem::path("scenarios") / "osg-imagenet.yaml";
  if (auto const found = scenario::shipped_file(file)) return *found;
  throw InputError(Problem{{},
                           file.string() + " is not found",
                           "neither here nor where the program is",
                           "Give --scenario FILE."});
}

}  // namespace gridcast::cli
