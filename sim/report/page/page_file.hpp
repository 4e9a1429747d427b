// Where the pages are that web/ is made into.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace gridcast::report {

/// The page NAME that belongs to a program in `folder`: page/NAME in it or in a folder above (a build),
/// or share/gridcast/NAME in one of these (an installation). None if it could not be made, for want
/// of Node.js and npm.
std::optional<std::string> page_file(std::filesystem::path folder, std::string const& name);
/// That of the program that runs.
std::optional<std::string> page_file(std::string const& name);

}  // namespace gridcast::report
