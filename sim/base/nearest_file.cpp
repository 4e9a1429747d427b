#include "sim/base/nearest_file.hpp"

#include <string>
#include <system_error>
#include <vector>

#include "sim/base/text.hpp"

namespace gridcast::inline base {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_in(fs::path const& folder) {
  constexpr std::size_t most_names = 10'000;  // a longer list takes too long to compare
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (names.size() == most_names) break;
    names.push_back(at->path().filename().string());
  }
  return names;
}

/// The path with the nearest name in place of each that is not there; empty if there is none.
fs::path nearest_path(fs::path const& file) {
  fs::path found;
  for (fs::path const& part : file) {
    std::error_code error;
    if (fs::exists(found / part, error)) {
      found /= part;
      continue;
    }
    auto const near = closest(part.string(), names_in(found.empty() ? "." : found));
    if (near.empty()) return {};
    found /= near;
  }
  return found;
}

}  // namespace

Problem missing_file(fs::path const& file) {
  auto const near = nearest_path(file);
  return {
      {file.string()},
      "no such file",
      "",
      near.empty() ? "Check the name and the folder." : "Did you mean '" + near.string() + "'?"};
}

}  // namespace gridcast::inline base
