#include "sim/cli/shipped.hpp"

#include <optional>
#include <system_error>

#include "sim/base/error.hpp"

namespace gridcast {
namespace {

namespace fs = std::filesystem;

fs::path const scenario_file = fs::path("scenarios") / "osg-imagenet.yaml";

std::optional<fs::path> upwards(fs::path folder) {
  std::error_code ignored;
  for (;; folder = folder.parent_path()) {
    for (auto const& base : {folder, folder / "share" / "gridcast"}) {
      if (fs::is_regular_file(base / scenario_file, ignored)) return base / scenario_file;
    }
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

}  // namespace

fs::path shipped_scenario() {
  std::error_code ignored;
  if (fs::is_regular_file(scenario_file, ignored)) return scenario_file;
  if (auto const found = upwards(fs::current_path(ignored))) return *found;
  if (auto const found = upwards(fs::read_symlink("/proc/self/exe", ignored).parent_path())) {
    return *found;
  }
  throw InputError(Problem{{},
                           scenario_file.string() + " is not found",
                           "neither here nor where the program is",
                           "Give --scenario FILE."});
}

}  // namespace gridcast
