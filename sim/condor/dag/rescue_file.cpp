#include "sim/condor/dag/rescue_file.hpp"

#include <string>
#include <system_error>

namespace gridcast::condor {
namespace {

namespace fs = std::filesystem;

/// Whether it is called BEFORE001 to BEFORE999.
bool is_rescue(std::string const& name, std::string const& before) {
  constexpr std::size_t digits = 3;
  return name.size() == before.size() + digits && name.starts_with(before) &&
         name.find_first_not_of("0123456789", before.size()) == std::string::npos &&
         !name.ends_with("000");
}

}  // namespace

std::filesystem::path latest_rescue(std::filesystem::path const& file) {
  std::string const before = file.filename().string() + ".rescue";
  fs::path const folder = file.parent_path().empty() ? "." : file.parent_path();
  std::string latest;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; each != end && !error;
       each.increment(error)) {
    std::string const name = each->path().filename();
    if (is_rescue(name, before) && name > latest) latest = name;
  }
  return latest.empty() ? fs::path() : file.parent_path() / latest;
}

}  // namespace gridcast::condor
