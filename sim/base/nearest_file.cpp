#include "sim/base/nearest_file.hpp"

#include <string>
#include <system_error>
#include <vector>

#include "sim/base/text.hpp"

namespace gridcast::inline base {

namespace fs = std::filesystem;

Problem missing_file(fs::path const& file) {
  constexpr std::size_t most_names = 10'000;  // a longer list takes too long to compare
  std::vector<std::string> names;
  std::error_code error;
  fs::path const folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (names.size() == most_names) break;
    names.push_back(at->path().filename().string());
  }
  auto const near = closest(file.filename().string(), names);
  return {{file.string()},
          "no such file",
          "",
          near.empty() ? "Check the name and the folder."
                       : "Did you mean '" + (file.parent_path() / near).string() + "'?"};
}

}  // namespace gridcast::inline base
