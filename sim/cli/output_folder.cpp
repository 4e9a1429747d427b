#include "sim/cli/output_folder.hpp"

#include <fmt/format.h>

#include "sim/base/error.hpp"
#include "sim/base/files.hpp"

namespace gridcast::cli {

void prepare_output(std::filesystem::path const& folder, std::vector<std::string> const& names,
                    bool force) {
  prepare_folder(folder);
  if (force) return;
  std::vector<std::string> there;
  for (auto const& name : names) {
    std::error_code ignored;
    if (std::filesystem::exists(folder / name, ignored)) there.push_back(name);
  }
  if (there.empty()) return;
  throw InputError(Problem{{folder.string()},
                           fmt::format("already holds {}", fmt::join(there, ", ")),
                           "results are not replaced unasked",
                           "Name another folder, or give --force."});
}

void write_output(std::filesystem::path const& folder,
                  std::vector<report::NamedText> const& files) {
  for (auto const& file : files) write_file(folder / file.name, file.text);
}

}  // namespace gridcast::cli
