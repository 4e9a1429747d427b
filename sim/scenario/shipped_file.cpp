#include "sim/scenario/shipped_file.hpp"

#include <system_error>

namespace gridcast::scenario {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> upwards(fs::path folder, fs::path const& name) {
  std::error_code ignored;
  for (;; folder = folder.parent_path()) {
    for (auto const& base : {folder, folder / "share" / "gridcast"}) {
      if (fs::exists(base / name, ignored)) return base / name;
    }
    if (!folder.has_relative_path()) return std::nullopt;
  }
}

}  // namespace

std::optional<fs::path> shipped_file(fs::path const& name) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  if (auto const found = upwards(fs::current_path(ignored), name)) return found;
  return upwards(fs::read_symlink("/proc/self/exe", ignored).parent_path(), name);
}

}  // namespace gridcast::scenario
